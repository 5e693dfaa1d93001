import { ownerOf } from '../../shared/database/entities/logs.ts';
import { cancelledFields, channelFields } from '../../shared/domain/channel-fields.ts';
import type { Caller } from '../../shared/http/caller.ts';
import { dueMessage } from '../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../shared/messaging/queue-names.ts';
import type { Queues } from '../../shared/messaging/queues-port.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';
import { isOwn, notWaiting } from '../sending/scheduled.ts';
import { withdrawClosed } from '../workers/digest/withdraw.ts';
import { type Entry, type entryDependencies, pkOf, readEntry } from './entries.ts';

type Deps = Resolved<typeof entryDependencies>;
type Digest = Extract<Entry, { kind: 'digest' }>;
type Delivery = Extract<Entry, { kind: 'delivery' }>;

/** For so long, only the request that cancels a delivery has it. */
const CANCELLING_MS = 120_000;

/** Returns the caller's entry. Throws SCHEDULE_RESOURCE_NOT_FOUND. */
export async function findOwnEntry(
  deps: Deps,
  caller: Caller,
  waitingId: string,
  nowMs: number,
): Promise<Entry> {
  const entry = await readEntry(deps, pkOf(waitingId), nowMs);
  if (!entry || !isOwn(caller, entry)) throw notWaiting();
  return entry;
}

/** The lease of the bucket excludes a flush: of the two, one is first. */
async function closed({ digests }: Deps, { pk }: Digest, nowMs: number) {
  const bucket = await digests.close(pk, nowMs);
  if (!bucket) throw notWaiting();
  return bucket;
}

/** Takes the items out of a digest; what is collected afterwards forms another one. */
export async function cancelDigest(deps: Deps, entry: Digest, nowMs: number): Promise<void> {
  const bucket = await closed(deps, entry, nowMs);
  await withdrawClosed(deps, bucket, nowMs, 'the digest was cancelled');
}

/** Sends a digest at another time, with what it has now; what is collected afterwards goes into the next one. */
export async function moveDigest(
  deps: Deps,
  entry: Digest,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<void> {
  const { recordHeld } = await import('../workers/digest/flush.ts');
  const bucket = await closed(deps, entry, nowMs);
  const found = await deps.digests.listItems(bucket.pk);
  const moment = { untilMs, atMs: nowMs, seq: `${untilMs}/${nowMs}` };
  const items = untilMs > nowMs ? await recordHeld(deps, bucket, found, moment) : found;
  if (!(await deps.digests.hold(bucket, items, { untilMs, isMoved: true }))) throw notWaiting();
}

/** Its outcome is recorded while nobody else can take it: it is neither sent nor lost. */
export async function cancelDelivery(deps: Deps, { waiting, head }: Delivery, nowMs: number): Promise<void> {
  const dueAtMs = nowMs + CANCELLING_MS;
  if (!(await deps.deliveryRetries.move(waiting, { dueAtMs, isReleased: false }))) throw notWaiting();
  const { channel } = waiting.delivery;
  const event = { channel, stage: 'withheld', atMs: nowMs, fields: cancelledFields(channel, nowMs) } as const;
  await deps.logs.append(head.trackingId, ownerOf(head), event);
  await deps.deliveryRetries.end(waiting);
}

/** Moves the next attempt of a delivery, or the end of its hold. One that is due now does not wait for the next sweep. */
export async function moveDelivery(
  deps: Deps & { queues: Queues },
  { pk, waiting, head }: Delivery,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<void> {
  const { hold, delivery } = waiting;
  const { channel, trackingId } = delivery;
  const kept = await deps.logs.prolong(head, untilMs);
  const isReleased = hold !== undefined;
  if (!(await deps.deliveryRetries.move(waiting, { dueAtMs: untilMs, isReleased }))) throw notWaiting();
  const common = { channel, seq: `${untilMs}/${nowMs}`, atMs: nowMs };
  const last = (await deps.logs.listEvents(trackingId, channel)).findLast(
    ({ stage }) => stage === 'next_try',
  );
  await deps.logs.append(
    trackingId,
    ownerOf(kept),
    isReleased
      ? { ...common, stage: 'held', fields: channelFields(channel, { held_until: isoOf(untilMs) }) }
      : { ...common, stage: 'next_try', fields: { ...last?.fields, email_next_try_at: isoOf(untilMs) } },
  );
  if (untilMs <= nowMs) await deps.queues.send(DUE_QUEUE, [dueMessage(pk, untilMs, nowMs)]);
}

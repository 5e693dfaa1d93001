import { ownerOf } from '../../shared/database/entities/logs/logs.ts';
import { DIGEST_PREFIX, RETRY_PREFIX } from '../../shared/database/keys/log.ts';
import { CANCELED, cancelledFields, channelFields } from '../../shared/domain/routing/channel-fields.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import { dueMessage } from '../../shared/messaging/due-messages.ts';
import { DUE_QUEUE } from '../../shared/messaging/queue-names.ts';
import type { Queues } from '../../shared/messaging/queues-port.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { Resolved } from '../../shared/runtime/dependency.ts';
import { isOwn, notWaiting } from '../sending/waiting/scheduled.ts';
import { withdrawItems } from '../workers/digest/withdraw.ts';
import { type Entry, type entryDependencies, pkOf, readEntry } from './entries.ts';

type Deps = Resolved<typeof entryDependencies>;
type Digest = Extract<Entry, { kind: 'digest' }>;
type Delivery = Extract<Entry, { kind: 'delivery' }>;

/** For so long, only the request that cancels a delivery has it. */
const CANCELLING_MS = 120_000;

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

/** True if a request that is repeated has cancelled what waited: a digest that has nothing, or a delivery whose log says so. */
export async function isCancelled(deps: Deps, caller: Caller, pk: string, nowMs: number): Promise<boolean> {
  const bucket = pk.startsWith(DIGEST_PREFIX) ? await deps.digests.findBucket(pk) : undefined;
  if (bucket) return bucket.state === 'open' && isOwn(caller, bucket);
  const [, trackingId = '', channel] = pk.startsWith(RETRY_PREFIX) ? pk.split('#') : [];
  const log = await deps.logs.find(trackingId, nowMs);
  const isWithheld = log?.events.some(
    (event) =>
      event.channel === channel &&
      event.stage === 'withheld' &&
      Object.values(event.fields).includes(CANCELED),
  );
  return log !== undefined && isOwn(caller, log.head) && isWithheld === true;
}

/** Takes the items out of a digest; later items form another digest. It stays, for a repeated request, until it is due. */
export async function cancelDigest(deps: Deps, entry: Digest, nowMs: number): Promise<void> {
  const bucket = await closed(deps, entry, nowMs);
  const items = await deps.digests.listItems(bucket.pk);
  const because = 'the digest was cancelled';
  const remaining = await withdrawItems(deps, bucket, items, { untilMs: nowMs, because });
  const { isPaused, isMoved } = bucket;
  await deps.digests.hold(bucket, remaining, { untilMs: entry.untilMs, isPaused, isMoved });
}

/** Sends a digest at another time, with what it has now; what is collected afterwards goes into the next one. */
export async function moveDigest(
  deps: Deps,
  entry: Digest,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<void> {
  const { recordHeld } = await import('../workers/digest/flush-digest.ts');
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

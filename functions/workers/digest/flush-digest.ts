import { retentionDaysOf } from '../../../shared/database/entities/accounts/accounts.ts';
import type { ErasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import type { InappItems } from '../../../shared/database/entities/inapp/inapp-items.ts';
import type { EventOwner } from '../../../shared/database/entities/logs/log-items.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import type { Bucket } from '../../../shared/database/entities/sending/digest-bucket.ts';
import type { DigestItem, Digests } from '../../../shared/database/entities/sending/digests.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { UsageCaps } from '../../../shared/database/entities/usage/usage-caps.ts';
import type { Users } from '../../../shared/database/entities/users/users.ts';
import type { LogEvent, LogHead } from '../../../shared/domain/logs/log.ts';
import { logExpiry } from '../../../shared/domain/logs/log-expiry.ts';
import { channelFields } from '../../../shared/domain/routing/channel-fields.ts';
import { skipReasonOf } from '../../../shared/domain/routing/steps.ts';
import { quietAt } from '../../../shared/domain/timing/quiet-hours.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { DAY_SECONDS, secondsAfter } from '../../../shared/runtime/values/durations.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { quietInputOf } from '../../sending/decide/decide.ts';
import { isSeen } from '../delivery/content/is-seen.ts';
import { claimEvent, claimingDigestOf } from './digest-claim.ts';
import { findEnvelope } from './envelope.ts';
import { type Evaluated, evaluateItem, type Known } from './evaluate-item.ts';
import { withdrawClosed, withdrawItems } from './withdraw.ts';

export type FlushDependencies = {
  digests: Digests;
  inappItems: InappItems;
  logs: Logs;
  sendingContexts: SendingContexts;
  usageCaps: UsageCaps;
  erasureMarks: ErasureMarks;
  users: Users;
};

const PARALLEL = 50;
/** The log of an item that is held has to outlast the message for this long. */
const KEPT_AFTER_SECONDS = 7 * DAY_SECONDS;

type Item = Omit<DigestItem, 'request'> & { request: SendRequest };

/**
 * Flushes a due bucket: closes it, claims its items, evaluates each, and writes the head of one message per
 * envelope, which the stream then sends. A digest during the user's quiet hours waits for their end. If a
 * flusher crashes anywhere, its successor finds the same claims and outcomes and writes the same heads. An
 * empty bucket sends nothing.
 */
export async function flushBucket(deps: FlushDependencies, pk: string, nowMs: number): Promise<void> {
  const bucket = await deps.digests.closeDue(pk, nowMs);
  if (!bucket) return;
  if (bucket.flushAtMs > nowMs) return completeWithdrawal(deps, bucket);
  const known = await readKnown(deps, bucket, nowMs);
  const sendable = await keepWanted(deps, bucket, nowMs);
  if (known.quiet?.kind === 'held') {
    const held = await recordHeld(deps, bucket, sendable, { untilMs: known.quiet.untilMs, atMs: nowMs });
    await deps.digests.hold(bucket, held, known.quiet);
    return;
  }
  const items = await readItems(deps, sendable, nowMs);
  const carriers = await inChunks(items, PARALLEL, (item) => claim(deps, bucket, item, nowMs));
  const messages = Map.groupBy(items, (_, index) => carriers[index]);
  for (const [trackingId, carried] of messages)
    if (trackingId) await writeMessage(deps, bucket, known, { trackingId, items: carried });
  const isSensitive = (item: Item) => known.context.type?.sensitive || item.request.sensitive;
  await inChunks([...items.entries()], PARALLEL, async ([index, item]) => {
    if (isSensitive(item)) await forgetItem(deps, bucket, item, carriers[index], nowMs);
  });
  await deps.digests.markFlushed(bucket);
}

/** Now that the messages are stored, the content of a sensitive item is in them alone. */
async function forgetItem(
  { digests, logs }: FlushDependencies,
  bucket: Bucket,
  item: Item,
  claimed: string | undefined,
  nowMs: number,
): Promise<void> {
  const carrier = { trackingId: claimed ?? '', flushAtMs: bucket.flushAtMs };
  const owner = { ...bucketOwner(bucket, item), isSensitive: true };
  // It was appended when the item was claimed.
  if (claimed) await logs.append(item.trackingId, owner, claimEvent(bucket, { carrier }, nowMs));
  await digests.removeItem(bucket.pk, item.trackingId);
}

/** Before its time, only the deletion of its user closes a bucket: this deletion was interrupted. */
async function completeWithdrawal(deps: FlushDependencies, bucket: Bucket): Promise<void> {
  const erasedAtMs = await deps.erasureMarks.findErasedAtMs(bucket.environmentId, bucket.userId);
  await withdrawClosed(deps, bucket, erasedAtMs ?? 0);
}

/** Records in the logs of the items until when their digest waits, and keeps them until then. */
export async function recordHeld(
  { logs }: Pick<FlushDependencies, 'logs'>,
  bucket: Bucket,
  items: readonly DigestItem[],
  { untilMs, atMs, seq = String(untilMs) }: { untilMs: number; atMs: number; seq?: string },
): Promise<DigestItem[]> {
  const { channel } = bucket;
  const fields = channelFields(channel, { held_until: isoOf(untilMs) });
  const event: LogEvent = { channel, stage: 'held', seq, atMs, fields };
  return inChunks(items, PARALLEL, async (item) => {
    const { trackingId } = item;
    const isLong = secondsAfter(untilMs) >= item.logExpiresAt - KEPT_AFTER_SECONDS;
    const head = isLong ? await logs.findHead(trackingId, atMs) : undefined;
    const logExpiresAt = head
      ? ownerOf(await logs.prolong(head, untilMs)).expiresAtSeconds
      : item.logExpiresAt;
    const kept = { ...item, logExpiresAt };
    await logs.append(trackingId, bucketOwner(bucket, kept), event);
    return kept;
  });
}

/** Withdraws items accepted before their user was deleted, and items of cancelled topic sends; returns the others. */
async function keepWanted(deps: FlushDependencies, bucket: Bucket, nowMs: number): Promise<DigestItem[]> {
  const items = await deps.digests.listItems(bucket.pk);
  const erasedAtMs = await deps.erasureMarks.findErasedAtMs(bucket.environmentId, bucket.userId);
  const remaining =
    erasedAtMs === undefined ? items : await withdrawItems(deps, bucket, items, { untilMs: erasedAtMs });
  const parentIds = [...new Set(remaining.flatMap(({ parentId }) => (parentId ? [parentId] : [])))];
  const cancelled = await inChunks(parentIds, PARALLEL, (parentId) => deps.logs.isCancelled(parentId));
  const isCancelled = ({ parentId }: DigestItem) =>
    parentId !== undefined && cancelled[parentIds.indexOf(parentId)] === true;
  await withdrawItems(deps, bucket, remaining.filter(isCancelled), {
    untilMs: nowMs,
    because: 'the notification to the topic was cancelled',
  });
  return remaining.filter((item) => !isCancelled(item));
}

/** A request was checked when it was accepted; by the rules of a later release, it may no longer fit. */
function readRequest(stored: string): SendRequest {
  return JSON.parse(stored);
}

async function readItems(
  { logs }: FlushDependencies,
  items: readonly DigestItem[],
  nowMs: number,
): Promise<Item[]> {
  const read = await inChunks(items, PARALLEL, async (item) => {
    const { trackingId, request } = item;
    if (request !== undefined) return { ...item, request: readRequest(request) };
    const head = await logs.findHead(trackingId, nowMs);
    return head && { ...item, request: head.request };
  });
  return read.filter((item) => item !== undefined);
}

/**
 * Claims an item for the message of its envelope. Returns that message's tracking ID, also if it was claimed
 * before; undefined if another bucket's flusher claimed the item or it has an outcome.
 */
async function claim(
  { logs }: FlushDependencies,
  bucket: Bucket,
  item: Item,
  nowMs: number,
): Promise<string | undefined> {
  const { trackingId, request } = item;
  const carrier = claimingDigestOf(bucket, await findEnvelope(bucket.channel, request, bucket.flushAtMs));
  const event = claimEvent(bucket, { carrier }, nowMs);
  if (await logs.append(trackingId, bucketOwner(bucket, item), event)) return carrier.trackingId;
  const events = await logs.listEvents(trackingId, bucket.channel);
  const isSettled = events.some(({ stage }) => stage === 'withheld' || stage === 'failed');
  const isOurs = events.some((each) => each.carrier?.trackingId === carrier.trackingId);
  return isOurs && !isSettled ? carrier.trackingId : undefined;
}

async function readKnown(deps: FlushDependencies, bucket: Bucket, nowMs: number): Promise<Known> {
  const context = await deps.sendingContexts.read(bucket);
  const [user, exceeded] = await Promise.all([
    context.profile && deps.users.open(bucket, context.profile),
    deps.usageCaps.findExceeded(context.account, context.organization, nowMs),
  ]);
  const request = bucket.isMoved ? { urgent: true } : {};
  const input = quietInputOf(context, user ?? {}, { userId: bucket.userId, request, nowMs });
  return { context, user, exceeded, quiet: quietAt(input, bucket.channel), nowMs };
}

/** Records the outcome of each withheld item, then commits the message of the others with its head. */
async function writeMessage(
  deps: FlushDependencies,
  bucket: Bucket,
  known: Known,
  { trackingId, items }: { trackingId: string; items: readonly Item[] },
): Promise<void> {
  if (await deps.logs.findHead(trackingId, known.nowMs)) return;
  const evaluated = await inChunks(items, PARALLEL, async (item) => {
    const skipped = item.isStep ? await findSkipped(deps, bucket, item, known.nowMs) : undefined;
    const outcome = skipped ?? evaluateItem(bucket, known, item.request);
    if (outcome.kind === 'withheld')
      await deps.logs.append(item.trackingId, bucketOwner(bucket, item), outcome.event);
    return { item, ...outcome };
  });
  const going = evaluated.filter((each) => each.kind === 'going');
  if (going.length === 0) return;
  const { account, type } = known.context;
  const days = type?.retention ?? retentionDaysOf(account);
  const expiresAtSeconds = logExpiry(days, known.nowMs);
  await deps.logs.accept(headOf(bucket, known, trackingId, going), {
    feedShards: account.feedShards,
    expiresAtSeconds,
  });
}

/** Items of one bucket share the template of its mode. */
type Going = Extract<Evaluated, { kind: 'going' }> & { item: Item };

function headOf(bucket: Bucket, known: Known, trackingId: string, going: readonly Going[]): LogHead {
  const { accountId, environmentId, userId, notificationId, subNotificationId, channel, mode } = bucket;
  const { context, user, nowMs } = known;
  const isSensitive = context.type?.sensitive || going.some(({ item }) => item.request.sensitive);
  return {
    trackingId,
    accountId,
    environmentId,
    userId,
    notificationId,
    ...defined({ subNotificationId: subNotificationId || undefined }),
    state: 'accepted',
    receivedAtMs: nowMs,
    processedAtMs: nowMs,
    routing: { [channel]: { routing: 'SEND', ...going[0]?.content } },
    messages: [],
    ...defined({
      isUrgent: context.type?.urgent || undefined,
      isSensitive: isSensitive || undefined,
      email: user?.email || undefined,
      number: user?.number || undefined,
    }),
    request: {
      ...digestRequest(going.map(({ item }) => item.request)),
      ...defined({ urgent: bucket.isMoved || undefined }),
    },
    digest: {
      mode,
      items: going.map(({ item: { trackingId, request, startsOnFailure } }) => ({
        trackingId,
        request,
        ...defined({ startsOnFailure }),
      })),
    },
  };
}

/**
 * The newest item's request with the attachments of all items and the metadata that they share. Each item's condition was evaluated when it
 * was collected.
 */
function digestRequest(requests: readonly SendRequest[]): SendRequest {
  const newest = requests.at(-1) ?? {};
  const { condition: _, ...email } = newest.options?.email ?? {};
  const pairs = Object.entries(newest.metadata ?? {});
  const shared = pairs.filter(([name, value]) =>
    requests.every(({ metadata }) => metadata?.[name] === value),
  );
  const attachments = requests.flatMap((request) => request.options?.email?.attachments ?? []);
  return {
    ...newest,
    ...(newest.metadata ? { metadata: Object.fromEntries(shared) } : {}),
    options: {
      ...newest.options,
      email: { ...email, ...defined({ attachments: attachments.length > 0 ? attachments : undefined }) },
    },
  };
}

function bucketOwner(
  { accountId, environmentId, userId, notificationId }: Bucket,
  { logExpiresAt: expiresAtSeconds, startsOnFailure }: Pick<DigestItem, 'logExpiresAt' | 'startsOnFailure'>,
): EventOwner {
  return { accountId, environmentId, userId, notificationId, expiresAtSeconds, startsOnFailure };
}

/** Asks the condition of a step again: the notification may have been seen or delivered since it was collected. */
async function findSkipped(
  deps: FlushDependencies,
  { channel }: Bucket,
  { trackingId }: Item,
  atMs: number,
): Promise<Evaluated | undefined> {
  const log = await deps.logs.find(trackingId, atMs, { isHidden: true });
  if (!log) return undefined;
  const events = [...log.events, ...(await deps.logs.listDigestEvents(log.events, atMs))];
  const reason = skipReasonOf(log.head, channel, { events, isSeen: await isSeen(deps, log, atMs) });
  if (!reason) return undefined;
  const fields = channelFields(channel, {
    routing: 'IGNORE',
    skipped_at: isoOf(atMs),
    skipped_reason: reason,
  });
  return { kind: 'withheld', event: { channel, stage: 'withheld', atMs, fields } };
}

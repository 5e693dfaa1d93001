import * as v from 'valibot';
import { retentionDaysOf } from '../../../shared/database/entities/accounts.ts';
import { type Bucket, type DigestItem, digests } from '../../../shared/database/entities/digests.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import type { StoredType } from '../../../shared/database/entities/notification-types.ts';
import { type SendingContext, sendingContexts } from '../../../shared/database/entities/sending-context.ts';
import { userErasures } from '../../../shared/database/entities/user-erasures.ts';
import { users } from '../../../shared/database/entities/users.ts';
import type { ChannelRouting, LogHead } from '../../../shared/domain/log-record.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { isGoing } from '../../../shared/domain/routing.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { SendRequest } from '../../../shared/schemas/send-request.ts';
import { decide } from '../../sending/evaluate.ts';
import { readIntake } from '../../sending/intake.ts';
import { carriedEvent, carrierOf } from './carrier.ts';
import { withdrawItems } from './withdraw.ts';

const PARALLEL = 50;
const DAY_SECONDS = 86_400;

/**
 * Flushes a bucket whose time has come: closes it, claims its items, writes the head of the digest's own log. The stream
 * then sends its one message. A flusher that dies anywhere is followed by another, which finds the same claims and
 * writes the same head. An empty bucket sends nothing.
 */
export async function flushBucket(pk: string, nowMs: number): Promise<void> {
  const waiting = await resolve(digests).findBucket(pk);
  if (!waiting || (waiting.state === 'open' && waiting.flushAtMs > nowMs)) return;
  const bucket = await resolve(digests).close(pk, nowMs);
  if (!bucket) return;
  const carrier = carrierOf(bucket);
  if (!(await resolve(logs).findHead(carrier.trackingId, nowMs))) {
    const items = await claimItems(bucket, await listCarriable(pk, bucket), nowMs);
    if (items.length > 0) await writeHead(bucket, items, nowMs);
  }
  await resolve(digests).markFlushed(pk);
}

/** The bucket's items; those accepted before their user was deleted are taken out. */
async function listCarriable(pk: string, bucket: Bucket): Promise<DigestItem[]> {
  const deps = { digests: resolve(digests), logs: resolve(logs) };
  const items = await deps.digests.listItems(pk);
  const erasedAtMs = await resolve(userErasures).findErasedAtMs(bucket.environmentId, bucket.userId);
  return erasedAtMs === undefined ? items : withdrawItems(deps, bucket, items, erasedAtMs);
}

/** The items this bucket carries: those whose `digest` event it wrote first, or on an earlier try. */
async function claimItems(
  bucket: Bucket,
  items: readonly DigestItem[],
  nowMs: number,
): Promise<DigestItem[]> {
  const carried: DigestItem[] = [];
  for (let start = 0; start < items.length; start += PARALLEL) {
    const part = items.slice(start, start + PARALLEL);
    const claims = await Promise.all(part.map((item) => claim(bucket, item, nowMs)));
    carried.push(...part.filter((_, index) => claims[index]));
  }
  return carried;
}

async function claim(bucket: Bucket, item: DigestItem, nowMs: number): Promise<boolean> {
  const { accountId, environmentId, userId, notificationId } = bucket;
  const owner = { accountId, environmentId, userId, notificationId, expiresAtSeconds: item.logExpiresAt };
  if (await resolve(logs).append(item.trackingId, owner, carriedEvent(bucket, nowMs))) return true;
  const decided = await resolve(logs).findCarrier(item.trackingId, LOG_PREFIX[bucket.channel]);
  return decided?.trackingId === carrierOf(bucket).trackingId;
}

async function writeHead(bucket: Bucket, items: readonly DigestItem[], nowMs: number): Promise<void> {
  const { accountId, environmentId, userId, notificationId, subNotificationId, channel, mode } = bucket;
  const context = await resolve(sendingContexts).read({ accountId, environmentId, userId, notificationId });
  const requests = items.map((item) => v.parse(SendRequest, JSON.parse(item.request)));
  const user = context.profile && (await resolve(users).open(bucket, context.profile));
  const request = digestRequest(requests);
  const { routing, message } = judge(bucket, context, request, user);
  const head: LogHead = {
    trackingId: carrierOf(bucket).trackingId,
    accountId,
    environmentId,
    userId,
    notificationId,
    ...(subNotificationId ? { subNotificationId } : {}),
    state: 'accepted',
    receivedAtMs: nowMs,
    processedAtMs: nowMs,
    routing: { [channel]: routing },
    messages: message ? [message] : [],
    ...(isGoing(routing) ? {} : { ignored: 'ALL_CHANNELS_IGNORED' as const }),
    ...(user?.email ? { email: user.email } : {}),
    ...(user?.number ? { number: user.number } : {}),
    request,
    digest: {
      mode,
      items: items.map(({ trackingId }, index) => ({ trackingId, request: requests[index] ?? {} })),
    },
  };
  const expiresAtSeconds =
    Math.ceil(nowMs / 1000) + Math.round(retentionDaysOf(context.account) * DAY_SECONDS);
  await resolve(logs).accept(head, { feedShards: context.account.feedShards, expiresAtSeconds });
}

/** The digest's request: that of its last item, with the attachments of all of them. */
function digestRequest(requests: readonly SendRequest[]): SendRequest {
  const last = requests.at(-1) ?? {};
  const attachments = requests.flatMap((request) => request.options?.email?.attachments ?? []);
  if (attachments.length === 0) return last;
  return { ...last, options: { ...last.options, email: { ...last.options?.email, attachments } } };
}

/** Judged again by what is stored now: who has opted out since gets nothing; a new rhythm does not hold back items. */
function judge(
  bucket: Bucket,
  context: SendingContext,
  request: SendRequest,
  user: Profile | undefined,
): { routing: ChannelRouting; message?: string } {
  const { type } = context;
  if (!type)
    return { routing: { routing: 'IGNORE' }, message: 'The notification type does not exist any more.' };
  const decided = decide({ intake: readIntake(request), context, type: collecting(type, bucket), user });
  const now = decided.routing[bucket.channel];
  if (!isGoing(now)) {
    const message = decided.messages.find((each) => each.startsWith(`${bucket.channel} `));
    return { routing: now.routing === 'OFF' ? { routing: 'IGNORE' } : now, ...(message ? { message } : {}) };
  }
  const template = type.templates.find(
    (each) => each.channel === bucket.channel && each.defaultFor.includes(bucket.mode),
  );
  return {
    routing: {
      routing: 'SEND',
      ...(template ? { template: `${template.templateId}@${template.version}` } : {}),
    },
  };
}

/** The type as it was when it collected: one that stopped to offer the mode, or prefers another, still owes the items. */
function collecting(type: StoredType, { channel, mode }: Bucket): StoredType {
  const options = type.options?.[channel];
  if (!options || options.defaultDeliveryOption === 'off') return type;
  const kept = { ...options, instant: { enabled: false }, defaultDeliveryOption: mode };
  return { ...type, options: { ...type.options, [channel]: kept } };
}

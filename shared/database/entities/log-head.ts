import * as v from 'valibot';
import type { ChannelRouting, LogHead } from '../../domain/log-record.ts';
import { CHANNELS, type Channel } from '../../schemas/channel.ts';
import type { SendRequest } from '../../schemas/send-request.ts';
import type { Item } from '../table.ts';

const ChannelRoutingShape = v.object({
  r: v.string(),
  why: v.optional(v.string()),
  code: v.optional(v.string()),
  t: v.optional(v.string()),
  d: v.optional(v.string()),
});

/** The head's item: attribute names are short because its size is paid for with every notification. */
export const StoredHead = v.object({
  trackingId: v.string(),
  a: v.string(),
  e: v.string(),
  u: v.string(),
  n: v.string(),
  sub: v.optional(v.string()),
  state: v.picklist(['scheduled', 'accepted', 'cancelled']),
  at: v.number(),
  done: v.optional(v.number()),
  due: v.optional(v.number()),
  moved: v.optional(v.number()),
  movedTo: v.optional(v.number()),
  deleted: v.optional(v.number()),
  routes: v.optional(v.record(v.string(), ChannelRoutingShape), {}),
  msgs: v.optional(v.array(v.string()), []),
  ignored: v.optional(v.string()),
  failedAt: v.optional(v.number()),
  failedCode: v.optional(v.string()),
  failedWhy: v.optional(v.string()),
  test: v.optional(v.boolean()),
  user: v.optional(v.number()),
  mail: v.optional(v.string()),
  num: v.optional(v.string()),
  ip: v.optional(v.string()),
  ua: v.optional(v.string()),
  req: v.optional(v.instance(Uint8Array)),
  blob: v.optional(v.string()),
  hash: v.optional(v.string()),
  rev: v.optional(v.number()),
  digest: v.optional(v.instance(Uint8Array)),
  digestBlob: v.optional(v.string()),
  expiresAt: v.number(),
});

export type StoredHead = v.InferOutput<typeof StoredHead>;

/** Whether a head's item is past its retention: it may be kept longer (`keepHead`), and TTL removes late. */
export function isExpired(item: Item, nowMs: number): boolean {
  return Number(item.shownUntil ?? item.expiresAt ?? Number.POSITIVE_INFINITY) * 1000 <= nowMs;
}

/** A head with its expiry, epoch seconds. */
export type StoredLogHead = LogHead & { expiresAtSeconds: number };

/** When the notification was last asked for: received, or changed while it waited for its time. */
export function askedAtMs(head: LogHead): number {
  return head.scheduleUpdatedAtMs ?? head.receivedAtMs;
}

/** The attributes of a head's item, without keys, request and expiry. */
export function shortHead(head: LogHead): Item {
  const routes: Record<string, Item> = {};
  for (const channel of CHANNELS) {
    const decided = head.routing[channel];
    if (decided) routes[channel] = withoutUndefined(shortRouting(decided));
  }
  return withoutUndefined({
    trackingId: head.trackingId,
    a: head.accountId,
    e: head.environmentId,
    u: head.userId,
    n: head.notificationId,
    sub: head.subNotificationId,
    state: head.state,
    at: head.receivedAtMs,
    done: head.processedAtMs,
    due: head.scheduledForMs,
    moved: head.scheduleUpdatedAtMs,
    movedTo: head.scheduleUpdatedToMs,
    deleted: head.scheduleDeletedAtMs,
    routes: Object.keys(routes).length > 0 ? routes : undefined,
    msgs: head.messages.length > 0 ? head.messages : undefined,
    ignored: head.ignored,
    failedAt: head.failedAtMs,
    failedCode: head.failedCode,
    failedWhy: head.failedInternal,
    test: head.test,
    user: head.userChangedAtMs,
    mail: head.email,
    num: head.number,
    ip: head.ip,
    ua: head.agent,
    hash: head.requestHash,
    rev: head.revision,
  });
}

function shortRouting(decided: ChannelRouting): Item {
  const { routing, reason, failureCode, template, mode } = decided;
  return { r: routing, why: reason, code: failureCode, t: template, d: mode };
}

/** The head of an item and its request. */
export function longHead(stored: StoredHead, request: SendRequest): StoredLogHead {
  const routing: Partial<Record<Channel, ChannelRouting>> = {};
  for (const channel of CHANNELS) {
    const short = stored.routes[channel];
    if (short) {
      routing[channel] = asRouting({
        routing: short.r,
        reason: short.why,
        failureCode: short.code,
        template: short.t,
        mode: short.d,
      });
    }
  }
  return asHead({
    trackingId: stored.trackingId,
    accountId: stored.a,
    environmentId: stored.e,
    userId: stored.u,
    notificationId: stored.n,
    subNotificationId: stored.sub,
    state: stored.state,
    receivedAtMs: stored.at,
    processedAtMs: stored.done,
    scheduledForMs: stored.due,
    scheduleUpdatedAtMs: stored.moved,
    scheduleUpdatedToMs: stored.movedTo,
    scheduleDeletedAtMs: stored.deleted,
    routing,
    messages: stored.msgs,
    ignored: stored.ignored,
    failedAtMs: stored.failedAt,
    failedCode: stored.failedCode,
    failedInternal: stored.failedWhy,
    test: stored.test,
    userChangedAtMs: stored.user,
    email: stored.mail,
    number: stored.num,
    ip: stored.ip,
    agent: stored.ua,
    request,
    requestHash: stored.hash,
    revision: stored.rev,
    expiresAtSeconds: stored.expiresAt,
  });
}

/** Only `shortHead` writes these attributes, from a `LogHead`: the enumerated texts are the spec's. */
function asHead(fields: Item): StoredLogHead {
  return withoutUndefined(fields) as StoredLogHead;
}

/** As `asHead`: only `shortRouting` writes them. */
function asRouting(fields: Item): ChannelRouting {
  return withoutUndefined(fields) as ChannelRouting;
}

function withoutUndefined(fields: Item): Item {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

import * as v from 'valibot';
import type { ChannelRouting, LogHead } from '../../../domain/logs/log.ts';
import { packSteps, unpackSteps } from '../../../domain/routing/packed-steps.ts';
import { plannedDueAtMs } from '../../../domain/routing/steps.ts';
import { type Defined, defined } from '../../../runtime/values/defined.ts';
import { CHANNELS, type Channel } from '../../../schemas/channel.ts';
import { DIGEST_MODES } from '../../../schemas/delivery/delivery-mode.ts';
import { FAILURE_CODES } from '../../../schemas/logs/failure-codes.ts';
import { FailedCode, Ignored, Routing, RoutingReason } from '../../../schemas/logs/log-record.ts';
import type { SendRequest } from '../../../schemas/sending/send-request.ts';
import type { Item } from '../../table.ts';

type Column = readonly [short: string, schema: v.GenericSchema];
type Table = Readonly<Record<string, Column>>;

const text = v.optional(v.string());
const number = v.optional(v.number());

/** Decisions per channel: long names, and the short names in the table. */
const ROUTING_FIELDS = {
  routing: ['r', Routing],
  reason: ['why', v.optional(RoutingReason)],
  failureCode: ['code', v.optional(v.picklist(Object.values(FAILURE_CODES).flat()))],
  template: ['t', text],
  locale: ['l', text],
  mode: ['d', v.optional(v.picklist(DIGEST_MODES))],
  heldUntilMs: ['held', number],
  isPaused: ['pause', v.optional(v.boolean())],
} as const satisfies Record<Exclude<keyof ChannelRouting, 'dueAtMs'>, Column>;

const StoredFanOut = v.object({
  dueAtMs: v.number(),
  cursor: text,
  members: v.number(),
  accepted: v.number(),
  ignored: v.number(),
  channels: v.array(v.picklist(CHANNELS)),
  endedAtMs: number,
});

/**
 * The head's attributes: their size costs on every notification, so their stored names are short. The
 * request, the digest and the decisions have separate forms.
 */
const HEAD_FIELDS = {
  trackingId: ['trackingId', v.string()],
  accountId: ['a', v.string()],
  environmentId: ['e', v.string()],
  userId: ['u', v.string()],
  notificationId: ['n', v.string()],
  subNotificationId: ['sub', text],
  topicId: ['topic', text],
  parentId: ['parent', text],
  fanOut: ['fan', v.optional(StoredFanOut)],
  state: ['state', v.picklist(['scheduled', 'fanning', 'accepted', 'cancelled'])],
  receivedAtMs: ['at', v.number()],
  processedAtMs: ['done', number],
  scheduledForMs: ['due', number],
  scheduleUpdatedAtMs: ['moved', number],
  scheduleUpdatedToMs: ['movedTo', number],
  scheduleDeletedAtMs: ['deleted', number],
  waitedUntilMs: ['waited', number],
  ignored: ['ignored', v.optional(Ignored)],
  failedAtMs: ['failedAt', number],
  failedCode: ['failedCode', v.optional(FailedCode)],
  failedInternal: ['failedWhy', text],
  test: ['test', v.optional(v.boolean())],
  isUrgent: ['urgent', v.optional(v.boolean())],
  isSensitive: ['secret', v.optional(v.boolean())],
  userChangedAtMs: ['user', number],
  email: ['mail', text],
  number: ['num', text],
  ip: ['ip', text],
  agent: ['ua', text],
  requestHash: ['hash', text],
  erasedRecipients: ['mails', v.optional(v.array(v.string()))],
  revision: ['rev', number],
} as const satisfies Record<
  Exclude<keyof LogHead, 'routing' | 'messages' | 'request' | 'digest' | 'steps'>,
  Column
>;

/** Schema entries of a table, by short name. */
type ShortEntries<T extends Table> = { [K in keyof T as T[K][0]]: T[K][1] };

/** The fields of a table, by long name, of items that its schema has parsed. */
type LongFields<T extends Table> = { [K in keyof T]: v.InferOutput<T[K][1]> };

const bytes = v.optional(v.instance(Uint8Array));

export const StoredHead = v.object({
  ...entriesOf(HEAD_FIELDS),
  routes: v.optional(v.record(v.string(), v.object(entriesOf(ROUTING_FIELDS))), {}),
  msgs: v.optional(v.array(v.string()), []),
  req: bytes,
  blob: text,
  steps: text,
  digest: bytes,
  digestBlob: text,
  shownUntil: v.optional(v.number()),
  kept: v.optional(v.number()),
  /** Its content was removed. */
  bare: v.optional(v.boolean()),
  expiresAt: v.number(),
});

export type StoredHead = v.InferOutput<typeof StoredHead>;

/** Each column under its short name. */
function entriesOf<T extends Table>(table: T): ShortEntries<T> {
  return Object.fromEntries(Object.values(table)) as ShortEntries<T>;
}

/**
 * True if a head's item is past its retention, because items can be kept longer and TTL deletes late. With `isHidden`, true if it
 * is past the extra time for which a log without an outcome is kept.
 */
export function isExpired(item: Item, nowMs: number, options?: { isHidden: boolean }): boolean {
  const kept = options?.isHidden ? item.kept : undefined;
  return Number(kept ?? item.shownUntil ?? item.expiresAt ?? Number.POSITIVE_INFINITY) * 1000 <= nowMs;
}

/**
 * A head with its expiry, epoch seconds: `expiresAtSeconds` is the end of retention, until which the log is shown,
 * `keptUntilSeconds` the time until which it and its events are stored.
 */
export type StoredLogHead = LogHead & {
  expiresAtSeconds: number;
  keptUntilSeconds?: number;
  /** Name of the object that has its request. */
  blob?: string;
};

/** True if the person of a notification was erased from its log. A notification to a topic has none. */
export function isErasedHead({ userId, notificationId, topicId }: LogHead): boolean {
  return userId === '' && notificationId !== '' && topicId === undefined;
}

/** Returns when the notification was last requested: received, or changed while it waited. */
export function requestedAtMs(head: LogHead): number {
  return head.scheduleUpdatedAtMs ?? head.receivedAtMs;
}

/** The attributes of a head's item, without keys, request and expiry. */
export function shortHead(head: LogHead): Item {
  const item = shortened(HEAD_FIELDS, head);
  const decided = CHANNELS.flatMap((channel) => {
    const routing = head.routing[channel];
    return routing ? [[channel, shortened(ROUTING_FIELDS, routing)]] : [];
  });
  if (decided.length > 0) item.routes = Object.fromEntries(decided);
  if (head.messages.length > 0) item.msgs = head.messages;
  if (head.steps) item.steps = packSteps(head.steps);
  return item;
}

export function longHead(stored: StoredHead, request: SendRequest): StoredLogHead {
  const fields = lengthened(HEAD_FIELDS, stored);
  const steps = stored.steps === undefined ? undefined : unpackSteps(stored.steps);
  const startAtMs = fields.processedAtMs ?? fields.scheduledForMs ?? fields.receivedAtMs;
  const routing: Partial<Record<Channel, ChannelRouting>> = {};
  for (const channel of CHANNELS) {
    const short = stored.routes[channel];
    if (!short) continue;
    const isWaiting = short.r === 'SCHEDULE';
    const dueAtMs = steps && isWaiting ? plannedDueAtMs(steps, channel, startAtMs) : undefined;
    routing[channel] = { ...lengthened(ROUTING_FIELDS, short), ...defined({ dueAtMs }) };
  }
  return {
    ...fields,
    ...defined({ steps }),
    routing,
    messages: stored.msgs,
    request,
    expiresAtSeconds: stored.shownUntil ?? stored.expiresAt,
    keptUntilSeconds: stored.kept ?? stored.shownUntil ?? stored.expiresAt,
  };
}

/** The fields under their short names, without undefined fields. */
function shortened(table: Table, fields: Item): Item {
  const item: Item = {};
  for (const long in table) {
    const value = fields[long];
    if (value !== undefined) item[table[long]?.[0] ?? long] = value;
  }
  return item;
}

/** The opposite of `shortened`. The schema of `stored` is the table's, so its values have the table's types. */
function lengthened<T extends Table>(table: T, stored: Item): Defined<LongFields<T>> {
  const fields: Item = {};
  for (const [long, [short]] of Object.entries(table)) {
    if (stored[short] !== undefined) fields[long] = stored[short];
  }
  return fields as Defined<LongFields<T>>;
}

import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import type { PhoneEstimate } from '../../../domain/costs/phone-costs.ts';
import type { HeadState, LogEvent, LogHead } from '../../../domain/logs/log.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../schemas/channel.ts';
import type { Stage } from '../../../schemas/logs/stage.ts';
import { readStored } from '../../items/stored.ts';
import { FAILED_FEED, FAILED_SHARDS, feedKeys } from '../../keys/indexes.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../keys/key.ts';
import { eventKey, readEventSk } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { StoredEstimate } from './log-event.ts';
import { StoredHead } from './log-head.ts';

/** The owner and expiry of an event's log; workers and webhooks route by it. */
export type EventOwner = {
  accountId: string;
  environmentId: string;
  userId: string;
  notificationId: string;
  /** Epoch seconds until which the log is kept. */
  expiresAtSeconds: number;
  /** True for the log of a digest's message. */
  isDigest?: boolean | undefined;
  /** True if the notification has metadata, which a webhook call reads from its head. */
  hasMetadata?: boolean | undefined;
  /** True if a failure may start the notification's next step early. */
  startsOnFailure?: boolean | undefined;
  /** True if the content is removed when the last channel has its outcome. */
  isSensitive?: boolean | undefined;
  /** True if the person was erased from the log: it accepts what happened and when, never whom. */
  isErased?: boolean | undefined;
};

/**
 * The response that a stored text message needs: the notification's automatic reply, the only confirmation of an opt-out, or the
 * end of an opt-out, with the reply if the notification has one.
 */
export const TextAnswer = v.object({
  kind: v.picklist(['auto_reply', 'opt_out', 'opt_in', 'help']),
  message: v.optional(v.string()),
});
export type TextAnswer = v.InferOutput<typeof TextAnswer>;

type Named = EventOwner & { trackingId: string };

/** The head of a log as the stream and redrive see it: the decisions, without the request. */
export type HeadItem = Named & {
  kind: 'head';
  state: HeadState | undefined;
  routes: {
    channel: Channel;
    routing: string;
    reason?: string | undefined;
    failureCode?: string | undefined;
  }[];
  topicId?: string | undefined;
  /** False for a change of a stored head. */
  isNew: boolean;
  receivedAtMs: number;
  isUrgent: boolean;
  /** True if the item changed only because it is kept longer than its log is shown, or because its content was removed. */
  isKeptLonger: boolean;
  /** The outcome of the notification as a whole. */
  course: Pick<
    LogHead,
    | 'ignored'
    | 'processedAtMs'
    | 'scheduledForMs'
    | 'scheduleUpdatedAtMs'
    | 'scheduleDeletedAtMs'
    | 'failedAtMs'
    | 'failedCode'
  >;
};

export type EventItem = Named & {
  kind: 'event';
  channel: Channel;
  stage: Stage;
  seq?: string | undefined;
  atMs: number;
  fields: Record<string, unknown>;
  estimate?: PhoneEstimate | undefined;
  /** Of a report: the kind of provider that it came from. */
  provider?: string | undefined;
  /** Fields of the delivery, where the sending was that too. */
  delivered?: Record<string, unknown> | undefined;
  answer?: TextAnswer | undefined;
  /** Of an inbound message. */
  message?: Record<string, unknown> | undefined;
  /** Raises no webhook call: responding to it could start a loop. */
  isAutomatic: boolean;
};

/** The item of an event. One without an expiry has no end. */
export async function eventItem(
  trackingId: string,
  owner: Omit<EventOwner, 'expiresAtSeconds'> & { expiresAtSeconds: number | undefined },
  event: LogEvent,
  extra: Item = {},
  preview?: Uint8Array,
): Promise<Item> {
  return {
    ...eventKey(trackingId, event.channel, event.stage, event.seq),
    a: owner.accountId,
    e: owner.environmentId,
    u: owner.userId,
    n: owner.notificationId,
    at: event.atMs,
    ...(owner.isErased
      ? await anonymousContent({ f: event.fields, d: event.delivered })
      : contentOf(event, preview)),
    g: owner.isDigest || undefined,
    m: owner.hasMetadata,
    c: event.carrier,
    w: event.progress,
    est: event.estimate,
    by: event.provider,
    next: owner.startsOnFailure || undefined,
    ...(owner.isErased ? {} : extra),
    ...(event.stage === 'failed' ? failedKeys(trackingId, owner, event) : {}),
    expiresAt: owner.expiresAtSeconds,
  };
}

const contentOf = ({ fields, delivered }: LogEvent, preview: Uint8Array | undefined) => ({
  f: fields,
  d: delivered,
  p: preview,
});

/**
 * The fields of an event, and of the delivery it includes, as an erased log has them. The list of all fields is loaded
 * only for that.
 */
export async function anonymousContent({ f, d }: Item): Promise<{ f: object; d: object | undefined }> {
  const { anonymousFields } = await import('../../../domain/logs/erased-fields.ts');
  return { f: anonymousFields(Object(f)), d: d === undefined ? undefined : anonymousFields(Object(d)) };
}

const Owned = {
  pk: v.string(),
  sk: v.string(),
  a: v.optional(v.string(), ''),
  e: v.optional(v.string(), ''),
  u: v.optional(v.string(), ''),
  n: v.optional(v.string(), ''),
  m: v.optional(v.boolean()),
  expiresAt: v.optional(v.number(), 0),
};
const Head = v.object({
  ...Owned,
  ...v.partial(
    v.pick(StoredHead, [
      'state',
      'ignored',
      'done',
      'due',
      'moved',
      'deleted',
      'failedAt',
      'failedCode',
      'urgent',
      'bare',
      'topic',
    ]),
  ).entries,
  at: v.optional(v.number(), 0),
  routes: v.optional(
    v.record(
      v.string(),
      v.object({ r: v.string(), why: v.optional(v.string()), code: v.optional(v.string()) }),
    ),
    {},
  ),
  digest: v.optional(v.unknown()),
  digestBlob: v.optional(v.string()),
  shownUntil: v.optional(v.number()),
  kept: v.optional(v.number()),
});
const Event = v.object({
  ...Owned,
  at: v.number(),
  f: v.record(v.string(), v.unknown()),
  g: v.optional(v.boolean()),
  d: v.optional(v.record(v.string(), v.unknown())),
  est: v.optional(StoredEstimate),
  by: v.optional(v.string()),
  answer: v.optional(TextAnswer),
  record: v.optional(v.record(v.string(), v.unknown())),
  isAutomatic: v.optional(v.boolean(), false),
});

/** Reads an item of a log; undefined for one of another kind. Throws when it cannot be read. */
export function readLogItem(item: Item): HeadItem | EventItem | undefined {
  const sk = String(item.sk);
  if (!String(item.pk).startsWith(LOG_PK_PREFIX)) return undefined;
  if (sk === 'HEAD') return headOf(readStored('log head', Head, item));
  return eventOf(item);
}

/** Reads the insertion or change in a stream record; undefined for a removal and for items of other kinds. */
export function readStreamRecord(record: DynamoDBRecord): HeadItem | EventItem | undefined {
  const image = record.dynamodb?.NewImage;
  if (record.eventName === 'REMOVE' || !image) return undefined;
  const item = readLogItem(plainItem(image));
  if (!item || record.eventName === 'INSERT') return item;
  // Events are appended once: a change of one is not a new stage.
  return item.kind === 'head' ? { ...item, isNew: false } : undefined;
}

/** `aws-lambda` and the SDK describe one and the same wire form. */
function plainItem(image: NonNullable<DynamoDBRecord['dynamodb']>['NewImage']): Item {
  return unmarshall(image as Parameters<typeof unmarshall>[0]);
}

function headOf(stored: v.InferOutput<typeof Head>): HeadItem {
  const { digest, digestBlob, shownUntil, kept } = stored;
  const routes = CHANNELS.flatMap((channel) => {
    const decided = stored.routes[channel];
    const { r: routing, why: reason, code: failureCode } = decided ?? {};
    return routing === undefined ? [] : [{ channel, routing, reason, failureCode }];
  });
  return {
    kind: 'head',
    ...ownerOfItem(stored, digest !== undefined || digestBlob !== undefined),
    state: stored.state,
    routes,
    topicId: stored.topic,
    isNew: true,
    receivedAtMs: stored.at,
    isUrgent: stored.urgent === true,
    isKeptLonger: stored.bare === true || (shownUntil !== undefined && stored.expiresAt !== kept),
    course: defined({
      ignored: stored.ignored,
      processedAtMs: stored.done,
      scheduledForMs: stored.due,
      scheduleUpdatedAtMs: stored.moved,
      scheduleDeletedAtMs: stored.deleted,
      failedAtMs: stored.failedAt,
      failedCode: stored.failedCode,
    }),
  };
}

function eventOf(item: Item): EventItem | undefined {
  const { channel, stage, seq } = readEventSk(String(item.sk)) ?? {};
  if (!channel || !stage) return undefined;
  const stored = readStored('log event', Event, item);
  return {
    kind: 'event',
    ...ownerOfItem(stored, stored.g === true),
    channel,
    stage,
    seq,
    atMs: stored.at,
    fields: stored.f,
    delivered: stored.d,
    estimate: stored.est,
    provider: stored.by,
    answer: stored.answer,
    message: stored.record,
    isAutomatic: stored.isAutomatic,
  };
}

type Owned = {
  pk: string;
  a: string;
  e: string;
  u: string;
  n: string;
  m?: boolean | undefined;
  expiresAt: number;
};

function ownerOfItem({ pk, a, e, u, n, m, expiresAt }: Owned, isDigest: boolean): Named {
  return {
    trackingId: trackingIdOfPk(pk),
    accountId: a,
    environmentId: e,
    userId: u,
    notificationId: n,
    expiresAtSeconds: expiresAt,
    isDigest: isDigest || undefined,
    hasMetadata: m,
  };
}

/** Failures have a sparse feed, so that listing the latest failures is a cheap query. Successes write no entry. */
function failedKeys(
  trackingId: string,
  { environmentId }: Pick<EventOwner, 'environmentId'>,
  event: LogEvent,
) {
  const shard = shardOf(trackingId, FAILED_SHARDS);
  return feedKeys(
    environmentId,
    FAILED_FEED,
    shard,
    event.atMs,
    `${trackingId}#${event.channel && LOG_PREFIX[event.channel]}`,
  );
}

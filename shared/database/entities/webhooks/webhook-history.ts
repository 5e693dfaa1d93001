import * as v from 'valibot';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import {
  CALL_OUTCOMES,
  type CallOutcome,
  type MadeCall,
  WebhookAttempt,
  type WebhookCall,
  WebhookEvent,
} from '../../../schemas/logs/webhook.ts';
import { type Database, database } from '../../database.ts';
import { findReadable, readStored } from '../../items/stored.ts';
import { WEBHOOK_ATTEMPT_SHARDS, webhookAttemptsPk, webhookHistoryKey } from '../../keys/environment.ts';
import type { Item } from '../../table.ts';
import type { Webhook } from './stored-webhook.ts';

/** Most calls that a page reads: further matches are on the next page. */
const EXAMINED_MAX = 1000;
const ATTEMPTS_SHOWN = 20;
const CLAIM_MS = 10 * 60_000;
const KEPT_SECONDS = 30 * DAY_SECONDS;
/** Sort before and after every key. */
const FIRST = '0';
const LAST = '\uffff';

const Attempt = v.omit(WebhookAttempt, ['webhookMessageId', 'eventType']);
type Attempt = v.InferOutput<typeof Attempt>;

/** One item per call: `a1`, `a2` and so on are its attempts, so that recording one twice changes nothing. */
const StoredHistory = v.objectWithRest(
  {
    webhookMessageId: v.string(),
    eventType: WebhookEvent,
    outcome: v.picklist(CALL_OUTCOMES),
    trackingId: v.optional(v.string()),
    sk: v.string(),
  },
  v.unknown(),
);

type Owner = Pick<Webhook, 'environmentId' | 'webhookId'>;
type Recorded = Pick<WebhookCall, 'id' | 'eventType' | 'log' | 'firstAtMs'>;

/** Selects calls by the time of their first attempt, event and outcome. */
type Filter = {
  fromMs?: number | undefined;
  toMs?: number | undefined;
  event?: string | undefined;
  outcome?: string | undefined;
};

/** The calls of webhooks, for 30 days. */
function createWebhookHistory(table: Database) {
  /** The newest calls before `before`, merged over the partitions. */
  async function readNewest(webhook: Owner, { from, before, limit }: Range): Promise<Read> {
    const { environmentId, webhookId } = webhook;
    const pages = await Promise.all(
      Array.from({ length: WEBHOOK_ATTEMPT_SHARDS }, (_, shard) =>
        table.query({
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
          ExpressionAttributeValues: {
            ':pk': webhookAttemptsPk(environmentId, webhookId, shard),
            ':from': from,
            ':before': before,
          },
          ScanIndexForward: false,
          Limit: limit,
        }),
      ),
    );
    // What a partition has not returned yet may be newer than the oldest of another.
    const ends = pages.flatMap(({ items, lastKey }) => (lastKey ? [skOf(items.at(-1) ?? lastKey)] : []));
    const end = ends.sort().at(-1);
    const isComplete = (sk: string) => sk < before && (end === undefined || sk >= end);
    const items = pages.flatMap((page) => page.items).filter((item) => isComplete(skOf(item)));
    return {
      items: items.sort((left, right) => (skOf(left) < skOf(right) ? 1 : -1)),
      isEnd: end === undefined,
    };
  }

  async function read(
    { environmentId, webhookId }: Owner,
    { firstAtMs = 0, id }: Pick<Recorded, 'id' | 'firstAtMs'>,
  ): Promise<MadeCall | undefined> {
    const key = webhookHistoryKey(environmentId, webhookId, isoOf(firstAtMs), id);
    const item = await table.get(key, { consistent: true });
    return item && readCall(item);
  }

  return {
    /** Stores an attempt of a call with the outcome so far: one write. Without an attempt, only the outcome. */
    async record(
      webhook: Owner,
      { id, eventType, log, firstAtMs }: Recorded,
      { attempt, outcome, nowMs }: { attempt?: Attempt | undefined; outcome: CallOutcome; nowMs: number },
    ): Promise<void> {
      const set = {
        webhookMessageId: id,
        eventType,
        outcome,
        expiresAt: secondsAfter(nowMs, KEPT_SECONDS),
        ...defined({ trackingId: log?.trackingId }),
        ...(attempt && { [`a${attempt.attempt}`]: attempt }),
      };
      const names = Object.keys(set);
      const firstAt = isoOf(firstAtMs ?? (attempt ? Date.parse(attempt.at) : nowMs));
      await table.update(
        webhookHistoryKey(webhook.environmentId, webhook.webhookId, firstAt, id),
        `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} REMOVE resendAtMs`,
        {
          names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          values: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        },
      );
    },

    /** Calls that match, newest first. An empty page may have a `next`: each reads a bounded number of calls. */
    async list(
      webhook: Owner,
      { fromMs = 0, toMs, event, outcome }: Filter,
      { limit, after }: { limit: number; after: string | undefined },
    ): Promise<{ calls: MadeCall[]; next?: string }> {
      const calls: MadeCall[] = [];
      const from = isoOf(fromMs);
      let before = after ?? (toMs === undefined ? LAST : `${isoOf(toMs)}${LAST}`);
      for (let examined = 0; examined < EXAMINED_MAX; ) {
        const { items, isEnd } = await readNewest(webhook, { from, before, limit: limit + 1 });
        for (const item of items) {
          const call = await readCall(item);
          if (
            call &&
            (event ?? call.eventType) === call.eventType &&
            (outcome ?? call.outcome) === call.outcome
          ) {
            if (calls.length === limit) return { calls, next: before };
            calls.push(call);
          }
          before = skOf(item);
        }
        if (isEnd) return { calls };
        examined += items.length;
      }
      return { calls, next: before };
    },

    async find(webhook: Owner, callId: string): Promise<MadeCall | undefined> {
      const [, at = '', id = ''] = CALL_ID.exec(callId) ?? [];
      return id ? read(webhook, { firstAtMs: Number.parseInt(at, 36), id }) : undefined;
    },

    /** The call of a later attempt. */
    findOf: read,

    /**
     * True if the call may be sent again now: false while another request asked for it and it was not made yet, for ten minutes, and
     * for a repetition of the last request once it was made.
     */
    async claimResend(
      { environmentId, webhookId }: Owner,
      { at, webhookMessageId }: MadeCall,
      creation: Creation,
      nowMs: number,
    ): Promise<boolean> {
      const key = webhookHistoryKey(environmentId, webhookId, at, webhookMessageId);
      const outcome = await table.update(key, 'SET resendAtMs = :now, resendMark = :mark', {
        condition:
          'attribute_exists(pk) AND (attribute_not_exists(resendAtMs) OR resendAtMs < :stale) AND (attribute_not_exists(resendMark) OR resendMark <> :mark)',
        values: { ':now': nowMs, ':stale': nowMs - CLAIM_MS, ':mark': creation.mark ?? creation.id },
      });
      if (outcome.written) return true;
      const { resendMark, resendAtMs } = outcome.current ?? {};
      // The process may have died before the message: a repetition sends it, and the same attempt is made once.
      return isRepetition(creation, String(resendMark)) && resendAtMs !== undefined;
    },

    /** The last 20 attempts of the newest calls, newest first. */
    async lastAttempts(webhook: Owner): Promise<WebhookAttempt[]> {
      const { items } = await readNewest(webhook, { from: FIRST, before: LAST, limit: ATTEMPTS_SHOWN });
      const calls = await Promise.all(items.slice(0, ATTEMPTS_SHOWN).map(readCall));
      return calls
        .flatMap((call) =>
          (call?.attempts ?? []).map((attempt) => ({
            webhookMessageId: call?.webhookMessageId ?? '',
            eventType: call?.eventType ?? 'EMAIL_OPEN',
            ...attempt,
          })),
        )
        .sort((left, right) => (left.at < right.at ? 1 : -1))
        .slice(0, ATTEMPTS_SHOWN);
    },
  };
}

type Range = { from: string; before: string; limit: number };
type Read = { items: Item[]; isEnd: boolean };

const skOf = ({ sk }: Item): string => String(sk);

/** `mh3k2l1a.msg_018f…`: the time of the first attempt and the header webhook-id. */
const CALL_ID = /^([0-9a-z]{8,9})\.(msg_[\w-]{1,64})$/;

/** Undefined for an attempt that an earlier release stored, which expires within a week. */
async function readCall(item: Item): Promise<MadeCall | undefined> {
  if (item.outcome === undefined) return undefined;
  return findReadable(async () => {
    const { webhookMessageId, eventType, outcome, trackingId, sk, ...rest } = readStored(
      'webhook call',
      StoredHistory,
      item,
    );
    const at = sk.slice(0, sk.indexOf('#'));
    const attempts = Object.entries(rest)
      .filter(([name]) => /^a\d+$/.test(name))
      .map(([, value]) => readStored('webhook attempt', Attempt, value as Item))
      .sort((left, right) => left.attempt - right.attempt);
    const callId = `${Date.parse(at).toString(36)}.${webhookMessageId}`;
    return { callId, webhookMessageId, eventType, ...defined({ trackingId }), at, outcome, attempts };
  });
}

export const webhookHistory = dependency('webhookHistory', () => createWebhookHistory(resolve(database)));

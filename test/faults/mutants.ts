import { DUE_SHARDS, indexTime } from '../../shared/database/keys/indexes.ts';
import type { Item } from '../../shared/database/table.ts';
import { clock, resolve } from '../../shared/runtime/dependency.ts';
import {
  changed,
  changedAfterwards,
  changedOnRead,
  countingReceives,
  hidden,
  type Mutant,
  ofKind,
  unconditional,
  unlisted,
} from './mutant.ts';

/** Each guard, and what notices that it is gone. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'attempts are not recorded before the provider is called again',
    scenarios: ['SMS', 'EMAIL', 'PUSH', 'WEB_PUSH', 'CALL', 'CHAT'],
    outage: 'writes to logs',
    skips: ofKind('LOG#', /^EVENT#\w+#attempt/),
  },
  {
    name: 'calls are not recorded before the webhook is called again',
    scenarios: ['a webhook call that cannot be recorded'],
    skips: ofKind('LOG#', /^EVENT#\w+#webhook_attempt/),
  },
  {
    name: 'the record of an earlier call of the webhook is not read',
    scenarios: ['a webhook call of which only the log has a record'],
    table: hidden(ofKind('LOG#', /^EVENT#\w+#webhook#/)),
  },
  {
    name: 'replies are not recorded before they are sent again',
    scenarios: [
      'an automatic reply that cannot be recorded',
      'a confirmation of STOP that cannot be recorded',
    ],
    skips: ofKind('LOG#', /^EVENT#\w+#reply_attempt/),
  },
  {
    name: 'a deliverer does not look for the outcome of an earlier receive',
    scenarios: ['SMS'],
    table: hidden(ofKind('LOG#', /^EVENT#\w+#sent/)),
  },
  {
    name: 'receipts are recorded again',
    scenarios: ['receipts of an email, one of them twice'],
    table: unconditional(ofKind('LOG#', /^EVENT#email#(delivered|opened|clicked)/)),
  },
  {
    name: 'two flushers may close a digest',
    scenarios: ['a digest of two'],
    table: unconditional(ofKind('DIGEST#', /^BUCKET$/)),
  },
  {
    name: 'a digest takes items that another has taken',
    scenarios: ['a digest of two', 'a digest that collects while it is flushed'],
    table: unconditional(ofKind('LOG#', /^EVENT#\w+#digest/)),
  },
  {
    name: 'of a cancellation and the due moment, both win',
    scenarios: ['cancelled at the moment it is due'],
    table: unconditional(ofKind('LOG#', /^HEAD$/)),
  },
  {
    name: 'an idempotency key may be used again',
    scenarios: ['one request twice concurrently'],
    table: unconditional(ofKind('LOG#', /^HEAD$/)),
  },
  {
    name: 'of two records of progress, both are written',
    scenarios: ['steps, cancelled as one is due'],
    table: unconditional(ofKind('LOG#', /^EVENT#steps#progress/)),
  },
  {
    name: 'a mark of having been seen is not read',
    scenarios: ['steps, seen in the app'],
    table: hidden(ofKind('USER#', /^INAPP#/)),
  },
  {
    name: 'usage does not store how far the stream is counted',
    scenarios: ['SMS'],
    table: changed(ofKind('USAGE#', /./), (item) => ({ ...item, positions: {} })),
  },
  {
    name: 'two requests at once pass the throttle',
    scenarios: ['throttled, two concurrently'],
    table: unconditional(ofKind('USER#', /^THROTTLE#/)),
  },
  {
    name: 'two equal requests at once are both sent',
    scenarios: ['deduplicated, two concurrently'],
    table: unconditional(ofKind('USER#', /^DEDUP#/)),
  },
  {
    name: 'an opt-out is not read',
    scenarios: ['STOP while a text waits for its provider'],
    table: hidden(ofKind('SMSOPTOUT#', /./)),
  },
  {
    name: 'a suppression is not stored',
    scenarios: ['a bounce that suppresses'],
    skips: ofKind('SUPPRESSION#', /./),
  },
  {
    name: 'a waiting webhook call may be claimed twice',
    scenarios: ['a webhook that fails to the last retry'],
    table: unconditional(ofKind('WEBHOOKCALL#', /./)),
  },
  {
    name: 'a user row that cannot be read counts as missing',
    scenarios: ['a template of PUSH', 'a template of WEB_PUSH'],
    outage: 'the rows of users',
    forgives: /^table get USER/,
  },
  {
    // A delivery reads both: a fault in the first read would hide a fault in the second.
    name: 'a template or type that cannot be read counts as missing',
    scenarios: ['a template of CALL', 'a template of SMS'],
    outage: 'types and templates',
    forgives: /^table get (TEMPLATES|ENV)/,
  },
  {
    name: 'an account row that cannot be read counts as missing',
    scenarios: ['an account that is disabled before anything is delivered'],
    outage: 'the rows of accounts',
    forgives: /^table get ACCOUNT ACCOUNT/,
  },
  {
    name: 'a fault of this service ends the message',
    scenarios: ['a template of CHAT'],
    outage: 'the keys',
    isFaultFinal: true,
  },
  {
    name: 'a fault of this service ends the delivery',
    scenarios: ['a template of SMS', 'a template of EMAIL'],
    outage: 'the rows of accounts',
    isFaultFinal: true,
  },
  {
    name: 'receives count as calls of the provider',
    scenarios: ['a provider that is busy at first'],
    outage: 'the rows of users',
    table: countingReceives,
  },
  {
    name: 'an in-app item that cannot be pushed has failed',
    scenarios: ['an open socket'],
    outage: 'the sockets',
    needsSocket: true,
  },
  {
    name: 'outcomes are recorded with their batch',
    scenarios: ['one of a batch for which the provider never responds'],
    recordsWithBatch: true,
  },
  {
    name: 'the mark of a deleted user is not read',
    scenarios: ['a user is deleted, whose logs cannot be listed at first'],
    table: hidden(ofKind('ERASED#', /./)),
  },
  {
    name: 'two requests under one key may both change contact data',
    scenarios: ['two concurrent requests under one key'],
    table: unconditional(ofKind('CLAIM#idempotency', /./)),
  },
  {
    name: 'messages that a queue rejected count as sent',
    scenarios: ['SMS', 'scheduled'],
    isRefusalHidden: true,
  },
  {
    name: 'redrive lists by the time of acceptance only',
    scenarios: ['a schedule whose start the stream lost', 'a digest whose message the stream lost'],
    table: unlisted('READY#'),
  },
  {
    name: 'a large item of a digest is stored with its request',
    scenarios: ['a digest of large items'],
    table: changed(ofKind('DIGEST#', /^ITEM#/), (item) =>
      item.request === undefined ? { ...item, request: new Uint8Array(500_000) } : item,
    ),
  },
  {
    name: 'a head without an outcome expires with its retention',
    scenarios: ['a day of retention, and a stream that is broken for longer'],
    table: changed(ofKind('LOG#', /^HEAD$/), (item) =>
      item.shownUntil === undefined ? item : { ...item, expiresAt: item.shownUntil },
    ),
  },
  {
    name: 'a price is requested with the first receipt only',
    scenarios: ['the price of a text and of a call'],
    isPriceOfNewOnly: true,
  },
  {
    name: 'the thread of a text is not stored before it is sent',
    scenarios: ['STOP is confirmed once, and obeyed', 'a text message gets an automatic reply'],
    skips: ofKind('SMSTHREAD#', /./),
  },
  {
    name: 'a late sweep starts at the present',
    scenarios: ['scheduled'],
    table: changedOnRead(ofKind('DEPLOYMENT', /^SWEEP$/), (item) => ({
      ...item,
      positions: Array.from({ length: DUE_SHARDS }, () => indexTime(resolve(clock).now())),
    })),
  },
  {
    name: 'the time that a function has left is not checked',
    scenarios: [
      'a provider that takes nearly all the time',
      'emails with slow attachments that wait for their turn',
    ],
    isTimeUnlimited: true,
  },
  {
    name: 'one broken message fails all due ones with it',
    scenarios: ['a broken message among due ones'],
    failsWholeBatches: 'make-ready',
  },
  {
    name: 'a counter stores the positions of the last 24 stream shards only',
    scenarios: ['usage over thirty stream shards'],
    table: changedAfterwards(ofKind('USAGE#', /./), newestPositions),
  },
  {
    name: 'messages keep characters that queues reject',
    scenarios: ['a text message comes in that no queue accepts as it is'],
    isUnescaped: true,
  },
  {
    name: 'redrive does not raise webhook calls again',
    scenarios: ['outcomes whose records the stream lost'],
    isOfOperator: true,
    loses: /^call-webhooks/,
  },
  {
    name: 'usage is not counted again',
    scenarios: ['outcomes whose records the stream lost'],
    isOfOperator: true,
    skips: ofKind('USAGE#', /./),
  },
  {
    name: 'redrive does not confirm an opt-out again',
    scenarios: ['STOP whose record the stream lost'],
    isOfOperator: true,
    loses: /^answer-texts/,
  },
  {
    name: 'a cancellation may not be repeated',
    scenarios: ['scheduled, then cancelled'],
    table: changedOnRead(ofKind('LOG#', /^HEAD$/), ({ deleted: _, ...item }) => item as Item),
  },
  {
    name: 'a delivery that is postponed is not stored',
    scenarios: ['an email that is postponed, then moved'],
    skips: ofKind('RETRY#', /./),
  },
  {
    name: 'an export that was interrupted is not continued',
    scenarios: ['an export of a user'],
    table: changed(ofKind('EXPORT#', /./), ({ duePk: _, dueSk: __, ...item }) => item as Item),
  },
  {
    name: 'what waits for its turn is lost',
    scenarios: ['messages that wait for their turn'],
    loses: /^make-ready/,
  },
  {
    name: 'what others store of a user leaves no trace',
    scenarios: ['a user is deleted', 'a user is deleted while something waits'],
    skips: ofKind('USER#', /^TRACE#/),
  },
];

/** The item with the last of its positions, by the names of their shards. */
function newestPositions(item: Item): Item {
  const positions = Object.entries(item.positions ?? {}).sort(([, left], [, right]) =>
    left < right ? -1 : 1,
  );
  return { ...item, positions: Object.fromEntries(positions.slice(-24)) };
}

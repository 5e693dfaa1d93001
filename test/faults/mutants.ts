import type { Database } from '../../shared/database/database.ts';
import type { Item } from '../../shared/database/table.ts';
import type { TransactAction } from '../../shared/database/transactions.ts';
import type { OutageName } from './faults.ts';

type Named = { pk?: unknown; sk?: unknown };
type Which = (item: Named) => boolean;

/** A guard that is removed, to show that the runs notice. */
export type Mutant = {
  /** What no longer holds. */
  name: string;
  /** The scenarios that notice, and the outage in which they do; without one, under a single fault. */
  scenarios: readonly string[];
  outage?: OutageName;
  table?(table: Database): Database;
  /** Items that nobody tries to store. */
  skips?: Which;
  /** Queues that refuse messages and do not say so. */
  isRefusalHidden?: boolean;
  /** The price of a message is requested with the first receipt only. */
  isPriceOfNewOnly?: boolean;
  /** Reads whose failure counts as a missing item. */
  forgives?: RegExp;
};

const ofKind =
  (pk: string, sk: RegExp): Which =>
  (item) =>
    String(item.pk).startsWith(pk) && sk.test(String(item.sk));

const namedIn = (action: TransactAction): Named => {
  if ('put' in action) return action.put;
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
};

/** Writes of these items succeed whatever is there. */
function unconditional(isIt: Which) {
  const without = <T extends { condition?: string }>(options: T | undefined): Omit<T, 'condition'> => {
    const { condition: _, ...rest } = options ?? ({} as T);
    return rest;
  };
  return (table: Database): Database => ({
    ...table,
    put: (item, options) => table.put(item, isIt(item) ? without(options) : options),
    update: (key, expression, options) =>
      table.update(key, expression, isIt(key) ? without(options) : options),
    transact: (actions, options) =>
      table.transact(
        actions.map((action) =>
          isIt(namedIn(action)) && !('check' in action) ? (without(action) as TransactAction) : action,
        ),
        options,
      ),
  });
}

/** These items are not found. */
function hidden(isIt: Which) {
  const seen = (item: Item | undefined) => (item && isIt(item) ? undefined : item);
  return (table: Database): Database => ({
    ...table,
    get: async (key, options) => seen(await table.get(key, options)),
    batchGet: async (keys, options) => (await table.batchGet(keys, options)).map(seen),
    queryAll: async (pk, prefix, options) =>
      (await table.queryAll(pk, prefix, options)).filter((item) => !isIt(item)),
  });
}

/** These items are stored with what `change` makes of them. */
const changed =
  (isIt: Which, change: (item: Item) => Item) =>
  (table: Database): Database => ({
    ...table,
    put: (item, options) => table.put(isIt(item) ? change(item) : item, options),
  });

/** These items read as what `change` makes of them. */
const changedOnRead =
  (isIt: Which, change: (item: Item) => Item) =>
  (table: Database): Database => ({
    ...table,
    get: async (key, options) =>
      isIt(key) ? change((await table.get(key, options)) ?? key) : table.get(key, options),
  });

/** Queries of these partitions find nothing. */
const unlisted =
  (prefix: string) =>
  (table: Database): Database => ({
    ...table,
    query: async (input) =>
      String(input.ExpressionAttributeValues?.[':pk']).startsWith(prefix)
        ? { items: [], lastKey: undefined }
        : table.query(input),
  });

/** Each guard, and what notices that it is gone. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'attempts are not recorded before the provider is called again',
    scenarios: ['SMS', 'EMAIL', 'PUSH', 'WEB_PUSH', 'CALL', 'CHAT'],
    outage: 'writes to logs',
    skips: ofKind('LOG#', /^EVENT#\w+#attempt/),
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
    scenarios: ['one request twice at once'],
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
    scenarios: ['throttled, two at once'],
    table: unconditional(ofKind('USER#', /^THROTTLE#/)),
  },
  {
    name: 'two equal requests at once are both sent',
    scenarios: ['deduplicated, two at once'],
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
    name: 'a template that cannot be read counts as missing',
    scenarios: ['a template of CALL', 'a template of SMS'],
    outage: 'types and templates',
    forgives: /^table get TEMPLATES/,
  },
  {
    name: 'two requests under one key may both change contact data',
    scenarios: ['two requests under one key at once'],
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
      untilMs: Number.MAX_SAFE_INTEGER,
    })),
  },
];

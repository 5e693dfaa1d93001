import { describe, expect, it, vi } from 'vitest';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import type { AcceptDependencies } from '../../../functions/sending/accept/accept.ts';
import { acceptBulk } from '../../../functions/sending/accept/accept-bulk.ts';
import { acceptDependencies } from '../../../functions/sending/accept/accept-dependencies.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { type SendingRules, sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, START_MS, type TestAccount } from '../../support/app.ts';
import { atMost } from '../../support/throttling.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');

type Result = {
  trackingId: string;
  messages: string[];
  error?: { code: string };
  routing?: { routing: string }[];
};
const mail = (id: string, more: object = {}) => ({
  type: 'news',
  to: { id, email: `${id}@example.com` },
  email: { subject: 's', html: 'h' },
  ...more,
});
async function bulk(account: TestAccount, notifications: unknown[], more: object = {}): Promise<Result[]> {
  const { status, json } = await call(sendBulk, {
    key: account.secret.key,
    body: { notifications },
    ...more,
  });
  expect(status).toBe(200);
  expect(json.results).toHaveLength(notifications.length);
  return json.results;
}
const outcomes = (results: Result[]) => results.map(({ error, messages }) => error?.code ?? messages.length);
const logged = async (account: TestAccount) => {
  const { json } = await call(listLogs, { key: account.secret.key, query: { limit: '100' } });
  return json.messages.map(({ trackingId }: Result) => trackingId);
};
const many = (count: number) => Array.from({ length: count }, (_, index) => mail(`user-${index}`));

describe('POST /send/bulk', () => {
  it('accepts 100 entries in order, each with its own log', async () => {
    const results = await bulk(account, many(100));
    expect(outcomes(results)).toEqual([1, ...Array(99).fill(0)]);
    const ids = results.map(({ trackingId }) => trackingId);
    expect(new Set(ids).size).toBe(100);
    expect((await logged(account)).sort()).toEqual([...ids].sort());
    expect(await recordOf(account, ids[41] ?? '')).toMatchObject({
      user_id: 'user-41',
      user_email: 'user-41@example.com',
      email_routing: 'SEND',
    });
    expect((await call(listTypes, { key: account.secret.key })).json).toHaveLength(1);
  });

  it('rejects each invalid entry with its own code and stores nothing for it', async () => {
    const results = await bulk(account, [
      mail('ada'),
      'not an object',
      { type: 'news' },
      { to: { id: 'x' } },
      mail('bad', { email: { subject: '{{', html: 'h' } }),
      mail('late', { schedule: 'tomorrow' }),
      mail('type', { type: 7 }),
      mail('bob'),
    ]);
    expect(outcomes(results)).toEqual([
      1,
      'INVALID_REQUEST',
      'MISSING_RECIPIENT',
      'MISSING_NOTIFICATION_TYPE',
      'INVALID_TEMPLATE',
      'INVALID_SCHEDULE_FORMAT',
      'INVALID_REQUEST',
      0,
    ]);
    expect(await logged(account)).toHaveLength(2);
    const bad = await call(getUser, { key: account.secret.key, path: { userId: 'bad' } });
    expect(bad.json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it.each([
    ['no entry', []],
    ['101 entries', many(101)],
    ['no list', 'x'],
  ])('returns 400 for %s', async (_, notifications) => {
    const { status, json } = await call(sendBulk, { key: account.secret.key, body: { notifications } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('evaluates each entry with the types and contact data of the entries before it', async () => {
    const bare = { ...mail('ada'), to: { id: 'ada' } };
    const results = await bulk(account, [bare, mail('ada'), bare, { ...bare, sms: { message: 'm' } }]);
    expect(outcomes(results)).toEqual([2, 0, 0, 1]);
  });

  it('creates no type that exists, however many entries use it', async () => {
    const created = vi.spyOn(resolve(notificationTypes), 'createIfMissing');
    for (const times of [1, 1]) {
      expect(outcomes(await bulk(account, many(3))).slice(1)).toEqual([0, 0]);
      expect(created).toHaveBeenCalledTimes(times);
    }
  });

  it('returns the same results to a full or partial repeat and sends nothing again', async () => {
    const headers = { 'Idempotency-Key': 'bulk-1' };
    const entries = [...many(30), mail('late', { schedule: '2026-11-22T00:00:00Z' })];
    const first = await bulk(account, entries, { headers });
    expect(await bulk(account, entries, { headers })).toEqual(first);
    const next = await bulk(account, [...entries, mail('new')], { headers });
    expect(next.slice(0, 31)).toEqual(first);
    const other = await bulk(account, [mail('other'), ...entries.slice(1)], { headers });
    expect(outcomes(other).slice(0, 2)).toEqual(['IDEMPOTENCY_KEY_REUSED', 0]);
    expect(await logged(account)).toHaveLength(32);
    const single = await call(send, { key: account.secret.key, headers, body: entries[0] });
    expect(single.json.trackingId).not.toBe(first[0]?.trackingId);
  });

  it('creates one notification per entry when five repeats are concurrent', async () => {
    const headers = { 'Idempotency-Key': 'bulk-1' };
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => bulk(account, many(10), { headers })),
    );
    for (const results of responses) expect(results).toEqual(responses[0]);
    expect(await logged(account)).toHaveLength(10);
  });

  it('throttles and deduplicates entries in order, also in a dry run', async () => {
    const throttling = atMost(2, 'days');
    const types = [
      { notificationId: 'throttled', throttling },
      { notificationId: 'once', deduplication: { duration: 3600 } },
    ];
    for (const type of types) {
      const body = { title: 't', channels: ['EMAIL'], ...type };
      expect((await call(createType, { key: account.secret.key, body })).status).toBe(200);
    }
    const entries = [
      ...Array.from({ length: 4 }, () => mail('ada', { type: 'throttled' })),
      ...Array.from({ length: 3 }, () => mail('ada', { type: 'once' })),
    ];
    const expected = [0, 0, 1, 1, 0, 1, 1];
    expect(outcomes(await bulk(account, entries, { query: { dryRun: 'true' } }))).toEqual(expected);
    expect(await logged(account)).toEqual([]);
    expect(outcomes(await bulk(account, entries))).toEqual(expected);
  });

  it('stops exactly at a cap', async () => {
    const { accountId, createdAt } = account.account;
    await app.database.put({
      ...organizationKey(accountId),
      ...{ organizationId: accountId, organizationType: 'paid', creator: 'a@example.com', name: 'Test' },
      ...{ messagesCap: 7, costCap: 1000, allowOverage: false, anchorDate: '2026-11-10' },
      ...{ createdAt, updatedAt: createdAt },
    });
    const results = await bulk(account, many(10));
    expect(outcomes(results)).toEqual([1, ...Array(6).fill(0), ...Array(3).fill('USAGE_LIMIT')]);
    expect(await logged(account)).toHaveLength(7);
  });

  it('returns the same results as a dry run of each entry', async () => {
    const [first] = await bulk(account, [mail('ada')], { query: { dryRun: 'true' } });
    expect(first?.routing?.[0]).toMatchObject({ routing: 'SEND', content: { subject: 's' }, missing: [] });
  });

  it('reports exactly the entries that fail to be written or are throttled, and stores every other entry once', async () => {
    const rules = resolve(sendingRules);
    let batches = 0;
    const commitNew: SendingRules['commitNew'] = async (heads) => {
      batches += 1;
      if (batches === 2) throw new Error('the table is out of order');
      if (batches > 2) return [...heads.slice(0, 3), ...(await rules.commitNew(heads.slice(3)))];
      return rules.commitNew(heads);
    };
    const { accountId } = account.account;
    const { environmentId } = account.environment;
    const caller = { kind: 'secret', accountId, environmentId, boundToEnvironment: false } as const;
    const facts = {
      id: 'request',
      receivedAtMs: START_MS,
      headers: {},
      ip: undefined,
      agent: undefined,
      rawQuery: '',
      rawBody: '',
    };
    const results = await acceptBulk(
      { ...resolvedDependencies(), sendingRules: { ...rules, commitNew } },
      { caller, facts, entries: many(60), dryRun: false },
    );
    const failed = results.filter((result) => 'error' in result);
    expect(failed).toHaveLength(28);
    expect(failed[0]).toMatchObject({ error: { code: 'INTERNAL' } });
    const ids = results.flatMap((result) => ('trackingId' in result ? [result.trackingId] : []));
    expect((await logged(account)).sort()).toEqual(ids.sort());
  });
});

function resolvedDependencies(): AcceptDependencies {
  return {
    accounts: resolve(acceptDependencies.accounts),
    addresses: resolve(acceptDependencies.addresses),
    domains: resolve(acceptDependencies.domains),
    sendingContexts: resolve(acceptDependencies.sendingContexts),
    users: resolve(acceptDependencies.users),
    notificationTypes: resolve(acceptDependencies.notificationTypes),
    idempotencyKeys: resolve(acceptDependencies.idempotencyKeys),
    logs: resolve(acceptDependencies.logs),
    sendingRules: resolve(acceptDependencies.sendingRules),
    smsOptOuts: resolve(acceptDependencies.smsOptOuts),
    suppressions: resolve(acceptDependencies.suppressions),
    usageCaps: resolve(acceptDependencies.usageCaps),
    erasureMarks: resolve(acceptDependencies.erasureMarks),
    userTraces: resolve(acceptDependencies.userTraces),
    templates: resolve(acceptDependencies.templates),
    components: resolve(acceptDependencies.components),
    topics: resolve(acceptDependencies.topics),
    translations: resolve(acceptDependencies.translations),
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as createEnvironment } from '../../../functions/environments/create-environment.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as tailLogs } from '../../../functions/logs/tail-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as saveTranslations } from '../../../functions/translations/save-translations.ts';
import { INBOUND_FEED, SMS_INBOUND_FEED } from '../../../shared/database/entities/logs/messages.ts';
import { accountKey } from '../../../shared/database/keys/account.ts';
import { feedKeys } from '../../../shared/database/keys/indexes.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

type Page = {
  messages: { trackingId: string; eventType: string; epochMs: number }[];
  nextCursor?: string;
};

async function sendAt(key: string, atMs: number): Promise<string> {
  app.clock.nowMs = atMs;
  const body = { type: 't', to: { id: 'ada', email: 'ada@example.com' }, email: { subject: 'S', html: 'h' } };
  return (await call(send, { key, body })).json.trackingId;
}

async function secondEnvironment(account: TestAccount): Promise<{ environmentId: string; key: string }> {
  const made = await call(createEnvironment, { key: account.secret.key, body: { title: 'staging' } });
  const environmentId = made.json.clientId;
  const body = { keyType: 'secret', name: 'staging', environmentId };
  const { key } = (await call(createKey, { key: account.secret.key, body })).json;
  return { environmentId, key };
}

const page = (key: string, query: Record<string, string> = {}) => call(listLogs, { key, query });
const idsOf = ({ messages }: Page) => messages.map(({ trackingId }) => trackingId);

async function putInbound(
  environmentId: string,
  kind: string,
  eventType: string,
  atMs: number,
): Promise<string> {
  const trackingId = newTrackingId(atMs);
  const record = { trackingId, eventType, timestamp: new Date(atMs).toISOString(), epochMs: atMs };
  await app.database.put({
    pk: logPk(trackingId),
    sk: 'EVENT#inbound',
    ...feedKeys(environmentId, kind, 0, atMs, trackingId),
    record,
  });
  return trackingId;
}

async function setShards(account: TestAccount, count: number): Promise<void> {
  await app.database.update(accountKey(account.account.accountId), 'SET feedShards = :count', {
    values: { ':count': count },
  });
}

async function allPages(key: string, query: Record<string, string>): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const { status, json } = await page(key, { ...query, ...(cursor ? { cursor } : {}) });
    expect(status).toBe(200);
    pages.push(json);
    cursor = json.nextCursor;
  } while (cursor);
  return pages;
}

/** Notifications and inbound messages of two environments on four shards, many in the same millisecond. */
async function crowd(): Promise<{
  account: TestAccount;
  staging: { environmentId: string; key: string };
  ids: string[];
  stagingIds: string[];
}> {
  const account = await createTestAccount(app);
  await setShards(account, 4);
  const staging = await secondEnvironment(account);
  const { environmentId } = account.environment;
  const made: [string, number, boolean][] = [];
  for (let index = 0; index < 60; index += 1) {
    const atMs = START_MS + Math.floor(index / 7) * 1000;
    const isStaging = index % 3 === 0;
    made.push([await sendAt(isStaging ? staging.key : account.secret.key, atMs), atMs, isStaging]);
    if (index % 10 === 0)
      made.push([await putInbound(environmentId, INBOUND_FEED, 'inbound', atMs), atMs, false]);
    if (index % 20 === 0) {
      made.push([await putInbound(staging.environmentId, SMS_INBOUND_FEED, 'sms_inbound', atMs), atMs, true]);
    }
  }
  made.sort(([left, leftMs], [right, rightMs]) => rightMs - leftMs || (left < right ? 1 : -1));
  return {
    account,
    staging,
    ids: made.map(([id]) => id),
    stagingIds: made.filter(([, , isStaging]) => isStaging).map(([id]) => id),
  };
}

describe('GET /logs', () => {
  it('returns an empty list, then one record per notification', async () => {
    expect((await page(account.secret.key)).json).toEqual({ messages: [] });
    const trackingId = await sendAt(account.secret.key, START_MS);
    expect((await page(account.secret.key)).json).toEqual({
      messages: [
        {
          trackingId,
          eventType: 'outbound',
          timestamp: '2026-11-21T08:30:00.000Z',
          epochMs: START_MS,
          to: ['ada@example.com'],
          subject: 'S',
        },
      ],
    });
  });

  it('pages across shards and environments and returns each record once, newest first', async () => {
    const { account, staging, ids, stagingIds } = await crowd();
    expect(ids).toHaveLength(69);
    for (const limit of [1, 7, 10, 68, 69, 100]) {
      const pages = await allPages(account.secret.key, { limit: String(limit) });
      expect(pages.flatMap(idsOf)).toEqual(ids);
      expect(pages).toHaveLength(Math.ceil(ids.length / limit));
      expect(pages.slice(0, -1).every(({ messages }) => messages.length === limit)).toBe(true);
    }
    expect((await allPages(staging.key, { limit: '4' })).flatMap(idsOf)).toEqual(stagingIds);
    const byDefault = (await page(account.secret.key)).json;
    expect([byDefault.messages.length, typeof byDefault.nextCursor]).toEqual([50, 'string']);

    for (const eventType of ['outbound', 'inbound', 'sms_inbound']) {
      const listed = (await allPages(account.secret.key, { eventType, limit: '5' })).flatMap(
        ({ messages }) => messages,
      );
      expect(listed.map(({ trackingId }) => trackingId)).toEqual(
        ids.filter((id) => listed.some(({ trackingId }) => trackingId === id)),
      );
      expect(new Set(listed.map((each) => each.eventType))).toEqual(new Set([eventType]));
      expect(listed).toHaveLength({ outbound: 60, inbound: 6, sms_inbound: 3 }[eventType] ?? 0);
    }
    const tail = (await call(tailLogs, { key: staging.key })).json.logs;
    const outbound = (await allPages(staging.key, { eventType: 'outbound' })).flatMap(idsOf);
    expect(tail.map((log: { trackingId: string }) => log.trackingId)).toEqual(outbound);
  });

  it.each(['0', '-1', 'NaN', '101', '', ' 5', '1.5', '1e1', '0x5', '99999999999999999999', '٣'])(
    'returns 400 for limit=%s',
    async (limit) => {
      const { status, json } = await page(account.secret.key, { limit });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toBe('query.limit must be an integer from 1 to 100.');
    },
  );

  it('returns 400 for an unknown eventType and reports a wrong limit with it', async () => {
    const { status, json } = await page(account.secret.key, { eventType: 'zqmarkerqz', limit: '0' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toMatch(/query\.limit .*query\.eventType|query\.eventType .*query\.limit/);
    expect(json.error.message).not.toContain('zqmarkerqz');
  });

  it('omits records past their retention', async () => {
    const old = await sendAt(account.secret.key, START_MS);
    const young = await sendAt(account.secret.key, START_MS + 86_400_000);
    app.clock.nowMs = START_MS + 30 * 86_400_000 - 1;
    expect(idsOf((await page(account.secret.key)).json)).toEqual([young, old]);
    app.clock.nowMs += 1;
    expect(idsOf((await page(account.secret.key)).json)).toEqual([young]);
    app.clock.nowMs = START_MS;
  });
});

it('shows the rendered subject of an email, from inline content or its template', async () => {
  const { key } = account.secret;
  const to = { id: 'ada', email: 'ada@example.com' };
  const parameters = { name: 'Ada' };
  const subject = 'Hi {{ name }} at {{ user.email }} @shop';
  const own = { type: 'own', to, parameters, replace: { '@shop': 'Shop' }, email: { subject, html: 'h' } };
  await call(send, { key, body: own });
  const path = { notificationId: 'own', channel: 'EMAIL' };
  const template = { subject: 'Template for {{ name }}', html: 'h' };
  expect((await call(createTemplate, { key, path, body: template })).status).toBe(200);
  app.clock.nowMs += 1000;
  await call(send, { key, body: { type: 'own', to, parameters } });
  const { json } = await call(listLogs, { key });
  expect(json.messages.map((message: { subject?: string }) => message.subject)).toEqual([
    'Template for Ada',
    'Hi Ada at ada@example.com Shop',
  ]);
});

it("shows the subject in the user's language with localized numbers and times, from the chosen variant", async () => {
  const { key } = account.secret;
  await call(updateAccount, { key, body: { locale: 'en' } });
  const translate = (locale: string, messages: object) =>
    call(saveTranslations, { key, path: { locale }, body: messages });
  await translate('en', { cart: 'Cart: {count, plural, one {# item} other {# items}}', only: 'Only here' });
  await translate('de', { cart: 'Warenkorb: {count, plural, one {# Artikel} other {# Artikel}}' });
  const to = { id: 'grete', email: 'grete@example.com', locale: 'de-AT', timezone: 'Europe/Vienna' };
  const subjectOf = async (subject: string | undefined, type = 'cart') => {
    app.clock.nowMs += 1000;
    const parameters = { n: 2, total: 1234.5, at: '2027-01-15T23:30:00Z' };
    const email = subject === undefined ? {} : { email: { subject, html: 'h' } };
    const sent = await call(send, { key, body: { type, to, parameters, ...email } });
    expect([sent.status, sent.json.error]).toEqual([200, undefined]);
    return (await call(listLogs, { key, query: { limit: '1' } })).json.messages[0].subject;
  };
  expect(await subjectOf("{{ 'cart' | t: count: n }}")).toBe('Warenkorb: 2 Artikel');
  expect(await subjectOf("{{ 'only' | t }}, {{ 'none' | t }}")).toBe('Only here, none');
  expect(
    await subjectOf("{{ total | number: 2 }} {{ at | datetime: date: 'short' }} {{ user.locale }}"),
  ).toBe(
    '1.234,50 16.01.27 de-AT'.replace(
      '1.234,50',
      new Intl.NumberFormat('de-AT', { minimumFractionDigits: 2 }).format(1234.5),
    ),
  );
  const path = { notificationId: 'cart', channel: 'EMAIL' };
  const variant = async (body: object) =>
    expect(
      (await call(createTemplate, { key, path, body: { templateId: 'x', html: 'h', ...body } })).status,
    ).toBe(200);
  await variant({ subject: "{{ 'cart' | t: count: 1 }} plain" });
  await variant({ subject: "{{ 'cart' | t: count: 1 }} auf Deutsch", locale: 'de' });
  expect(await subjectOf(undefined)).toBe('Warenkorb: 1 Artikel auf Deutsch');
});

describe('a cursor', () => {
  async function cursorOf(account: TestAccount, query: Record<string, string> = {}): Promise<string> {
    await sendAt(account.secret.key, START_MS);
    await sendAt(account.secret.key, START_MS + 1);
    return (await page(account.secret.key, { ...query, limit: '1' })).json.nextCursor;
  }

  it('fails when one character is changed, when it is truncated or made up', async () => {
    const cursor = await cursorOf(account);
    const changed = fc
      .record({ at: fc.nat(cursor.length - 1), to: fc.constantFrom(...'ABCabc019-_=+/. ') })
      .map(({ at, to }) => cursor.slice(0, at) + to + cursor.slice(at + 1))
      .filter((text) => text !== cursor);
    const last = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((letter) => cursor.slice(0, -1) + letter)
      .filter((text) => text !== cursor);
    const cut = fc.nat(cursor.length - 1).map((length) => cursor.slice(0, length));
    const made = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.constantFrom('', 'x'.repeat(9000), '\u0000', '..'),
    );
    const refused = async (wrong: string) => {
      const { status, json } = await page(account.secret.key, { cursor: wrong });
      expect([status, json.error?.code]).toEqual([400, 'INVALID_CURSOR']);
    };
    for (const wrong of last) await refused(wrong);
    await fc.assert(fc.asyncProperty(fc.oneof(changed, cut, made), refused), { numRuns: 150 });
    expect((await page(account.secret.key, { cursor })).status).toBe(200);
  });

  it('fails for another account, environment or filter', async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    const cursor = await cursorOf(account);
    const staging = await secondEnvironment(account);
    const wrong = [
      page(other.secret.key, { cursor }),
      page(staging.key, { cursor }),
      page(account.secret.key, { cursor, eventType: 'outbound' }),
    ];
    for (const { status, json } of await Promise.all(wrong)) {
      expect([status, json.error?.code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  it('continues at its position when newer notifications arrive', async () => {
    const cursor = await cursorOf(account);
    const [, first] = idsOf((await page(account.secret.key)).json);
    await sendAt(account.secret.key, START_MS + 2);
    expect(idsOf((await page(account.secret.key, { cursor })).json)).toEqual([first]);
  });
});

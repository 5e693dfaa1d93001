import { describe, expect, it } from 'vitest';
import { handler as listComponents } from '../../functions/components/list-components.ts';
import { handler as listInapp } from '../../functions/inapp/list-inapp.ts';
import { handler as getLogs } from '../../functions/logs/get-logs.ts';
import { handler as getLogsBulk } from '../../functions/logs/get-logs-bulk.ts';
import { handler as listLogs } from '../../functions/logs/list-logs.ts';
import { handler as tailLogs } from '../../functions/logs/tail-logs.ts';
import { handler as getPreferences } from '../../functions/preferences/get-preferences.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as listTemplates } from '../../functions/templates/list-templates.ts';
import { handler as addTopicUsers } from '../../functions/topics/add-topic-users.ts';
import { handler as listTopicUsers } from '../../functions/topics/list-topic-users.ts';
import { handler as listTopics } from '../../functions/topics/list-topics.ts';
import { handler as listUserTopics } from '../../functions/topics/list-user-topics.ts';
import { handler as getTranslations } from '../../functions/translations/get-translations.ts';
import { handler as listTranslations } from '../../functions/translations/list-translations.ts';
import { handler as saveTranslations } from '../../functions/translations/save-translations.ts';
import { handler as createType } from '../../functions/types/create-type.ts';
import { handler as listTypes } from '../../functions/types/list-types.ts';
import { handler as listUsers } from '../../functions/users/list-users.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { packContent } from '../../shared/database/entities/content/packed-content.ts';
import { inappItems } from '../../shared/database/entities/inapp/inapp-items.ts';
import { inboundMessages } from '../../shared/database/entities/incoming/inbound-messages.ts';
import { componentKey, typeKey } from '../../shared/database/keys/environment.ts';
import { feedKeys } from '../../shared/database/keys/indexes.ts';
import { profileKey } from '../../shared/database/keys/user.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../shared/runtime/values/ids.ts';
import { type CallResult, call, type TestAccount } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

/** Lambda rejects a response over it; the body is text within the response's JSON. */
const LAMBDA_BYTES_MAX = 6 * 1024 * 1024;

const app = useApp();
const account = useAccount(app, 'test');

/** Each character takes four bytes in a response: JSON within JSON. */
const quotes = (length: number) => '"'.repeat(length);

function expectFits({ status, response }: CallResult) {
  expect(status).toBe(200);
  expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThanOrEqual(LAMBDA_BYTES_MAX);
}

/** Reads every page; each must fit. */
async function pagesOf(read: (cursor: string | undefined) => Promise<CallResult>): Promise<CallResult[]> {
  const pages: CallResult[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    expectFits(page);
    pages.push(page);
    cursor = page.json.nextCursor ?? page.json.nextToken;
  } while (cursor);
  return pages;
}

const cursorOf = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });
const listAll = (handler: typeof listUsers, { secret }: TestAccount, query = {}) =>
  pagesOf((cursor) => call(handler, { key: secret.key, query: { ...query, ...cursorOf(cursor) } }));

describe('a response never exceeds the limit of Lambda', () => {
  it('GET /users returns large users on more pages and omits none', async () => {
    const { environmentId } = account.environment;
    await call(saveUser, { key: account.secret.key, path: { userId: 'u0' }, body: {} });
    const item = await app.database.get(profileKey(environmentId, 'u0'), { consistent: true });
    const pushTokens = Array.from({ length: 90 }, () => ({ type: 'FCM', token: quotes(4000), savedAtMs: 1 }));
    for (let index = 0; index < 6; index += 1) {
      const userId = `u${index}`;
      const feed = feedKeys(environmentId, 'USER', 0, app.clock.nowMs + index, userId);
      await app.database.put({ ...item, ...profileKey(environmentId, userId), ...feed, userId, pushTokens });
    }
    const pages = await listAll(listUsers, account, { limit: '100' });
    expect(pages.length).toBeGreaterThan(1);
    const ids = pages.flatMap(({ json }) => json.users.map(({ id }: { id: string }) => id));
    expect(ids).toEqual([5, 4, 3, 2, 1, 0].map((index) => `u${index}`));
  });

  it('GET /components returns large components on more pages', async () => {
    const { environmentId } = account.environment;
    const content = { html: quotes(490_000), internal: '', internalPage: '' };
    for (const componentId of ['a', 'b', 'c', 'd', 'e']) {
      const key = componentKey(environmentId, componentId);
      const fields = { componentId, name: 'C', embeds: [], revision: 1, createdAtMs: 1, modifiedAtMs: 1 };
      await app.database.put({ ...key, ...fields, packed: packContent(content) });
    }
    const pages = await listAll(listComponents, account);
    expect(pages.flatMap(({ json }) => json.components)).toHaveLength(5);
  });

  it('GET /logs returns large inbound emails on more pages and truncates long subjects', async () => {
    const { accountId } = account.account;
    const { environmentId } = account.environment;
    for (let index = 0; index < 8; index += 1) {
      const trackingId = newTrackingId(app.clock.nowMs);
      const head = {
        ...{ trackingId, accountId, environmentId, userId: 'a@example.com', notificationId: '' },
        ...{ state: 'accepted' as const, receivedAtMs: app.clock.nowMs, routing: {}, messages: [] },
        request: {},
      };
      const record = {
        ...{ trackingId, eventType: 'inbound', timestamp: '', epochMs: app.clock.nowMs },
        bodyText: quotes(380_000),
      };
      const message = { record, messageKey: trackingId, blobs: [], verdicts: {}, isAutomatic: false };
      await resolve(inboundMessages).create(head, Math.ceil(app.clock.nowMs / 1000) + 86_400, message);
    }
    const body = { type: 't', to: { id: 'ada' }, email: { subject: quotes(1_000_000), html: 'H' } };
    await call(send, { key: account.secret.key, body });
    const pages = await listAll(listLogs, account);
    expect(pages.flatMap(({ json }) => json.messages)).toHaveLength(9);
  });

  it('GET /logs/{ids}, /logs/tail and POST /logs/bulk truncate the longest texts of large records', async () => {
    const { key } = account.secret;
    const trackingIds: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const body = { type: 't', to: { id: 'ada' }, inapp: { title: quotes(500_000) } };
      trackingIds.push((await call(send, { key, body })).json.trackingId);
    }
    const path = { trackingIds: trackingIds.join(',') };
    for (const response of [
      await call(getLogs, { key, path }),
      await call(getLogsBulk, { key, body: { trackingIds } }),
      await call(tailLogs, { key }),
    ]) {
      expectFits(response);
      expect(response.json.logs).toHaveLength(5);
      expect(response.json.logs[0].truncated).toEqual(['request']);
    }
  });

  it('GET …/templates returns as many templates as a type can have', async () => {
    const { key } = account.secret;
    const notificationId = quotes(256);
    await call(createType, { key, body: { notificationId, title: 'T', channels: ['EMAIL'] } });
    const item = await app.database.get(typeKey(account.environment.environmentId, notificationId));
    const templates = Array.from({ length: 2000 }, (_, index) => ({
      ...{ channel: 'EMAIL', templateId: `t${index}`, version: 1, defaultFor: [] },
    }));
    await app.database.put({
      ...item,
      ...typeKey(account.environment.environmentId, notificationId),
      templates,
    });
    const response = await call(listTemplates, { key, path: { notificationId, channel: 'EMAIL' } });
    expectFits(response);
    expect(response.json.templates).toHaveLength(2000);
  });

  it('GET /topics, /topics/{id}/users and /users/{id}/topics return a full page of the longest IDs', async () => {
    const { key } = account.secret;
    const idOf = (index: number) => `${quotes(250)}${index}`;
    const userIds = Array.from({ length: 100 }, (_, index) => idOf(index));
    await call(addTopicUsers, { key, path: { topicId: idOf(0) }, body: { userIds } });
    for (let index = 1; index < 10; index += 1) {
      await call(addTopicUsers, { key, path: { topicId: idOf(index) }, body: { userIds: [idOf(0)] } });
    }
    const query = { limit: '100' };
    const responses = [
      await call(listTopics, { key, query }),
      await call(listTopicUsers, { key, path: { topicId: idOf(0) }, query }),
      await call(listUserTopics, { key, path: { userId: idOf(0) }, query }),
    ];
    for (const response of responses) expectFits(response);
    expect(responses.map(({ json }) => (json.topics ?? json.users).length)).toEqual([10, 100, 10]);
  });

  it('GET /translations and /translations/{locale} return as many messages as a language can have', async () => {
    const { key } = account.secret;
    const body = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, quotes(10_000)]));
    const saved = await call(saveTranslations, { key, path: { locale: 'de' }, body });
    expectFits(saved);
    expectFits(await call(listTranslations, { key }));
    const found = await call(getTranslations, { key, path: { locale: 'de' } });
    expectFits(found);
    expect(JSON.stringify(found.json)).toContain(JSON.stringify(quotes(10_000)));
  });

  it('GET /user/inapp returns large items without parameters and with truncated titles', async () => {
    const { environmentId } = account.environment;
    for (let index = 0; index < 20; index += 1) {
      const trackingId = newTrackingId(app.clock.nowMs + index);
      const atMs = app.clock.nowMs + index;
      const item = {
        ...{ id: trackingId, trackingId, notificationId: 'n', title: quotes(200_000) },
        ...{ date: new Date(atMs).toISOString(), parameters: { text: quotes(100_000) } },
      };
      await resolve(inappItems).add({
        environmentId,
        userId: 'ada',
        item,
        atMs,
        expiresAtSeconds: Math.ceil(atMs / 1000) + 86_400,
      });
    }
    const response = await call(listInapp, { key: account.secret.key, query: { userId: 'ada' } });
    expectFits(response);
    expect(response.json.notifications).toHaveLength(20);
  });

  it('returns a clear 400 for a list without pages', async () => {
    const { key } = account.secret;
    const { environmentId } = account.environment;
    await call(createType, { key, body: { notificationId: 'n', title: 'T', channels: ['EMAIL'] } });
    const item = await app.database.get(typeKey(environmentId, 'n'));
    for (let index = 0; index < 10; index += 1) {
      const notificationId = `n${index}`;
      const large = { notificationId, title: quotes(300_000) };
      await app.database.put({ ...item, ...typeKey(environmentId, notificationId), ...large });
    }
    for (const response of [
      await call(listTypes, { key }),
      await call(getPreferences, { key, path: { userId: 'ada' } }),
    ]) {
      expect([response.status, response.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(response.json.error.message).toBe('The response would be over 6 MB.');
    }
  });
});

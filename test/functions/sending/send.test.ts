import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sender } from '../../../functions/sending/sender.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { environmentPk, logPk } from '../../../shared/database/keys/key.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { call, createTestAccount, httpEvent, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { CREATED, FULL_BODY, loggedBody, MINIMAL_BODY } from './full-body.ts';
import { requestFields } from './request-fields.ts';

const app = useApp();
const account = useAccount(app, 'test');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const typesOf = async (account: TestAccount) => (await call(listTypes, { key: account.secret.key })).json;
const userOf = async (account: TestAccount, userId: string) =>
  (await call(getUser, { key: account.secret.key, path: { userId } })).json;

const OFF = { routing: 'OFF', reason: 'NOT_ENABLED' };
const EMAIL_ONLY = CHANNELS.map((channel) => ({
  channel,
  ...(channel === 'EMAIL' ? { routing: 'SEND' } : OFF),
}));

describe.each([
  ['POST /send', send],
  ['POST /sender', sender],
])('%s', (_, handler) => {
  it('accepts the smallest request and logs it immediately', async () => {
    const { status, json, response } = await call(handler, { key: account.secret.key, body: MINIMAL_BODY });
    expect(status).toBe(200);
    expect(json).toEqual({
      trackingId: expect.stringMatching(UUID),
      messages: [CREATED],
      routing: EMAIL_ONLY,
    });
    expect(response.headers['x-request-id']).toMatch(UUID);
    const { request, ...log } = await recordOf(account, json.trackingId);
    expect(JSON.parse(request)).toEqual(MINIMAL_BODY);
    expect(log).toEqual({
      trackingId: json.trackingId,
      accountId: account.account.accountId,
      received_at: '2026-11-21T08:30:00.000Z',
      processed_at: '2026-11-21T08:30:00.000Z',
      type: 'welcome',
      envId: account.environment.environmentId,
      clientId: account.environment.environmentId,
      agent: 'test-agent/1.0',
      ip: '203.0.113.7',
      user_id: 'ada',
      user_email: 'ada@example.com',
      email_routing: 'SEND',
      inapp_routing: 'OFF',
      sms_routing: 'OFF',
      call_routing: 'OFF',
      mobile_push_routing: 'OFF',
      web_push_routing: 'OFF',
      chat_routing: 'OFF',
    });
  });

  it('accepts every field of the body and logs all of them except chat tokens and attributes', async () => {
    const { status, json } = await call(handler, { key: account.secret.key, body: FULL_BODY });
    expect(status).toBe(200);
    expect(json.messages.filter((message: string) => message.includes('is not sent'))).toEqual([]);
    const log = await recordOf(account, json.trackingId);
    expect(JSON.parse(log.request)).toEqual(loggedBody());
    expect(JSON.stringify(log)).not.toMatch(/chat-token-secret|attribute-secret/);
    expect(log).toMatchObject({
      type: 'welcome',
      scheduled_for: '2026-11-22T08:30:00.000Z',
      user_id: 'ada',
      user_email: 'ada@example.com',
      user_number: '+14155550123',
    });
    for (const prefix of ['email', 'inapp', 'sms', 'call', 'mobile_push', 'web_push', 'chat']) {
      expect(log[`${prefix}_routing`]).toBe('SCHEDULE');
    }
    expect(log.processed_at).toBeUndefined();
    const user = await userOf(account, 'ada');
    const { chatToken, ...contact } = FULL_BODY.to;
    expect(user).toMatchObject({ ...contact, chatToken: { access_token: chatToken.access_token } });
  });

  it('accepts a direct invocation with an object as body and header names in any case', async () => {
    const event = { headers: { AUTHORIZATION: `Bearer ${account.secret.key}` }, body: MINIMAL_BODY };
    const response = await handler(event);
    expect([response.statusCode, JSON.parse(response.body).messages]).toEqual([200, [CREATED]]);
    const refused = await handler({ ...event, body: { ...MINIMAL_BODY, type: 7 } });
    expect([refused.statusCode, JSON.parse(refused.body).error.code]).toEqual([400, 'INVALID_REQUEST']);
    const missing = await handler({ headers: event.headers });
    expect([missing.statusCode, JSON.parse(missing.body).error.code]).toEqual([400, 'INVALID_JSON']);
  });

  it('accepts a base64 body and a body without a content type', async () => {
    const event = httpEvent({ key: account.secret.key, headers: { 'content-type': 'text/plain' } });
    const text = JSON.stringify(MINIMAL_BODY);
    const encoded = { ...event, body: Buffer.from(text).toString('base64'), isBase64Encoded: true };
    expect((await handler(encoded as never)).statusCode).toBe(200);
    expect((await handler({ ...event, body: text } as never)).statusCode).toBe(200);
  });
});

/** The value of a field; of a list, every entry: the first step of a notification cannot have every field. */
function valuesAt(value: unknown, step: string | number): unknown[] {
  return Array.isArray(value) ? value : [(value as Record<string, unknown> | undefined)?.[step]];
}

describe('the body used as full example', () => {
  it('contains every field of the request', () => {
    const missing = requestFields().filter(({ path }) => {
      // Only a topic is without other fields in `to`.
      if (['to.topic', 'to.exclude', 'to.exclude.0'].includes(path.join('.'))) return false;
      let values: unknown[] = [FULL_BODY];
      for (const step of path) {
        if (step === 'key') return values.every((each) => Object.keys(each ?? {}).length === 0);
        values = values.flatMap((each) => valuesAt(each, step)).filter((each) => each !== undefined);
      }
      return values.length === 0;
    });
    expect(missing.map(({ path }) => path.join('.'))).toEqual([]);
    expect(requestFields().length).toBeGreaterThan(150);
  });
});

describe('the deprecated path', () => {
  it('names its successor and the date until which it works; POST /send does not', async () => {
    const { key } = (await createTestAccount(app)).secret;
    const [old, present] = [await call(sender, { key, body: {} }), await call(send, { key, body: {} })];
    expect(old.response.headers).toMatchObject({
      deprecation: `@${Date.parse('2026-11-26') / 1000}`,
      sunset: 'Fri, 01 Dec 2028 00:00:00 GMT',
      link: '</send>; rel="successor-version"',
    });
    for (const name of ['deprecation', 'sunset', 'link'])
      expect(present.response.headers[name]).toBeUndefined();
  });
});

describe('the first send', () => {
  it('creates the type with its ID as title and the channels that have content', async () => {
    const body = { ...MINIMAL_BODY, type: 'first-use', sms: { message: 'm' } };
    await call(send, { key: account.secret.key, body });
    expect(await typesOf(account)).toEqual([
      {
        envId: account.environment.environmentId,
        notificationId: 'first-use',
        title: 'first-use',
        channels: ['EMAIL', 'SMS'],
        enabled: true,
        templates: expect.any(Array),
        createdAt: '2026-11-21T08:30:00.000Z',
        updatedAt: '2026-11-21T08:30:00.000Z',
      },
    ]);
  });

  it('creates the type with the forced channels, and later sends do not change it', async () => {
    const forced = { ...MINIMAL_BODY, type: 'forced', forceChannels: ['CHAT', 'SMS'] };
    const { json } = await call(send, { key: account.secret.key, body: forced });
    expect(json.messages).toEqual([
      CREATED,
      expect.stringMatching(/^EMAIL is not sent: /),
      expect.stringMatching(/^SMS is not sent: .*phone number/),
      expect.stringMatching(/^CHAT is not sent: .*chat/),
    ]);
    await call(send, { key: account.secret.key, body: { ...forced, forceChannels: ['EMAIL'] } });
    const [type] = await typesOf(account);
    expect(type.channels).toEqual(['SMS', 'CHAT']);
  });

  it('creates one type from twenty concurrent first uses', async () => {
    const sends = Array.from({ length: 20 }, (_, index) =>
      call(send, { key: account.secret.key, body: { ...MINIMAL_BODY, to: { id: `user-${index}` } } }),
    );
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await typesOf(account)).toHaveLength(1);
  });

  it('stores the user with the contact data of the request, if it has any, merged with earlier data', async () => {
    const to = { id: 'ada', number: '(415) 555-0123', timezone: 'Europe/Berlin' };
    await call(send, { key: account.secret.key, body: { ...MINIMAL_BODY, to: { id: 'ada' } } });
    expect(await userOf(account, 'ada')).toHaveProperty('error.code', 'RESOURCE_NOT_FOUND');
    await call(send, { key: account.secret.key, body: { ...MINIMAL_BODY, to } });
    await call(send, { key: account.secret.key, body: MINIMAL_BODY });
    expect(await userOf(account, 'ada')).toMatchObject({
      id: 'ada',
      email: 'ada@example.com',
      number: '+14155550123',
      timezone: 'Europe/Berlin',
    });
  });

  it('stores neither log, type nor user with dryRun', async () => {
    const body = { ...MINIMAL_BODY, sms: { message: 'm' } };
    const { environmentId } = account.environment;
    for (const dryRun of ['true', '1', '']) {
      const { status, json } = await call(send, { key: account.secret.key, body, query: { dryRun } });
      expect(status).toBe(200);
      expect(json).toEqual({
        trackingId: expect.stringMatching(UUID),
        messages: [CREATED, expect.stringMatching(/^SMS is not sent: .*phone number/)],
        routing: [
          {
            channel: 'EMAIL',
            routing: 'SEND',
            content: { subject: 'Hello', html: '<p>Hello</p>' },
            missing: [],
          },
          { channel: 'INAPP_WEB', routing: 'OFF', reason: 'NOT_ENABLED' },
          { channel: 'SMS', routing: 'IGNORE', reason: 'NO_ADDRESS' },
          { channel: 'CALL', routing: 'OFF', reason: 'NOT_ENABLED' },
          { channel: 'PUSH', routing: 'OFF', reason: 'NOT_ENABLED' },
          { channel: 'WEB_PUSH', routing: 'OFF', reason: 'NOT_ENABLED' },
          { channel: 'CHAT', routing: 'OFF', reason: 'NOT_ENABLED' },
        ],
      });
      expect(await app.database.queryAll(logPk(json.trackingId), '')).toEqual([]);
    }
    expect(await app.database.queryAll(environmentPk(environmentId), 'TYPE#')).toEqual([]);
    expect(await app.database.get(profileKey(environmentId, 'ada'))).toBeUndefined();
  });

  it('really sends with dryRun=false', async () => {
    const { json } = await call(send, {
      key: account.secret.key,
      body: MINIMAL_BODY,
      query: { dryRun: 'false' },
    });
    expect(json.routing[0]).toEqual({ channel: 'EMAIL', routing: 'SEND' });
    expect(await app.database.get(headKey(json.trackingId))).toBeDefined();
  });
});

describe('a schedule', () => {
  it.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00+02:00', undefined],
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T11:00:00', '2026-11-21T10:00:00.000Z'],
    ['2020-01-01T00:00:00Z', undefined],
  ])('parses %s for a user in Berlin as %s, or as now when it is past', async (schedule, due) => {
    const account = await createTestAccount(app);
    const to = { ...MINIMAL_BODY.to, timezone: 'Europe/Berlin' };
    const { json } = await call(send, { key: account.secret.key, body: { ...MINIMAL_BODY, to, schedule } });
    const log = await recordOf(account, json.trackingId);
    expect([log.scheduled_for, log.email_routing]).toEqual([due, due ? 'SCHEDULE' : 'SEND']);
  });

  it.each(['tomorrow', '', '2026-13-01T00:00:00Z', '2027-11-21T08:30:01Z', '1795250000'])(
    'rejects %s',
    async (schedule) => {
      const account = await createTestAccount(app);
      const { status, json } = await call(send, {
        key: account.secret.key,
        body: { ...MINIMAL_BODY, schedule },
      });
      expect([status, json.error.code]).toEqual([400, 'INVALID_SCHEDULE_FORMAT']);
      expect(await typesOf(account)).toEqual([]);
    },
  );
});

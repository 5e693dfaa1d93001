import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { NotificationType } from '../../../shared/schemas/content/notification-type.ts';
import { call, createTestAccount, MADE_AT } from '../../support/app.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { create, get, list, MINIMAL, SETTINGS } from './setup.ts';

const app = useApp();
const account = useAccount(app, 'test');

const LONG = 'x'.repeat(2048);

describe('POST /types', () => {
  it('stores the smallest type, enabled and without templates', async () => {
    const expected = {
      ...MINIMAL,
      envId: account.environment.environmentId,
      enabled: true,
      templates: [],
      ...MADE_AT,
    };
    const made = await create(account);
    expect(made).toMatchObject({ status: 200 });
    expect(made.json).toEqual(expected);
    expect((await get(account, 'welcome')).json).toEqual(expected);
    expect(await list(account)).toEqual([expected]);
  });

  it('stores every setting of a type unchanged', async () => {
    const body = {
      notificationId: 'Ünïcode ☂ #%/ id',
      title: 'Tïtle ☂',
      channels: ['CHAT', 'EMAIL', 'CHAT'],
      enabled: false,
      ...SETTINGS,
    };
    const made = await create(account, body);
    expect(made.status).toBe(200);
    expect(v.is(NotificationType, made.json)).toBe(true);
    expect(made.json).toEqual({
      ...body,
      envId: account.environment.environmentId,
      channels: ['CHAT', 'EMAIL'],
      templates: [],
      ...MADE_AT,
    });
    expect((await get(account, body.notificationId)).json).toEqual(made.json);
  });

  it('ignores null fields', async () => {
    const nothing = { deduplication: null, throttling: null, retention: null, options: null };
    const made = await create(account, { ...MINIMAL, ...nothing });
    expect(Object.keys(made.json).sort()).toEqual(
      [
        'channels',
        'createdAt',
        'enabled',
        'envId',
        'notificationId',
        'templates',
        'title',
        'updatedAt',
      ].sort(),
    );
  });

  it.each([
    ['a permanent limit whatever the period', { max: 1_000_000, period: 0, unit: 'years', forever: true }],
    ['the longest window', { max: 10_000, period: 2, unit: 'years', forever: false }],
    ['one scope twice', { max: 1, period: 1, unit: 'seconds', forever: false, scope: ['userId', 'userId'] }],
  ])('accepts throttling with %s', async (_, throttling) => {
    const full = { scope: ['notificationId', 'userId'], ...throttling };
    const made = await create(account, { ...MINIMAL, throttling: full });
    expect(made).toMatchObject({ status: 200, json: { throttling: full } });
  });

  it('returns 400 for invalid values of every plain field', async () => {
    const cases: Record<string, readonly unknown[]> = {
      notificationId: [...NOT_TEXT, '', ' x', 'a\nb', LONG, '☂'.repeat(86), '\ud800'],
      title: [...NOT_TEXT, '', '  ', LONG],
      channels: [undefined, null, 'EMAIL', {}, [7], [null], ['FAX'], ['email'], [], Array(51).fill('EMAIL')],
      enabled: [null, 'true', 1, []],
      retention: ['30', true, [], 0, -1, 1.5, 3651, 1e300],
      deduplication: [
        7,
        'x',
        [],
        {},
        { duration: '1' },
        { duration: -1 },
        { duration: 0.5 },
        { duration: 1e12 },
      ],
      options: [7, 'x', { EMAIL: 7 }, { SMS: {} }, { CALL: { defaultDeliveryOption: 'yearly' } }],
    };
    for (const [field, values] of Object.entries(cases)) {
      await expectRefusedValues(createType, { key: account.secret.key, body: { ...MINIMAL } }, field, values);
    }
    expect(await list(account)).toEqual([]);
  });

  it.each([
    ['max', [undefined, null, '5', 0, -1, 1.5, 10_001, 1e300]],
    ['period', [undefined, null, '1', 0, -1, 1.5, 731, 1e300]],
    ['unit', [undefined, null, 7, 'weeks', 'Days', LONG]],
    ['forever', [undefined, null, 'false', 0]],
    ['scope', [undefined, null, 'userId', [], ['userId'], ['userId', 'x'], ['userId', 'userId', 'userId']]],
  ])('returns 400 for throttling with an invalid %s', async (field, values) => {
    for (const value of values) {
      const throttling = { ...SETTINGS.throttling, [field]: value };
      const { status, json } = await create(account, { ...MINIMAL, throttling });
      expect([status, json.error?.code, value]).toEqual([400, 'INVALID_REQUEST', value]);
      expect(json.error.message).toContain(`body.throttling.${field}`);
    }
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an invalid hour', { EMAIL: { daily: { enabled: true, hour: '25:00' } } }, 'EMAIL.daily.hour'],
    ['an hour that is a number', { EMAIL: { daily: { enabled: true, hour: 8 } } }, 'EMAIL.daily.hour'],
    [
      'an over-long hour',
      { EMAIL: { daily: { enabled: true, hour: `8${' '.repeat(2048)}` } } },
      'EMAIL.daily.hour',
    ],
    ['an empty hour', { PUSH: { monthly: { enabled: true, hour: '' } } }, 'PUSH.monthly.hour'],
    ['an invalid day', { SMS: { weekly: { enabled: true, day: 'Caturday' } } }, 'SMS.weekly.day'],
    ['a day past Saturday', { SMS: { weekly: { enabled: true, day: '7' } } }, 'SMS.weekly.day'],
    ['a date in between', { CHAT: { monthly: { enabled: true, date: '15' } } }, 'CHAT.monthly.date'],
    ['an option without enabled', { CALL: { hourly: {} } }, 'CALL.hourly.enabled'],
    ['batching on another channel', { WEB_PUSH: { batching: true } }, 'WEB_PUSH.batching'],
    ['a batching key on another channel', { EMAIL: { batchingKey: 'x' } }, 'EMAIL.batchingKey'],
    ['a batching window on another channel', { EMAIL: { batchingWindow: 1 } }, 'EMAIL.batchingWindow'],
    ['a digest on INAPP_WEB', { INAPP_WEB: { daily: { enabled: true } } }, 'INAPP_WEB.daily'],
    [
      'a collecting default on INAPP_WEB',
      { INAPP_WEB: { defaultDeliveryOption: 'daily' } },
      'INAPP_WEB.defaultDeliveryOption',
    ],
    ['an empty batching key', { INAPP_WEB: { batchingKey: '' } }, 'INAPP_WEB.batchingKey'],
    ['a negative batching window', { INAPP_WEB: { batchingWindow: -1 } }, 'INAPP_WEB.batchingWindow'],
    ['a disabled default', { EMAIL: { instant: { enabled: false } } }, 'EMAIL.defaultDeliveryOption'],
    [
      'a disabled default on INAPP_WEB',
      { INAPP_WEB: { instant: { enabled: false } } },
      'INAPP_WEB.defaultDeliveryOption',
    ],
  ])('returns 400 for options with %s and names the field', async (_, channels, field) => {
    const options = Object.fromEntries(
      Object.entries(channels).map(([channel, of]) => [
        channel,
        { defaultDeliveryOption: 'instant', ...(of as object) },
      ]),
    );
    const { status, json } = await create(account, { ...MINIMAL, options });
    expect([status, json.error?.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(`body.options.${field} `);
  });

  it('reports all problems together, including those between fields', async () => {
    const { json } = await create(account, {
      notificationId: '',
      channels: ['FAX'],
      retention: 0,
      deduplication: { duration: -1 },
      throttling: { max: 20_000, period: 0, unit: 'days', forever: false, scope: ['userId'] },
      options: {
        EMAIL: {
          defaultDeliveryOption: 'daily',
          daily: { enabled: false, hour: 'noon' },
          batching: true,
        },
      },
    });
    for (const field of [
      'body.notificationId',
      'body.title',
      'body.channels[0]',
      'body.retention',
      'body.deduplication.duration',
      'body.throttling.max',
      'body.throttling.period',
      'body.throttling.scope',
      'body.options.EMAIL.defaultDeliveryOption must be an option that is not disabled',
      'body.options.EMAIL.daily.hour',
      'body.options.EMAIL.batching',
    ]) {
      expect(json.error.message).toContain(field);
    }
  });

  it.each(['', '{', '[]', 'null', '"x"', '7'])('returns 400 for the body %j', async (rawBody) => {
    const { status, json } = await call(createType, { key: account.secret.key, rawBody });
    expect([status, json.error.code]).toEqual([400, expect.stringMatching(/^INVALID_(JSON|REQUEST)$/)]);
  });

  it('creates exactly one type from concurrent requests with the same ID', async () => {
    const titles = ['first', 'second', 'third', 'fourth'];
    const responses = await Promise.all(titles.map((title) => create(account, { ...MINIMAL, title })));
    const won = responses.filter((response) => response.status === 200);
    expect(won).toHaveLength(1);
    for (const { status, json } of responses.filter((response) => response.status !== 200)) {
      expect([status, json.error.code]).toEqual([400, 'DUPLICATE_RESOURCE']);
    }
    expect(await list(account)).toEqual([won[0]?.json]);
  });

  it('keeps the IDs of two accounts and of two environments separate', async () => {
    const [account, other] = [await createTestAccount(app), await createTestAccount(app)];
    await create(account);
    expect((await create(other, { ...MINIMAL, title: 'Theirs' })).status).toBe(200);
    expect((await list(account)).map((type: NotificationType) => type.title)).toEqual(['Welcome']);
    expect((await list(other)).map((type: NotificationType) => type.title)).toEqual(['Theirs']);
  });

  it('shows a key that is bound to an environment only the types of that environment', async () => {
    await create(account);
    const { environmentId } = account.environment;
    const bound = await call(createKey, {
      key: account.secret.key,
      body: { keyType: 'secret', name: 'bound', environmentId },
    });
    const types = await call(listTypes, { key: bound.json.key });
    expect(types.json.map((type: NotificationType) => type.envId)).toEqual([environmentId]);
  });
});

import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf, withSettings } from '../../support/workers.ts';
import { MINIMAL_BODY } from './full-body.ts';
import { nameOf, requestFields, withValue, wrongValues } from './request-fields.ts';

const app = useApp();
const account = useAccount(app);

const sendBody = (body: unknown) => call(send, { key: account.secret.key, body });
const FIELDS = requestFields();

describe('a value of the wrong type', () => {
  it.each(FIELDS.map((field) => [nameOf(field), field] as const))(
    'returns 400 in %s',
    async (name, field) => {
      const values = wrongValues(field);
      const responses = await Promise.all(
        values.map((value) => sendBody(withValue(MINIMAL_BODY, field.path, value))),
      );
      for (const [index, { status, json }] of responses.entries()) {
        expect([values[index], status, json.error?.code]).toEqual([values[index], 400, 'INVALID_REQUEST']);
        expect(json.error.message).toContain(`${name} must be`);
      }
    },
  );
});

const TO = MINIMAL_BODY.to;
const LONG = 'x'.repeat(2048);

describe('an invalid value', () => {
  it.each<[string, unknown, string]>([
    ['a number', { to: { id: 'ada', number: '12' } }, 'body.to.number'],
    ['a number of letters', { to: { id: 'ada', number: 'call me' } }, 'body.to.number'],
    ['an address without a domain', { to: { id: 'ada', email: 'ada' } }, 'body.to.email'],
    ['two addresses', { to: { id: 'ada', email: 'a@example.com,b@example.com' } }, 'body.to.email'],
    ['an address with a name', { to: { id: 'ada', email: 'Ada <a@example.com>' } }, 'body.to.email'],
    ['an address with a line break', { to: { id: 'ada', email: 'a@example.com\nBcc: b' } }, 'body.to.email'],
    ['a timezone', { to: { id: 'ada', timezone: 'Mars/Olympus' } }, 'body.to.timezone'],
    ['an empty timezone', { to: { id: 'ada', timezone: '' } }, 'body.to.timezone'],
    ['a number of the legacy user', { to: undefined, user: { id: 'ada', number: '12' } }, 'body.user.number'],
    ['a channel', { forceChannels: ['EMAIL', 'FAX'] }, 'body.forceChannels[1]'],
    ['a channel in lower case', { forceChannels: ['email'] }, 'body.forceChannels[0]'],
    [
      'four pairs of custom data',
      { options: { push: { customData: { a: '1', b: '2', c: '3', d: '4' } } } },
      'body.options.push.customData',
    ],
    ['chat blocks without text', { chat: { blocks: [{ type: 'divider' }] } }, 'body.chat.text'],
    ['chat blocks with empty text', { chat: { blocks: [{ type: 'divider' }], text: '' } }, 'body.chat.text'],
    ['a fraction as badge', { options: { apn: { badge: 1.5 } } }, 'body.options.apn.badge'],
    ['a negative expiry', { options: { apn: { expiry: -1 } } }, 'body.options.apn.expiry'],
    ['a priority of 7', { options: { apn: { priority: 7 } } }, 'body.options.apn.priority'],
    [
      'a collapse id of 65 characters',
      { options: { apn: { collapseId: 'x'.repeat(65) } } },
      'body.options.apn.collapseId',
    ],
    [
      'a file URL',
      { options: { email: { attachments: [{ filename: 'x', url: 'file:///etc/passwd' }] } } },
      'body.options.email.attachments[0].url',
    ],
    ...['http://files.example.com/x', 'https://ada:secret@files.example.com/x'].map(
      (url): [string, unknown, string] => [
        `an attachment that is never fetched, ${url}`,
        { options: { email: { attachments: [{ filename: 'x', url }] } } },
        'body.options.email.attachments[0].url',
      ],
    ),
    [
      "an unknown environment of a device's token",
      { to: { id: 'ada', pushTokens: [{ type: 'APN', token: 't', environment: 'staging' }] } },
      'body.to.pushTokens[0].environment',
    ],
    [
      'media over http',
      { sms: { message: 'm', mediaUrls: ['http://example.com/i.png'] } },
      'body.sms.mediaUrls[0]',
    ],
    [
      'a reply-to without an at sign',
      { options: { email: { replyToAddresses: ['x'] } } },
      'body.options.email.replyToAddresses[0]',
    ],
    ...['type', 'notificationId', 'subNotificationId', 'secondaryId', 'templateId'].flatMap((field) =>
      ['', LONG, 'ü'.repeat(129), 'nul\u0000', 'line\nbreak', ' spaced', '\ud800'].map(
        (value): [string, unknown, string] => [
          `${field} ${JSON.stringify(value.slice(0, 12))}`,
          { [field]: value },
          `body.${field}`,
        ],
      ),
    ),
    ...['', LONG, 'ü'.repeat(129), 'nul\u0000', '\ud800'].map((id): [string, unknown, string] => [
      `to.id ${JSON.stringify(id.slice(0, 12))}`,
      { to: { ...TO, id } },
      'body.to.id',
    ]),
  ])('returns 400 and names %s', async (_, change, name) => {
    const { status, json } = await sendBody({ ...MINIMAL_BODY, ...(change as object) });
    expect([status, json.error?.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(`${name} `);
  });

  it('reads as words, not as a regular expression', async () => {
    const { json } = await sendBody({ ...MINIMAL_BODY, options: { fcm: { android: { priority: 'hihg' } } } });
    expect(json.error.message).toBe('body.options.fcm.android.priority must be high or normal.');
  });

  it.each([
    [28 * 24 * 60 * 60, 200],
    [28 * 24 * 60 * 60 + 1, 400],
  ])('limits the time that FCM keeps a message: %i seconds', async (ttl, expected) => {
    const { status, json } = await sendBody({ ...MINIMAL_BODY, options: { fcm: { android: { ttl } } } });
    expect(status).toBe(expected);
    if (status === 400)
      expect(json.error.message).toContain('body.options.fcm.android.ttl must be at most 2419200');
  });

  it.each([
    [{ sms: { message: 'x'.repeat(1600) } }, 200],
    [{ sms: { message: 'x'.repeat(1601) } }, 400],
    [{ sms: { message: `{{ a }}${'x'.repeat(1600)}` } }, 200],
    [{ call: { message: 'x'.repeat(3967) } }, 200],
    [{ call: { message: 'x'.repeat(3968) } }, 400],
    [{ call: { message: '&'.repeat(794) } }, 400],
    [{ options: { push: { customData: { from: 'x' } } } }, 400],
    [{ options: { push: { customData: { message_type: 'x' } } } }, 400],
    [{ options: { push: { customData: { aps: 'x' } } } }, 400],
    [{ options: { push: { customData: { 'google.x': 'x' } } } }, 400],
    [{ options: { push: { customData: { googleCalendarId: '1', fromCity: 'x' } } } }, 200],
    [{ mobile_push: { title: 'x', message: 'é'.repeat(2100) } }, 400],
    [{ mobile_push: { title: 'x', message: `{{ a }}${'é'.repeat(2100)}` } }, 200],
    [
      {
        mobile_push: { title: 'x', message: 'y'.repeat(2000) },
        options: { push: { customData: { a: 'z'.repeat(2000) } } },
      },
      400,
    ],
    [{ options: { push: { customData: { a: 'z'.repeat(4100) } } } }, 400],
    [
      {
        mobile_push: { title: '{{ a }}', message: 'y' },
        options: { push: { customData: { a: 'z'.repeat(4100) } } },
      },
      400,
    ],
    [{ options: { push: { customData: { a: 'z'.repeat(3000) } } } }, 200],
    [{ web_push: { title: 'x', message: 'y'.repeat(4000) } }, 400],
    [{ options: { apn: { collapseId: 'é' } } }, 400],
    [{ options: { apn: { collapseId: 'a\nb' } } }, 400],
    [{ options: { apn: { collapseId: 'x'.repeat(65) } } }, 400],
    [{ options: { apn: { collapseId: 'order 7' } } }, 200],
    [{ options: { web_push: { topic: 'has space' } } }, 400],
    [
      {
        chat: {
          text: 'x',
          blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', text: 'x'.repeat(2001) }] }],
        },
      },
      400,
    ],
    [
      {
        chat: {
          text: 'x',
          blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', text: 'x'.repeat(2000) }] }],
        },
      },
      200,
    ],
    [
      {
        chat: {
          text: 'x',
          blocks: [{ type: 'section', fields: Array(11).fill({ type: 'mrkdwn', text: 'x' }) }],
        },
      },
      400,
    ],
    [{ chat: { text: 'x'.repeat(40_001) } }, 400],
    [
      {
        chat: { text: 'x', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }] },
      },
      400,
    ],
    [
      {
        chat: { text: 'x', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3000) } }] },
      },
      200,
    ],
    [{ to: { id: 'c', chatToken: { provider: 'mattermost', access_token: 'x' } } }, 400],
    [{ to: { id: 'c', chatToken: { provider: 'slack', access_token: 'x' } } }, 200],
    [
      {
        to: { id: 'c', chatToken: { provider: 'discord', webhookUrl: 'https://evil.test/api/webhooks/1/2' } },
      },
      400,
    ],
    [
      {
        to: {
          id: 'c',
          chatToken: { provider: 'discord', webhookUrl: 'https://discord.com/api/webhooks/1/2' },
        },
      },
      200,
    ],
    [
      { to: { id: 'c', chatToken: { provider: 'teams', webhookUrl: 'https://a.webhook.office.com/x' } } },
      400,
    ],
    [{ call: { message: '<speak>Hi <break time="1s"/> &amp; bye</speak>', language: 'fr', repeat: 3 } }, 200],
    [{ call: { message: '<speak>Hi & bye</speak>' } }, 400],
    [{ call: { message: '<speak>Hi <prosody rate="slow"></speak>' } }, 400],
    [{ call: { message: 'Hi', repeat: 4 } }, 400],
    [{ call: { message: 'Hi', language: 'not a tag' } }, 400],
    [{ call: { message: 'Hi', voice: 'a"b' } }, 400],
  ])('knows at acceptance what no provider sends, row %#', async (content, expected) => {
    expect((await sendBody({ ...MINIMAL_BODY, ...content })).status).toBe(expected);
  });

  it.each(['TRUE', 'yes'])('returns 400 in ?dryRun=%s', async (dryRun) => {
    const { status, json } = await call(send, {
      key: account.secret.key,
      body: MINIMAL_BODY,
      query: { dryRun },
    });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('the number of a text message', () => {
  const NUMBERS = {
    SMS_PROVIDER: 'aws',
    PHONE_NUMBERS: '+15005550006, 72975, ACME',
    PHONE_ORIGINATION_IDENTITY: '+15005550007',
  };

  it.each([
    ['+15005550006', {}, 200],
    ['72975', {}, 200],
    ['+15005550007', {}, 200],
    ['{{ from }}', {}, 200],
    ['+15005550008', {}, 400],
    ['72976', {}, 400],
    ['ACME', {}, 200],
    ['ACMEX', {}, 400],
    ['acme', {}, 400],
    ['ACME CORP GMBH', {}, 400],
    ['1234567890', { SMS_PROVIDER: 'sandbox' }, 400],
    ['ÄCME', { SMS_PROVIDER: 'sandbox' }, 400],
    ['+15005550008', { SMS_PROVIDER: 'twilio', TWILIO_FROM: '+15005550009' }, 400],
    ['+15005550009', { SMS_PROVIDER: 'twilio', TWILIO_FROM: '+15005550009' }, 200],
    // A secret is not read to accept a request: the delivery decides.
    ['+15005550008', { SMS_PROVIDER: 'twilio' }, 200],
    ['+15005550008', { SMS_PROVIDER: 'sandbox' }, 200],
  ])('%s with %o is known at acceptance, if it can be', async (from, settings, expected) => {
    const body = { ...MINIMAL_BODY, sms: { message: 'm', from } };
    const { status, json } = await withSettings({ ...NUMBERS, ...settings }, () => sendBody(body));
    expect(status).toBe(expected);
    if (status === 400) expect(json.error.message).toContain('body.sms.from must be a number of the account');
  });
});

describe('the country of a text message', () => {
  const SETTINGS = {
    SMS_PROVIDER: 'twilio',
    TWILIO_FROM: '+12025550100',
    PHONE_NUMBERS: 'ACME,+447700900123',
  };
  const phoneNumbers = [{ number: '+447700900123', countries: ['GB', 'IE'] }, { number: 'ACME' }];
  const LONDON = '+447400123456';

  it.each([
    ['ACME', LONDON, undefined],
    ['ACME', '+33612345678', undefined],
    ['ACME', '+14155550123', 'must be a phone number: US delivers no text message from a sender ID'],
    ['ACME', '+16135550123', 'must be a phone number: CA delivers no text message from a sender ID'],
    ['ACME', '+8613912345678', 'must be a phone number: CN delivers no text message from a sender ID'],
    ['+447700900123', LONDON, undefined],
    ['+447700900123', '+353851234567', undefined],
    ['+447700900123', '+33612345678', 'must be one of the phoneNumbers of the account for FR'],
    ['+12025550100', '+33612345678', undefined],
  ])('lets %s send to %s, or says why not: %s', async (from, number, must) => {
    await withSettings(SETTINGS, async () => {
      const set = await call(updateAccount, { key: account.secret.key, body: { phoneNumbers } });
      expect([set.status, set.json.phoneNumbers]).toEqual([200, phoneNumbers]);
      const body = { ...MINIMAL_BODY, to: { id: `to${number}`, number }, sms: { message: 'm', from } };
      const ofRequest = await sendBody(body);
      const ofUser = await sendBody({ ...body, to: { id: `to${number}` } });
      for (const { status, json } of must ? [ofRequest] : [ofRequest, ofUser]) {
        expect(status).toBe(must ? 400 : 200);
        if (must) {
          expect(json.error.errors).toMatchObject([{ path: 'sms.from', message: must }]);
          expect(json.error.fix).toContain('phoneNumbers of GET /account');
        }
      }
    });
  });

  it.each([
    [[{ number: 'ACME', countries: ['US'] }], 'body.phoneNumbers[0].number must be a phone number: US'],
    [[{ number: 'ACME', countries: ['GB', 'US'] }], 'body.phoneNumbers[0].number must be a phone number: US'],
    [
      [{ number: 'ACME' }, { number: 'OTHER' }],
      'body.phoneNumbers[1].number must be a number of the account',
    ],
    [[{ number: '+15005550008' }], 'body.phoneNumbers[0].number must be a number of the account'],
    [[{ number: 'TWELVE CHARS' }], 'body.phoneNumbers[0].number must be a number such as'],
    [[{ number: 'ACME', countries: ['gb'] }], 'body.phoneNumbers[0].countries[0] must be a country code'],
    [[{ number: 'ACME', countries: [] }], 'body.phoneNumbers[0].countries must have at least 1 entry'],
    ['ACME', 'body.phoneNumbers'],
  ])('an account cannot have %j', async (phoneNumbers, message) => {
    await withSettings(SETTINGS, async () => {
      const { status, json } = await call(updateAccount, { key: account.secret.key, body: { phoneNumbers } });
      expect([status, json.error?.message]).toEqual([400, expect.stringContaining(message)]);
    });
  });
});

describe('an ID', () => {
  it.each([
    '...',
    '../x',
    'a#b',
    'a%23b',
    'a%2523b',
    '100%',
    'a/b',
    'a,b',
    '日本語',
    '👩‍🚀',
    'x'.repeat(256),
    'ü'.repeat(128),
    '__proto__',
    'constructor',
  ])('can be %s, for a user and for a type', async (id) => {
    const body = { ...MINIMAL_BODY, type: id, to: { ...TO, id }, subNotificationId: id };
    const { status, json } = await sendBody(body);
    expect(status).toBe(200);
    const log = await recordOf(account, json.trackingId);
    expect([log.user_id, log.type]).toEqual([id, id]);
    const user = await call(getUser, { key: account.secret.key, path: { userId: id } });
    expect(user.json.id).toBe(id);
  });

  it('derived from an email address is rejected when it is over 256 bytes', async () => {
    const email = `${'日'.repeat(64)}@${`${'日'.repeat(60)}.`.repeat(3)}jp`;
    const { status, json } = await sendBody({ ...MINIMAL_BODY, to: { email } });
    expect([status, json.error?.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('body.to.email ');
    const named = await sendBody({ ...MINIMAL_BODY, to: { id: 'ada', email } });
    expect(named.status).toBe(200);
  });
});

import { beforeAll, beforeEach, expect, it } from 'vitest';
import { handler } from '../../../../functions/workers/receipts/follow-up.ts';
import { ownProviders } from '../../../../shared/database/entities/settings/own-providers.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../../../shared/messaging/queues-port.ts';
import { entriesOf } from '../../../../shared/providers/order/provider-order.ts';
import { liveCall, liveSms } from '../../../../shared/providers/phone/phone.ts';
import { deploymentSource } from '../../../../shared/providers/settings/provider-source.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { startFakeTwilio } from '../../../support/fakes/twilio.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { useStarted } from '../../../support/use-started.ts';
import { deliverMessages, recordOf } from '../../../support/workers.ts';
import { accepted } from './accepted.ts';

const HOUR_MS = 3_600_000;
const app = useApp();
const account = useAccount(app);
const twilio = useStarted(startFakeTwilio);
let waits: number[];
let asked: QueueMessage[];
let isRefusing: boolean;
beforeAll(() => {
  Object.assign(process.env, {
    TWILIO_BASE_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_FROM: '+15005550006',
  });
});
beforeEach(() => {
  [waits, asked, isRefusing] = [[], [], false];
  replace(queues, () => ({
    send: async (_queue, messages) => {
      if (isRefusing) return [0];
      for (const message of messages) {
        const { waited } = JSON.parse(message.body);
        if (waited) waits.push((waited.untilMs - app.clock.nowMs) / 1000);
        else asked.push(message);
      }
      return [];
    },
    changeVisibility: async (_queue, _handle, seconds) => void waits.push(seconds),
    countWaiting: async () => 0,
  }));
});

async function questionOf(channel: 'SMS' | 'CALL', more: object = {}) {
  const tags = await accepted(account);
  return {
    followUp: 'status',
    channel,
    providerMessageId: `${channel}1`,
    ...tags,
    sentAtMs: app.clock.nowMs,
    ...more,
  };
}
const ask = async (body: object, attempt = 1) => {
  const before = waits.length;
  const left = await deliverMessages(handler, { body, attempt });
  return left.length > 0 || waits.length > before ? 'again' : 'done';
};
const responses = (...bodies: object[]) =>
  twilio.next(...bodies.map((body) => ({ status: 200, body: { sid: 'x', ...body } })));

it.each([
  [
    'SMS',
    { status: 'delivered', from: '+15005550006', date_updated: 'Sat, 21 Nov 2026 08:31:00 +0000' },
    { sms_delivered_at: '2026-11-21T08:31:00.000Z' },
  ],
  [
    'SMS',
    { status: 'undelivered', error_code: 30005 },
    { sms_failed_code: expect.any(String), sms_failed_internal: '30005 undelivered' },
  ],
  [
    'SMS',
    { status: 'failed', error_code: '30007', error_message: 'filtered' },
    { sms_failed_internal: '30007 failed filtered' },
  ],
  [
    'CALL',
    {
      status: 'completed',
      end_time: 'Sat, 21 Nov 2026 08:40:00 +0000',
      date_updated: 'Sat, 21 Nov 2026 08:41:00 +0000',
    },
    { call_delivered_code: 'COMPLETED', call_delivered_at: '2026-11-21T08:40:00.000Z' },
  ],
  ['CALL', { status: 'no-answer' }, { call_delivered_code: 'NO_ANSWER' }],
  ['CALL', { status: 'failed' }, { call_failed_internal: 'failed' }],
] as const)('records the status of a %s whose callback was lost: %j', async (channel, response, fields) => {
  const question = await questionOf(channel);
  responses(response);
  expect(await ask(question)).toBe('done');
  expect(await recordOf(account, question.trackingId)).toMatchObject(fields);
  const { trackingId, accountId, providerMessageId } = question;
  const price = { followUp: 'price', channel, providerMessageId, trackingId, accountId };
  expect(asked.map(({ body }) => JSON.parse(body))).toEqual([price]);
});

it('asks Twilio nothing about a message whose callback has arrived', async () => {
  const question = await questionOf('SMS');
  responses({ status: 'delivered' });
  await ask(question);
  const before = twilio.requests.length;
  expect(await ask(question)).toBe('done');
  expect([twilio.requests.length, asked.length]).toEqual([before, 1]);
});

it('asks for a day, less often the older the message is, however often Lambda was throttled', async () => {
  const question = await questionOf('SMS');
  const startMs = app.clock.nowMs;
  const hours = [0.25, 0.5, 1, 8, 23.9];
  responses(...hours.map(() => ({ status: 'sent' })), { status: 'sent' });
  for (const age of hours) {
    app.clock.nowMs = startMs + age * HOUR_MS;
    expect(await ask(question, 90)).toBe('again');
  }
  expect(waits).toEqual([900, 1800, 3600, 21_600, 21_600]);
  app.clock.nowMs = startMs + 24 * HOUR_MS;
  expect(await ask(question, 91)).toBe('done');
  app.clock.nowMs = startMs;
});

it('asks again when Twilio does not answer, and keeps the question when the price cannot be asked for', async () => {
  const question = await questionOf('SMS');
  twilio.fail({ status: 503 });
  expect(await ask(question)).toBe('again');
  isRefusing = true;
  responses({ status: 'delivered' });
  expect(await ask(question)).toBe('again');
  expect(await recordOf(account, question.trackingId)).not.toHaveProperty('sms_delivered_at');
  isRefusing = false;
  responses({ status: 'delivered' });
  expect(await ask(question)).toBe('done');
  expect(await recordOf(account, question.trackingId)).toHaveProperty('sms_delivered_at');
});

it("reads the status from an account's own provider, without its price; ends when the provider is gone", async () => {
  const question = await questionOf('SMS', { provider: 'twilio:mine' });
  const own = { TWILIO_ACCOUNT_SID: twilio.accountSid, TWILIO_AUTH_TOKEN: twilio.authToken };
  const found = resolve(ownProviders);
  expect(await ask(question)).toBe('done');
  expect(await recordOf(account, question.trackingId)).not.toHaveProperty('sms_delivered_at');
  replace(ownProviders, () => ({ ...found, find: async () => ({ 'twilio:mine': own }) }));
  responses({ status: 'delivered' });
  expect(await ask(question)).toBe('done');
  expect(await recordOf(account, question.trackingId)).toHaveProperty('sms_delivered_at');
  expect(asked).toEqual([]);
  replace(ownProviders, () => found);
});

it.each([
  ['SMS', liveSms, 'twilio'],
  ['CALL', liveCall, 'twilio'],
  ['SMS', liveSms, 'twilio:backup'],
] as const)('asks for the status of every %s that Twilio has accepted', async (channel, live, order) => {
  const [entry] = entriesOf([order]);
  if (!entry) throw new Error('no entry');
  for (const name of ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_BASE_URL'])
    process.env[`${name}_BACKUP`] = process.env[name];
  const provider = await live(entry, deploymentSource(entry));
  const tags = await accepted(account);
  const base = { ...tags, userId: 'ada', notificationId: 'n', attempt: 1, timeLeftMs: () => 30_000 };
  const outcome = await provider.deliver({
    ...base,
    to: '+12025550123',
    message: 'Hi',
    mediaUrls: [],
  } as never);
  expect([outcome.kind, asked]).toEqual(['sent', []]);
  await outcome.afterwards?.();
  expect(asked).toMatchObject([{ delaySeconds: 900 }]);
  expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
    ...{ followUp: 'status', channel, ...tags, sentAtMs: app.clock.nowMs },
    ...(order === 'twilio' ? {} : { provider: order }),
    providerMessageId: expect.stringMatching(channel === 'SMS' ? /^SM/ : /^CA/),
  });
  isRefusing = true;
  await outcome.afterwards?.();
});

import { beforeAll, beforeEach, expect, it } from 'vitest';
import { handler } from '../../../../functions/workers/receipts/follow-up.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { startFakeTwilio } from '../../../support/fakes/twilio.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { useStarted } from '../../../support/use-started.ts';
import { deliverMessages, recordOf } from '../../../support/workers.ts';
import { accepted } from './accepted.ts';

const app = useApp();
const account = useAccount(app);
const twilio = useStarted(startFakeTwilio);
let waits: number[];
beforeAll(() => {
  Object.assign(process.env, {
    TWILIO_BASE_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
  });
});
beforeEach(() => {
  waits = [];
  replace(queues, () => ({
    send: async (_queue, messages) => {
      for (const { body } of messages) waits.push((JSON.parse(body).waited.untilMs - app.clock.nowMs) / 1000);
      return [];
    },
    changeVisibility: async (_queue, _handle, seconds) => void waits.push(seconds),
    countWaiting: async () => 0,
  }));
});

/** Asks for the price at the given attempt; returns true if the question is asked again, without being in flight. */
async function ask(question: object, attempt = 1): Promise<boolean> {
  const before = waits.length;
  expect(await deliverMessages(handler, { body: { followUp: 'price', ...question }, attempt })).toEqual([]);
  return waits.length > before;
}

async function questionOf(channel: 'SMS' | 'CALL') {
  const { trackingId, accountId } = await accepted(account);
  return { channel, providerMessageId: `${channel}1`, trackingId, accountId };
}

const unknown = { status: 200, body: { sid: 'SMS1', price: null, price_unit: 'USD' } };

it.each([
  ['SMS', { sms_sent_cost: 0.0075, sms_carrier_cost_internal: 0.0075, sms_delivered_cost_internal: 0.0075 }],
  ['CALL', { call_delivered_cost: 0.0075, call_delivered_cost_internal: 0.0075 }],
] as const)('records the price of a %s as positive dollars', async (channel, fields) => {
  const question = await questionOf(channel);
  expect(await ask(question)).toBe(false);
  expect(await recordOf(account, question.trackingId)).toMatchObject(fields);
});

it('asks again for a price that is not known yet, at growing intervals for an hour', async () => {
  const question = await questionOf('SMS');
  twilio.next(...Array.from({ length: 6 }, () => unknown));
  for (const attempt of [1, 2, 3, 4, 5]) expect(await ask(question, attempt)).toBe(true);
  expect(await ask(question, 6)).toBe(false);
  expect(waits).toEqual([120, 240, 480, 960, 1920]);
  expect(await recordOf(account, question.trackingId)).not.toHaveProperty('sms_sent_cost');
});

it('asks for an hour, however often Lambda was throttled', async () => {
  const question = await questionOf('SMS');
  twilio.next(unknown, unknown);
  const body = { followUp: 'price', ...question };
  expect(await deliverMessages(handler, { body, attempt: 90, sentAtMs: app.clock.nowMs })).toEqual([]);
  expect(waits).toEqual([1920]);
  const longAgo = app.clock.nowMs - 3_600_000;
  expect(await deliverMessages(handler, { body, attempt: 91, sentAtMs: longAgo })).toEqual([]);
});

it('asks again when the provider is unavailable', async () => {
  const question = await questionOf('SMS');
  twilio.fail({ status: 503 });
  expect(await ask(question)).toBe(true);
  expect(await ask(question, 2)).toBe(false);
  expect(await recordOf(account, question.trackingId)).toMatchObject({ sms_sent_cost: 0.0075 });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../../functions/types/update-type.ts';
import { handler as deliverCall } from '../../../../functions/workers/delivery/deliver-call.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { callProvider, smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';

const app = useApp();
const delivered: Record<string, unknown>[] = [];

beforeEach(() => {
  delivered.length = 0;
  const provider = {
    name: 'recorder',
    deliver: async (delivery: object) => {
      delivered.push({ ...delivery });
      return { kind: 'sent' as const, fields: {} };
    },
  };
  replace(smsProvider, () => provider);
  replace(callProvider, () => provider);
  return () => vi.unstubAllEnvs();
});

async function sent(type: object, options: object, delayMs = 0) {
  app.clock.nowMs += 60_000;
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const body = { notificationId: 'code', title: 'Code', channels: ['SMS', 'CALL'], ...type };
  expect((await call(createType, { key, body })).json.error).toBeUndefined();
  const content = { sms: { message: 'Hi' }, call: { message: 'Hi' } };
  const request = { type: 'code', to: { id: 'ada', number: '+12025550123' }, ...content, options };
  const { json } = await call(send, { key, body: request });
  const atMs = app.clock.nowMs;
  app.clock.nowMs += delayMs;
  await deliver(deliverSms, { trackingId: json.trackingId });
  await deliver(deliverCall, { trackingId: json.trackingId });
  app.clock.nowMs = atMs + delayMs;
  return { account, atMs, trackingId: json.trackingId };
}

describe('limits of texts and calls', () => {
  const DEPLOYMENT = {
    SMS_VALIDITY_SECONDS: '600',
    SMS_MAX_PRICE_USD: '0.2',
    SMS_MESSAGE_TYPE: 'promotional',
    CALL_TIMEOUT_SECONDS: '30',
    CALL_MAX_MINUTES: '5',
  };
  const TYPE = {
    options: {
      sms: { validitySeconds: 300, maxPrice: 0.1, messageType: 'transactional' },
      call: { timeoutSeconds: 20, maxMinutes: 3 },
    },
  };
  const REQUEST = {
    sms: { validitySeconds: 120, maxPrice: 0.05, messageType: 'promotional' },
    call: { timeoutSeconds: 10, maxMinutes: 1 },
  };

  it.each([
    ['none', {}, {}, {}, [undefined, undefined, 'transactional', undefined, undefined]],
    ['those of the deployment', DEPLOYMENT, {}, {}, [600, 0.2, 'promotional', 30, 5]],
    ['those of the type', DEPLOYMENT, TYPE, {}, [300, 0.1, 'transactional', 20, 3]],
    ['those of the request', DEPLOYMENT, TYPE, REQUEST, [120, 0.05, 'promotional', 10, 1]],
  ])(
    'are %s',
    async (_name, settings, type, request, [
      seconds,
      maxPriceUsd,
      messageType,
      timeoutSeconds,
      maxMinutes,
    ]) => {
      for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
      const { atMs } = await sent(type, request);
      const [text, spoken] = delivered;
      expect([text?.validUntilMs, text?.maxPriceUsd, text?.messageType]).toEqual([
        seconds === undefined ? undefined : atMs + Number(seconds) * 1000,
        maxPriceUsd,
        messageType,
      ]);
      expect([spoken?.timeoutSeconds, spoken?.maxMinutes]).toEqual([timeoutSeconds, maxMinutes]);
    },
  );

  it('fail a text message that comes too late instead of sending it', async () => {
    const { account, trackingId } = await sent(TYPE, {}, 300_000);
    expect(delivered.filter(({ mediaUrls }) => mediaUrls)).toEqual([]);
    expect(await recordOf(account, trackingId)).toMatchObject({ sms_failed_code: '30008' });
  });

  it.each([
    { sms: { validitySeconds: 4 } },
    { sms: { validitySeconds: 300_000 } },
    { sms: { maxPrice: 0 } },
    { sms: { messageType: 'PROMOTIONAL' } },
    { sms: { riskCheck: true } },
    { call: { timeoutSeconds: 121 } },
    { call: { maxMinutes: 0.5 } },
  ])('are refused on types and requests if they are invalid: %j', async (options) => {
    const { key } = (await createTestAccount(app)).secret;
    const body = { notificationId: 'code', title: 'Code', channels: ['SMS'], options };
    expect((await call(createType, { key, body })).json.error.code).toBe('INVALID_REQUEST');
    const request = { type: 'x', to: { number: '+12025550123' }, sms: { message: 'Hi' }, options };
    expect((await call(send, { key, body: request })).json.error.code).toBe('INVALID_REQUEST');
  });

  it('of a type stay when other options change, and end with null', async () => {
    const { account } = await sent(TYPE, {});
    const path = { notificationId: 'code' };
    const change = async (options: object) =>
      (await call(updateType, { key: account.secret.key, path, body: { options } })).json.options;
    expect(await change({ SMS: { defaultDeliveryOption: 'instant' } })).toMatchObject(TYPE.options);
    expect(await change({ sms: null })).not.toHaveProperty('sms');
  });
});

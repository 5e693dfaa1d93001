import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../../functions/account/update-account.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';

const account = useAccount(useApp());
let froms: (string | undefined)[];

/** Sends a text from `from` and delivers it; the log record. */
async function deliverFrom(
  from: string | undefined,
  settings: Record<string, string>,
  number = '+12025550123',
) {
  Object.assign(process.env, settings);
  froms = [];
  replace(smsProvider, () => ({
    name: 'scripted',
    async deliver(delivery) {
      froms.push(delivery.from);
      return { kind: 'sent', fields: {} };
    },
  }));
  const to = { id: 'ada', number };
  const body = { type: 'code', to, sms: { message: 'Hi', ...(from ? { from } : {}) } };
  const { json } = await call(send, { key: account.secret.key, body });
  expect(await deliver(handler, json)).toEqual([]);
  return recordOf(account, json.trackingId);
}

describe('sms.from', () => {
  it.each([
    ['a listed number', '+12025550100', { SMS_PROVIDER: 'aws', PHONE_NUMBERS: '+12025550177, +12025550100' }],
    [
      'a listed number in another notation',
      '(202) 555-0100',
      { SMS_PROVIDER: 'aws', PHONE_NUMBERS: '+12025550100' },
    ],
    [
      'the number of AWS',
      '+12025550100',
      { SMS_PROVIDER: 'aws', PHONE_ORIGINATION_IDENTITY: '+12025550100' },
    ],
    ['the number of Twilio', '+12025550100', { SMS_PROVIDER: 'twilio', TWILIO_FROM: '+12025550100' }],
    ['the number of Telnyx', '+12025550100', { SMS_PROVIDER: 'telnyx', TELNYX_FROM: '+12025550100' }],
    ['any number in the sandbox', '+12025550100', { SMS_PROVIDER: 'sandbox' }],
  ])('accepts %s', async (_, from, settings) => {
    expect((await deliverFrom(from, settings)).sms_sent_at).toBeDefined();
    expect(froms).toEqual(['+12025550100']);
  });

  it('accepts a number that is listed for this account only', async () => {
    const PHONE_NUMBERS = `${account.account.accountId}:+12025550100`;
    await deliverFrom('+12025550100', { SMS_PROVIDER: 'telnyx', PHONE_NUMBERS });
    expect(froms).toEqual(['+12025550100']);
  });

  it.each([
    ['an unlisted number', '+12025550199', { SMS_PROVIDER: 'telnyx', PHONE_NUMBERS: '+12025550100' }],
    [
      'a number of another account',
      '+12025550100',
      { SMS_PROVIDER: 'telnyx', PHONE_NUMBERS: 'other:+12025550100' },
    ],
    ['another provider’s number', '+12025550100', { SMS_PROVIDER: 'telnyx', TWILIO_FROM: '+12025550100' }],
  ])('fails with 21612 and no call for %s', async (_, from, settings) => {
    expect(await deliverFrom(from, settings)).toMatchObject({
      sms_failed_code: '21612',
      sms_failed_internal: 'sms.from is not a number of the account',
    });
    expect(froms).toEqual([]);
  });
});

describe("the account's phoneNumbers", () => {
  const NUMBERS = {
    SMS_PROVIDER: 'twilio',
    PHONE_NUMBERS: 'ACME,+447700900123,+12025550100,+12025550177',
    TWILIO_FROM: '+12025550177',
  };
  const phoneNumbers = [
    { number: 'ACME' },
    { number: '+447700900123', countries: ['GB', 'IE'] },
    { number: '+12025550100', countries: ['US', 'CA'] },
  ];

  it.each([
    ['+447400123456', '+447700900123'],
    ['+353851234567', '+447700900123'],
    ['+14155550123', '+12025550100'],
    ['+33612345678', 'ACME'],
    // Carriers of Brazil take no sender ID, so the provider's default is used.
    ['+5511961234567', undefined],
  ])('choose for %s: %s', async (to, from) => {
    Object.assign(process.env, NUMBERS);
    await call(updateAccount, { key: account.secret.key, body: { phoneNumbers } });
    expect((await deliverFrom(undefined, NUMBERS, to)).sms_sent_at).toBeDefined();
    expect(froms).toEqual([from]);
    await call(updateAccount, { key: account.secret.key, body: { phoneNumbers: null } });
  });

  it('do not replace the number of the request', async () => {
    Object.assign(process.env, NUMBERS);
    await call(updateAccount, { key: account.secret.key, body: { phoneNumbers } });
    await deliverFrom('ACME', NUMBERS, '+447400123456');
    expect(froms).toEqual(['ACME']);
    await call(updateAccount, { key: account.secret.key, body: { phoneNumbers: null } });
  });
});

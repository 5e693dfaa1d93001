import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { smsProvider } from '../../../../shared/providers/phone.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';

const account = useAccount(useApp());
let froms: (string | undefined)[];

/** Sends a text from `from` and delivers it; the log record. */
async function deliverFrom(from: string, settings: Record<string, string>) {
  Object.assign(process.env, settings);
  froms = [];
  replace(smsProvider, () => ({
    name: 'scripted',
    async deliver(delivery) {
      froms.push(delivery.from);
      return { kind: 'sent', fields: {} };
    },
  }));
  const to = { id: 'ada', number: '+12025550123' };
  const body = { type: 'code', to, sms: { message: 'Hi', from } };
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

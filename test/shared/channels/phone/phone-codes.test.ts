import { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { describe, expect, it } from 'vitest';
import { createAwsCallProvider, createAwsSmsProvider } from '../../../../shared/channels/phone/aws/aws.ts';
import {
  AWS_EVENTS,
  AWS_EXCEPTIONS,
  AWS_FIELDS,
  AWS_MISSING_RESOURCES,
  AWS_REASONS,
} from '../../../../shared/channels/phone/aws/aws-codes.ts';
import { storeCarriers } from '../../../../shared/channels/phone/numbers/carrier.ts';
import { outcomeOfStatus, UNKNOWN_CODE } from '../../../../shared/channels/phone/outcome/phone-outcome.ts';
import {
  createTelnyxCallProvider,
  createTelnyxSmsProvider,
} from '../../../../shared/channels/phone/telnyx/telnyx.ts';
import { TELNYX_CODES, TELNYX_HANGUP_CAUSES } from '../../../../shared/channels/phone/telnyx/telnyx-codes.ts';
import {
  createTwilioCallProvider,
  createTwilioSmsProvider,
} from '../../../../shared/channels/phone/twilio/twilio.ts';
import { TWILIO_CODES } from '../../../../shared/channels/phone/twilio/twilio-codes.ts';
import type { PhoneCarrier } from '../../../../shared/database/entities/usage/carriers.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { startFakeAwsSms } from '../../../support/fakes/aws-sms.ts';
import { startFakeTelnyx } from '../../../support/fakes/telnyx.ts';
import { startFakeTwilio } from '../../../support/fakes/twilio.ts';
import { HANG_MS } from '../../../support/until.ts';
import { callDelivery, smsDelivery, started, withoutFrom } from './deliveries.ts';

async function everyProvider() {
  const aws = await started(startFakeAwsSms());
  const twilio = await started(startFakeTwilio());
  const telnyx = await started(startFakeTelnyx());
  const http = createProviderClient({ timeoutMs: HANG_MS });
  const client = new PinpointSMSVoiceV2Client({
    endpoint: aws.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts: 1,
  });
  const copyMedia = async () => ({ s3Url: 's3://media/1' });
  const { accountSid, authToken } = twilio;
  const twilioOptions = { baseUrl: twilio.url, accountSid, authToken, http };
  const telnyxOptions = { baseUrl: telnyx.url, apiKey: telnyx.apiKey, http };
  const telnyxCall = { ...telnyxOptions, accountSid: telnyx.accountSid, applicationId: 'app-1' };
  return {
    requestCount: () => aws.requests.length + twilio.requests.length + telnyx.requests.length,
    sms: [
      createAwsSmsProvider({ client, copyMedia }),
      createTwilioSmsProvider(twilioOptions),
      createTelnyxSmsProvider(telnyxOptions),
    ],
    call: [
      createAwsCallProvider({ client }),
      createTwilioCallProvider(twilioOptions),
      createTelnyxCallProvider(telnyxCall),
    ],
  };
}

describe('every phone provider', () => {
  it('goes by the name used in the configuration', async () => {
    const { sms, call } = await everyProvider();
    expect(sms.map(({ name }) => name)).toEqual(['aws', 'twilio', 'telnyx']);
    expect(call.map(({ name }) => name)).toEqual(['aws', 'twilio', 'telnyx']);
  });

  it.each([
    [{ to: '' }, 'MISSING_SMS_RECIPIENT'],
    [{ to: ' ' }, 'MISSING_SMS_RECIPIENT'],
    [{ message: '' }, 'MISSING_SMS_MESSAGE'],
    [{ message: ' \n' }, 'MISSING_SMS_MESSAGE'],
    [{ to: '+1415555267' }, 'INVALID_PHONE_NUMBER'],
    [{ to: '+999123456789' }, 'INVALID_PHONE_NUMBER'],
    [{ to: 'user-1' }, 'INVALID_PHONE_NUMBER'],
  ])('rejects %j with %s before any call', async (change, code) => {
    const { sms, call, requestCount } = await everyProvider();
    for (const provider of sms) {
      expect(await provider.deliver(smsDelivery(change))).toMatchObject({ kind: 'rejected', code });
    }
    for (const provider of call) {
      expect(await provider.deliver(callDelivery(change))).toMatchObject({ kind: 'rejected', code });
    }
    expect(requestCount()).toBe(0);
  });

  it('rejects a delivery without a sender with 21612 before any call, except for text messages over AWS', async () => {
    const { sms, call, requestCount } = await everyProvider();
    const refusal = { kind: 'rejected', code: '21612' };
    for (const provider of sms.slice(1)) {
      expect(await provider.deliver(withoutFrom(smsDelivery()))).toMatchObject(refusal);
    }
    for (const provider of call) {
      expect(await provider.deliver(withoutFrom(callDelivery()))).toMatchObject(refusal);
    }
    expect(requestCount()).toBe(0);
  });
});

describe('every code that a phone provider can record', () => {
  const outcomes = [
    ...[AWS_REASONS, AWS_FIELDS, AWS_MISSING_RESOURCES, AWS_EXCEPTIONS, TWILIO_CODES, TELNYX_CODES].flatMap(
      (table) => Object.values(table),
    ),
    ...[200, 301, 400, 404, 408, 409, 429, 500, 503].map(outcomeOfStatus),
  ].map(({ code }) => code);
  const events = Object.values(AWS_EVENTS).flatMap((meaning) =>
    meaning.kind === 'failed' ? [meaning.code] : [],
  );
  const codes = [...new Set([...outcomes, ...events, UNKNOWN_CODE])];

  it.each(codes)('%s is a documented code of SMS and CALL', (code) => {
    expect(FAILURE_CODES.SMS).toContain(code);
    expect(FAILURE_CODES.CALL).toContain(code);
  });

  it('includes every documented code', () => {
    expect([...codes].sort()).toEqual([...FAILURE_CODES.SMS].sort());
  });

  it('ends calls with a documented result', () => {
    const ends = [
      ...Object.values(TELNYX_HANGUP_CAUSES).filter((end) => end !== 'failed'),
      ...Object.values(AWS_EVENTS).flatMap((meaning) => ('callCode' in meaning ? [meaning.callCode] : [])),
    ];
    expect(new Set(ends)).toEqual(new Set(['COMPLETED', 'BUSY', 'NO_ANSWER', 'UNKNOWN']));
  });
});

describe('stored carriers', () => {
  it('last 90 days, and expire immediately when nothing was found', async () => {
    const kept = new Map<string, { carrier: PhoneCarrier; expiresAtMs: number }>();
    let nowMs = 0;
    const asked: string[] = [];
    const find = storeCarriers(
      async (number) => {
        asked.push(number);
        return number === '+1' ? { name: 'A' } : undefined;
      },
      {
        get: async (number) => {
          const entry = kept.get(number);
          return entry && entry.expiresAtMs > nowMs ? entry.carrier : undefined;
        },
        put: async (number, carrier, expiresAtMs) => void kept.set(number, { carrier, expiresAtMs }),
      },
      { now: () => nowMs },
    );
    expect([await find('+1'), await find('+1'), await find('+2'), await find('+2')]).toEqual([
      { name: 'A' },
      { name: 'A' },
      undefined,
      undefined,
    ]);
    expect(asked).toEqual(['+1', '+2', '+2']);
    nowMs = 90 * 86_400_000;
    await find('+1');
    expect(asked).toHaveLength(4);
  });
});

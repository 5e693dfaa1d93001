import { describe, expect, it } from 'vitest';
import type { FindCarrier } from '../../../../shared/channels/phone/numbers/carrier.ts';
import {
  createTwilioCarrierLookup,
  createTwilioCostReader,
} from '../../../../shared/channels/phone/twilio/twilio.ts';
import { callDelivery, smsDelivery, TAGS_QUERY, withoutFrom } from './deliveries.ts';
import { fakeTwilio } from './twilio-setup.ts';

describe('SMS over Twilio', () => {
  it('posts the message with its callback and records the sent fields', async () => {
    const { fake, sms } = await fakeTwilio();
    const outcome = await sms({
      statusCallbackUrl: 'https://api.example.com/callbacks/twilio/sms',
      validityPeriodSeconds: 600,
      riskCheck: 'disable',
      isSmartEncoded: true,
    }).deliver(smsDelivery({ message: 'Größe & Preis: 5 < 6 ✓' }));
    expect(fake.requests[0]).toMatchObject({
      method: 'POST',
      path: `/2010-04-01/Accounts/${fake.accountSid}/Messages.json`,
    });
    expect([...(fake.forms()[0] ?? [])]).toEqual([
      ['To', '+14155552671'],
      ['From', '+15005550006'],
      ['Body', 'Größe & Preis: 5 < 6 ✓'],
      ['StatusCallback', `https://api.example.com/callbacks/twilio/sms?${TAGS_QUERY}#rc=5&rp=all`],
      ['ValidityPeriod', '600'],
      ['RiskCheck', 'disable'],
      ['SmartEncoded', 'true'],
    ]);
    expect(outcome).toEqual({
      kind: 'sent',
      fields: {
        sms_sent_from: '+15005550006',
        sms_sent_messageId: expect.stringMatching(/^SM[0-9a-f]{32}$/),
        sms_sent_encoding: 'UCS-2',
        sms_sent_segments: 1,
        sms_sent_parts: 1,
        sms_sent_country: 'US',
      },
    });
  });

  it('uses the segments that Twilio counts, and its price when it reports one', async () => {
    const { fake, sms } = await fakeTwilio();
    fake.next({ status: 201, body: { sid: 'SM1', num_segments: '3', price: '-0.0225', price_unit: 'USD' } });
    expect(await sms().deliver(smsDelivery())).toMatchObject({
      fields: { sms_sent_segments: 3, sms_sent_parts: 3, sms_sent_cost: 0.0225, sms_sent_encoding: 'GSM-7' },
    });
    fake.next({ status: 201, body: { sid: 'SM1', num_segments: '1', price: '-0.02', price_unit: 'EUR' } });
    expect(await sms().deliver(smsDelivery())).not.toHaveProperty('fields.sms_sent_cost');
  });

  it("sends from the delivery's number, else the configured number, else the messaging service", async () => {
    const { fake, sms } = await fakeTwilio();
    const configured = { from: '+15005550001', messagingServiceSid: 'MG1' };
    await sms(configured).deliver(smsDelivery());
    await sms(configured).deliver(withoutFrom(smsDelivery()));
    const served = await sms({ messagingServiceSid: 'MG1' }).deliver(withoutFrom(smsDelivery()));
    expect(fake.forms().map((form) => [form.get('From'), form.get('MessagingServiceSid')])).toEqual([
      ['+15005550006', null],
      ['+15005550001', null],
      [null, 'MG1'],
    ]);
    expect(served).not.toHaveProperty('fields.sms_sent_from');
  });

  it('sends the media URLs unchanged', async () => {
    const { fake, sms } = await fakeTwilio();
    const mediaUrls = ['https://a.example/1.png?x=1&y=2', 'https://a.example/2.png'];
    const outcome = await sms().deliver(smsDelivery({ message: '', mediaUrls }));
    expect(fake.forms()[0]?.getAll('MediaUrl')).toEqual(mediaUrls);
    expect(fake.forms()[0]?.has('Body')).toBe(false);
    expect(outcome).toMatchObject({
      fields: { sms_sent_messageId: expect.stringMatching(/^MM/), sms_sent_mms: true, sms_sent_segments: 1 },
    });
    expect(outcome).not.toHaveProperty('fields.sms_sent_encoding');
  });

  it('adds the carrier from a lookup', async () => {
    const { common, sms } = await fakeTwilio();
    const outcome = await sms({ findCarrier: createTwilioCarrierLookup(common) }).deliver(smsDelivery());
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: { sms_sent_carrier: 'Fake Wireless', sms_sent_line_type: 'mobile', sms_sent_country: 'US' },
    });
  });

  it('counts a message as sent although the lookup throws', async () => {
    const { sms } = await fakeTwilio();
    const findCarrier: FindCarrier = () => Promise.reject(new Error('the store is down'));
    expect(await sms({ findCarrier }).deliver(smsDelivery())).toMatchObject({ kind: 'sent' });
  });

  it('authenticates with an API key when there is one', async () => {
    const { fake, sms } = await fakeTwilio();
    fake.next({ status: 201, body: { sid: 'SM1' } });
    await sms({ apiKey: { sid: 'SK1', secret: 's' } }).deliver(smsDelivery());
    expect(fake.requests[0]?.headers.authorization).toBe(`Basic ${btoa('SK1:s')}`);
  });
});

describe('until when a text over Twilio is valid', () => {
  const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
  it.each([
    [undefined, 1800, '1800'],
    [600, 1800, '600'],
    [3600, 1800, '1800'],
    [undefined, 0.2, '1'],
    [undefined, 36_001, undefined],
    [600, undefined, '600'],
  ])('with %s by configuration, and %s seconds until quiet hours', async (usual, seconds, expected) => {
    const { fake, sms } = await fakeTwilio();
    const validUntilMs = seconds && NOW_MS + seconds * 1000;
    const options = usual === undefined ? {} : { validityPeriodSeconds: usual };
    await sms(options).deliver(smsDelivery({ validUntilMs }));
    expect(fake.forms()[0]?.get('ValidityPeriod') ?? undefined).toBe(expected);
  });
});

describe('CALL over Twilio', () => {
  it('detects machines in the background on request, if their report can arrive', async () => {
    const { fake, call } = await fakeTwilio();
    const statusCallbackUrl = 'https://api.example.com/callbacks/twilio/call';
    for (const [options, delivery] of [
      [{ statusCallbackUrl }, { machineDetection: true }],
      [{ statusCallbackUrl }, {}],
      [{}, { machineDetection: true }],
    ] as const)
      await call(options).deliver(callDelivery(delivery));
    const asked = fake.forms().map((form) => [form.get('MachineDetection'), form.get('AsyncAmd')]);
    expect(asked).toEqual([
      ['Enable', 'true'],
      [null, null],
      [null, null],
    ]);
    expect(fake.forms()[0]?.get('AsyncAmdStatusCallback')).toBe(fake.forms()[0]?.get('StatusCallback'));
  });

  it('speaks the escaped text and requests one callback at the end', async () => {
    const { fake, call } = await fakeTwilio();
    const outcome = await call({
      statusCallbackUrl: 'https://api.example.com/callbacks/twilio/call',
    }).deliver(callDelivery({ message: 'Salt & <Pause/>', timeoutSeconds: 25, maxMinutes: 2 }));
    expect(fake.requests[0]?.path).toBe(`/2010-04-01/Accounts/${fake.accountSid}/Calls.json`);
    expect([...(fake.forms()[0] ?? [])]).toEqual([
      ['To', '+14155552671'],
      ['From', '+15005550006'],
      ['Twiml', '<Response><Say>Salt &amp; &lt;Pause/&gt;</Say></Response>'],
      ['StatusCallback', `https://api.example.com/callbacks/twilio/call?${TAGS_QUERY}#rc=5&rp=all`],
      ['StatusCallbackEvent', 'completed'],
      ['Timeout', '25'],
      ['TimeLimit', '120'],
    ]);
    expect(outcome).toEqual({ kind: 'sent', fields: { call_sent_from: '+15005550006' } });
  });

  it('requests no callback when none is configured', async () => {
    const { fake, call } = await fakeTwilio();
    await call().deliver(callDelivery());
    expect(fake.forms()[0]?.has('StatusCallback')).toBe(false);
    expect(fake.forms()[0]?.has('StatusCallbackEvent')).toBe(false);
  });
});

describe('the cost of a message or call', () => {
  it('parses as a positive number of USD', async () => {
    const { fake, common } = await fakeTwilio();
    const reader = createTwilioCostReader(common);
    expect(await reader.findCostUsd('SMS', 'SM1')).toBe(0.0075);
    expect(await reader.findCostUsd('CALL', 'CA1')).toBe(0.0075);
    expect(fake.requests.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual([
      'Messages/SM1.json',
      'Calls/CA1.json',
    ]);
  });

  it('stays unknown while Twilio does not report it, or rejects the request', async () => {
    const { fake, common } = await fakeTwilio();
    fake.next({ status: 200, body: { sid: 'SM1', price: null, price_unit: 'USD' } });
    fake.fail({ status: 404, code: 20404 });
    const reader = createTwilioCostReader(common);
    expect(await reader.findCostUsd('SMS', 'SM1')).toBeUndefined();
    expect(await reader.findCostUsd('SMS', 'SM1')).toBeUndefined();
  });
});

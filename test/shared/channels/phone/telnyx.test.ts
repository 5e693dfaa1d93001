import { describe, expect, it } from 'vitest';
import type { FindCarrier } from '../../../../shared/channels/phone/numbers/carrier.ts';
import { createTelnyxCarrierLookup } from '../../../../shared/channels/phone/telnyx/telnyx.ts';
import { buildTelnyxMessage } from '../../../support/fakes/telnyx.ts';
import { callDelivery, smsDelivery, TAGS_QUERY, withoutFrom } from './deliveries.ts';
import { fakeTelnyx } from './telnyx-setup.ts';

describe('SMS over Telnyx', () => {
  it('posts the message with its callback and records every sent field that Telnyx reports', async () => {
    const { fake, sms } = await fakeTelnyx();
    const outcome = await sms({
      messagingProfileId: 'profile-1',
      encoding: 'auto',
      statusCallbackUrl: 'https://api.example.com/callbacks/telnyx/sms',
      webhookFailoverUrl: 'https://spare.example.com/callbacks/telnyx/sms',
      isProfileWebhookUsed: false,
    }).deliver(smsDelivery());
    expect(fake.requests[0]).toMatchObject({ method: 'POST', path: '/v2/messages' });
    expect(fake.bodies()).toEqual([
      {
        from: '+15005550006',
        messaging_profile_id: 'profile-1',
        to: '+14155552671',
        text: 'Your order is on its way.',
        type: 'SMS',
        encoding: 'auto',
        webhook_url: `https://api.example.com/callbacks/telnyx/sms?${TAGS_QUERY}`,
        webhook_failover_url: `https://spare.example.com/callbacks/telnyx/sms?${TAGS_QUERY}`,
        use_profile_webhooks: false,
      },
    ]);
    expect(outcome).toEqual({
      kind: 'sent',
      fields: {
        sms_sent_from: '+15005550006',
        sms_sent_messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sms_sent_carrier: 'Fake Wireless',
        sms_sent_line_type: 'Wireless',
        sms_sent_encoding: 'GSM-7',
        sms_sent_segments: 1,
        sms_sent_parts: 1,
        sms_sent_country: 'US',
        sms_sent_cost: 0.0051,
        sms_carrier_cost_internal: 0.0051,
        sms_rate_internal: 0.0021,
        sms_carrier_fee_internal: 0.003,
      },
    });
  });

  it('calculates what Telnyx does not report yet', async () => {
    const { fake, sms } = await fakeTelnyx();
    fake.next({
      status: 200,
      body: { data: { id: 'm-1', to: [], cost: null, cost_breakdown: null, parts: null } },
    });
    expect(await sms().deliver(smsDelivery({ message: 'é'.repeat(161) }))).toEqual({
      kind: 'sent',
      fields: {
        sms_sent_from: '+15005550006',
        sms_sent_messageId: 'm-1',
        sms_sent_encoding: 'GSM-7',
        sms_sent_segments: 2,
        sms_sent_parts: 2,
        sms_sent_country: 'US',
      },
    });
  });

  it('uses the encoding and parts that Telnyx reports', async () => {
    const { fake, sms } = await fakeTelnyx();
    fake.next({ status: 200, body: { data: buildTelnyxMessage({ encoding: 'UTF-16', parts: 3 }) } });
    expect(await sms().deliver(smsDelivery())).toMatchObject({
      fields: { sms_sent_encoding: 'UCS-2', sms_sent_segments: 3, sms_sent_parts: 3 },
    });
  });

  it('sends the media URLs as MMS', async () => {
    const { fake, sms } = await fakeTelnyx();
    const mediaUrls = ['https://a.example/1.png', 'https://a.example/2.png'];
    const outcome = await sms({ subject: 'Photos' }).deliver(smsDelivery({ message: '', mediaUrls }));
    expect(fake.bodies()[0]).toMatchObject({ type: 'MMS', media_urls: mediaUrls, subject: 'Photos' });
    expect(fake.bodies()[0]).not.toHaveProperty('text');
    expect(outcome).toMatchObject({ fields: { sms_sent_mms: true, sms_sent_segments: 1 } });
    expect(outcome).not.toHaveProperty('fields.sms_sent_encoding');
  });

  it('lets the messaging profile choose the number when none is named', async () => {
    const { fake, sms } = await fakeTelnyx();
    const outcome = await sms({ messagingProfileId: 'profile-1' }).deliver(withoutFrom(smsDelivery()));
    expect(fake.bodies()[0]).not.toHaveProperty('from');
    expect(outcome).toMatchObject({ fields: { sms_sent_from: '+15005550006' } });
  });

  it('reaches the same address whether or not the base URL ends in its version', async () => {
    const { fake, sms } = await fakeTelnyx();
    for (const baseUrl of [fake.url, `${fake.url}/`, `${fake.url}/v2`, `${fake.url}/v2/`]) {
      expect(await sms({ baseUrl }).deliver(smsDelivery())).toMatchObject({ kind: 'sent' });
    }
  });

  it('adds the result of a lookup if the send reported nothing', async () => {
    const { fake, common, sms } = await fakeTelnyx();
    const findCarrier: FindCarrier = createTelnyxCarrierLookup(common);
    expect(await findCarrier('+14155552671')).toEqual({
      name: 'Fake Wireless',
      lineType: 'mobile',
      country: 'US',
    });
    expect(fake.requests[0]?.query.get('type')).toBe('carrier');
    fake.fail({ status: 404, code: '10005' });
    expect(await findCarrier('+14155552671')).toBeUndefined();
    const known: FindCarrier = async () => ({ name: 'Other', lineType: 'voip', country: 'CA' });
    expect(await sms({ findCarrier: known }).deliver(smsDelivery())).toMatchObject({
      fields: { sms_sent_carrier: 'Fake Wireless', sms_sent_line_type: 'Wireless', sms_sent_country: 'US' },
    });
  });
});

describe('CALL over Telnyx', () => {
  it('speaks the text, escaped, by TeXML', async () => {
    const { fake, call } = await fakeTelnyx();
    const outcome = await call({
      statusCallbackUrl: 'https://api.example.com/callbacks/telnyx/call',
    }).deliver(callDelivery({ message: 'Salt & <Pause/>', timeoutSeconds: 25, maxMinutes: 2 }));
    expect(fake.requests[0]?.path).toBe(`/v2/texml/Accounts/${fake.accountSid}/Calls`);
    expect(fake.bodies()).toEqual([
      {
        ApplicationSid: 'app-1',
        To: '+14155552671',
        From: '+15005550006',
        Texml: '<Response><Say>Salt &amp; &lt;Pause/&gt;</Say></Response>',
        StatusCallback: `https://api.example.com/callbacks/telnyx/call?${TAGS_QUERY}`,
        StatusCallbackMethod: 'POST',
        StatusCallbackEvent: 'completed',
        Timeout: 25,
        TimeLimit: 120,
      },
    ]);
    expect(outcome).toEqual({ kind: 'sent', fields: { call_sent_from: '+15005550006' } });
  });
});

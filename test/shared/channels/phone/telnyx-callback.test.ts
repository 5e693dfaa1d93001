import { describe, expect, it } from 'vitest';
import { buildCallbackUrl } from '../../../../shared/channels/phone/callback-url.ts';
import { parseTelnyxCallback } from '../../../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { buildTelnyxEvent, buildTelnyxMessage } from '../../../support/fakes/telnyx.ts';
import { TAGS } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00.500Z');
const OCCURRED_AT = '2026-11-20T10:00:00.000Z';
const WEBHOOK_URL = buildCallbackUrl('https://api.example.com/callbacks/telnyx/sms', TAGS);

function parse(rawBody: string, tags: Partial<typeof TAGS> = {}) {
  return parseTelnyxCallback({ rawBody, tags, nowMs: NOW_MS });
}

function finalized(status: string, overrides: Record<string, unknown> = {}, type = 'message.finalized') {
  const to = [{ phone_number: '+14155552671', status, carrier: 'Fake Wireless', line_type: 'Wireless' }];
  const message = buildTelnyxMessage({ id: 'm-1', to, webhook_url: WEBHOOK_URL, ...overrides });
  return parse(buildTelnyxEvent(type, message, OCCURRED_AT));
}

const SENT_FIELDS = {
  sms_sent_messageId: 'm-1',
  sms_sent_from: '+15005550006',
  sms_sent_carrier: 'Fake Wireless',
  sms_sent_line_type: 'Wireless',
  sms_sent_encoding: 'GSM-7',
  sms_sent_segments: 1,
  sms_sent_parts: 1,
  sms_sent_cost: 0.0051,
  sms_carrier_cost_internal: 0.0051,
  sms_rate_internal: 0.0021,
  sms_carrier_fee_internal: 0.003,
};

describe('a message event of Telnyx', () => {
  it('delivers when it is finalized as delivered, with all that Telnyx reports', () => {
    expect(finalized('delivered')).toEqual({
      kind: 'delivered',
      channel: 'SMS',
      providerMessageId: 'm-1',
      atMs: Date.parse(OCCURRED_AT),
      eventId: 'm-1:message.finalized:delivered',
      ...TAGS,
      fields: { ...SENT_FIELDS, sms_delivered_cost_internal: 0.0051 },
    });
  });

  it.each([
    ['message.sent', 'sent'],
    ['message.sent', 'delivered'],
    ['message.finalized', 'delivery_unconfirmed'],
  ])('%s with status %s updates the sent stage only', (type, status) => {
    expect(finalized(status, {}, type)).toMatchObject({
      kind: 'sent_update',
      channel: 'SMS',
      fields: SENT_FIELDS,
    });
    expect(finalized(status, {}, type)).not.toHaveProperty('fields.sms_delivered_cost_internal');
  });

  it.each([
    ['delivery_failed', '40001', '40001'],
    ['delivery_failed', '40003', '40002'],
    ['delivery_failed', '40008', '30008'],
    ['sending_failed', '40010', '40010'],
    ['sending_failed', '40011', '40002'],
    ['sending_failed', '10002', 'INVALID_PHONE_NUMBER'],
    ['delivery_failed', '99999', 'Unknown'],
    ['expired', '40005', '30008'],
  ])('%s with %s fails with %s', (status, raw, code) => {
    expect(finalized(status, { errors: [{ code: raw, title: 'Title', detail: 'Detail' }] })).toMatchObject({
      kind: 'failed',
      channel: 'SMS',
      code,
      ...TAGS,
      fields: { ...SENT_FIELDS, sms_failed_code: code, sms_failed_internal: `${raw} ${status} Title Detail` },
    });
  });

  it.each([
    ['delivery_failed', 'Unknown'],
    ['expired', '30008'],
  ])('%s without an error fails with %s', (status, code) => {
    expect(finalized(status)).toMatchObject({ kind: 'failed', code });
  });

  it('prefers tags in the signed body to tags in the query', () => {
    const forged = { trackingId: 'forged', accountId: 'forged', environmentId: 'forged' };
    const message = buildTelnyxMessage({ webhook_url: WEBHOOK_URL });
    expect(parse(buildTelnyxEvent('message.sent', message), forged)).toMatchObject(TAGS);
    const bare = buildTelnyxMessage({ webhook_url: null });
    expect(parse(buildTelnyxEvent('message.sent', bare), TAGS)).toMatchObject(TAGS);
  });

  it('counts no cost that is not in USD', () => {
    const receipt = finalized('delivered', { cost: { amount: '0.01', currency: 'EUR' } });
    expect(receipt).not.toHaveProperty('fields.sms_sent_cost');
    expect(receipt).not.toHaveProperty('fields.sms_delivered_cost_internal');
  });
});

describe('an inbound message of Telnyx', () => {
  const INBOUND = {
    id: 'in-1',
    direction: 'inbound',
    type: 'MMS',
    from: { phone_number: '+14155552671', carrier: 'X', line_type: 'Wireless' },
    to: [{ phone_number: '+15005550006', status: 'webhook_delivered' }],
    text: 'Look',
    media: [
      { url: 'https://m/0', content_type: 'image/png', size: 7 },
      { url: 'https://m/1', content_type: null },
    ],
    received_at: '2026-11-20T09:59:59.000+00:00',
  };

  it('brings its text, numbers and media', () => {
    expect(parse(buildTelnyxEvent('message.received', INBOUND))).toEqual({
      kind: 'inbound',
      from: '+14155552671',
      to: '+15005550006',
      text: 'Look',
      media: [{ url: 'https://m/0', contentType: 'image/png' }, { url: 'https://m/1' }],
      providerMessageId: 'in-1',
      atMs: Date.parse('2026-11-20T09:59:59Z'),
    });
  });

  it('shows that Telnyx processed it as a keyword', () => {
    const event = buildTelnyxEvent('message.received', {
      ...INBOUND,
      text: 'stop',
      autoresponse_type: 'STOP',
    });
    expect(parse(event)).toMatchObject({ kind: 'inbound', text: 'stop', providerKeyword: 'STOP' });
  });

  it.each([
    [{ type: 'WHATSAPP', to: '+15005550006' }],
    [{ type: 'RCS' }],
    [{ from: {} }],
    [{ to: [] }],
    [{ id: 7 }],
  ])('changes nothing with %j', (change) => {
    expect(parse(buildTelnyxEvent('message.received', { ...INBOUND, ...change })).kind).toBe('ignored');
  });
});

describe('what is no event of a message or call', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    'no json',
    '{"data":null}',
    '{"data":{"event_type":"message.finalized"}}',
    buildTelnyxEvent('message.finalized', {}),
    buildTelnyxEvent('call.hangup', {}),
    buildTelnyxEvent('call.answered', { call_control_id: 'c-1' }),
    buildTelnyxEvent('constructor', {}),
  ])('changes nothing: %s', (rawBody) => {
    expect(parse(rawBody).kind).toBe('ignored');
  });
});

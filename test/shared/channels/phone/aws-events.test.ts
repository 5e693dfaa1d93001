import { describe, expect, it } from 'vitest';
import { parseAwsPhoneEvent } from '../../../../shared/channels/phone/aws/aws-events.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { TAGS } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');

// The example of AWS's user guide, with our context.
const DELIVERED = {
  eventType: 'TEXT_DELIVERED',
  eventVersion: '1.0',
  eventTimestamp: 1729099299998,
  isFinal: true,
  originationPhoneNumber: '+18445550123',
  destinationPhoneNumber: '+14255550156',
  isoCountryCode: 'US',
  mcc: '310',
  mnc: '800',
  carrierName: 'T-mobile USA Inc.',
  messageId: '9539975a-e71f-45f3-b496-8d98dc098a77',
  messageRequestTimestamp: 1729099297243,
  messageEncoding: 'GSM',
  messageType: 'PROMOTIONAL',
  messageStatus: 'DELIVERED',
  messageStatusDescription: 'Message has been accepted by phone',
  context: { trackingId: TAGS.trackingId, accountId: TAGS.accountId, envId: TAGS.environmentId },
  totalMessageParts: 2,
  totalMessagePrice: 0.00581,
  totalCarrierFee: 0.003,
};

function parse(overrides: Record<string, unknown> = {}) {
  return parseAwsPhoneEvent(toSnsNotification({ ...DELIVERED, ...overrides }), NOW_MS);
}

describe('an AWS event', () => {
  it('carries costs, carrier and tags of a delivered text message', () => {
    expect(parse()).toEqual({
      kind: 'delivered',
      channel: 'SMS',
      providerMessageId: DELIVERED.messageId,
      atMs: 1729099299998,
      eventId: `${DELIVERED.messageId}:TEXT_DELIVERED:1729099299998`,
      ...TAGS,
      fields: {
        sms_sent_from: '+18445550123',
        sms_sent_country: 'US',
        sms_sent_carrier: 'T-mobile USA Inc.',
        sms_sent_encoding: 'GSM-7',
        sms_sent_segments: 2,
        sms_sent_parts: 2,
        sms_sent_messageId: '9539975a-e71f-45f3-b496-8d98dc098a77',
        sms_sent_cost: 0.00881,
        sms_carrier_cost_internal: 0.00881,
        sms_rate_internal: 0.00581,
        sms_carrier_fee_internal: 0.003,
        sms_delivered_cost_internal: 0.00881,
      },
    });
  });

  it('reads identically alone, from SNS and from EventBridge', () => {
    const bridged = {
      source: 'aws.sms-voice',
      'detail-type': 'Text Message Delivery Status Updated',
      detail: DELIVERED,
    };
    expect(parseAwsPhoneEvent(JSON.stringify(DELIVERED), NOW_MS)).toEqual(parse());
    expect(parseAwsPhoneEvent(JSON.stringify(bridged), NOW_MS)).toEqual(parse());
  });

  it('without tags, costs or parts has only the fields that are present', () => {
    const { eventType, eventTimestamp, isFinal, messageId } = DELIVERED;
    const bare = JSON.stringify({
      eventType,
      eventTimestamp,
      isFinal,
      messageId,
      messageEncoding: 'Unicode',
    });
    expect(parseAwsPhoneEvent(bare, NOW_MS)).toEqual({
      kind: 'delivered',
      channel: 'SMS',
      providerMessageId: messageId,
      atMs: eventTimestamp,
      eventId: `${messageId}:TEXT_DELIVERED:${eventTimestamp}`,
      fields: { sms_sent_encoding: 'UCS-2', sms_sent_messageId: messageId },
    });
  });

  it.each(['TEXT_SUCCESSFUL', 'TEXT_DELIVERED', 'MEDIA_SUCCESSFUL', 'MEDIA_DELIVERED'])(
    '%s is a delivery',
    (eventType) => {
      expect(parse({ eventType })).toMatchObject({ kind: 'delivered', channel: 'SMS' });
    },
  );

  it.each([
    ['TEXT_PROTECT_BLOCKED', '30453'],
    ['TEXT_INVALID', '21211'],
    ['MEDIA_INVALID', '21211'],
    ['TEXT_UNREACHABLE', '30005'],
    ['MEDIA_UNREACHABLE', '30005'],
    ['TEXT_CARRIER_UNREACHABLE', '30006'],
    ['MEDIA_CARRIER_UNREACHABLE', '30006'],
    ['TEXT_BLOCKED', '30007'],
    ['MEDIA_BLOCKED', '30007'],
    ['TEXT_CARRIER_BLOCKED', '30007'],
    ['MEDIA_CARRIER_BLOCKED', '30007'],
    ['TEXT_SPAM', '40002'],
    ['MEDIA_SPAM', '40002'],
    ['TEXT_UNKNOWN', '30008'],
    ['MEDIA_UNKNOWN', '30008'],
    ['TEXT_TTL_EXPIRED', '30008'],
    ['MEDIA_TTL_EXPIRED', '30008'],
    ['TEXT_INVALID_MESSAGE', 'Unknown'],
    ['MEDIA_INVALID_MESSAGE', 'Unknown'],
    ['MEDIA_FILE_INACCESSIBLE', 'Unknown'],
    ['MEDIA_FILE_SIZE_EXCEEDED', 'Unknown'],
    ['MEDIA_FILE_TYPE_UNSUPPORTED', 'Unknown'],
  ])('%s fails with %s and keeps its own description and costs', (eventType, code) => {
    const receipt = parse({ eventType, messageStatusDescription: 'Why it failed' });
    expect(receipt).toMatchObject({
      kind: 'failed',
      channel: 'SMS',
      code,
      ...TAGS,
      fields: {
        sms_failed_code: code,
        sms_failed_internal: `${eventType} Why it failed`,
        sms_sent_messageId: '9539975a-e71f-45f3-b496-8d98dc098a77',
        sms_sent_cost: 0.00881,
      },
    });
    expect(receipt).not.toHaveProperty('fields.sms_delivered_cost_internal');
  });

  it.each([
    ['VOICE_COMPLETED', 'COMPLETED'],
    ['VOICE_BUSY', 'BUSY'],
    ['VOICE_NO_ANSWER', 'NO_ANSWER'],
    ['VOICE_TTL_EXPIRED', 'UNKNOWN'],
  ])('%s ends a call as %s, with its cost', (eventType, code) => {
    expect(parse({ eventType, totalMessagePrice: 0.013, totalCarrierFee: 0 })).toMatchObject({
      kind: 'delivered',
      channel: 'CALL',
      ...TAGS,
      fields: {
        call_sent_from: '+18445550123',
        call_delivered_code: code,
        call_delivered_cost: 0.013,
        call_delivered_cost_internal: 0.013,
      },
    });
  });

  it.each([
    ['Destination phone number is invalid', '+14255550156', '13224'],
    ['Call failed', '+999123456789', '13224'],
    ['Call failed', '+14255550156', 'Unknown'],
  ])('VOICE_FAILED with %j to %s fails with %s', (messageStatusDescription, destinationPhoneNumber, code) => {
    const event = { eventType: 'VOICE_FAILED', messageStatusDescription, destinationPhoneNumber };
    expect(parse(event)).toMatchObject({
      kind: 'failed',
      channel: 'CALL',
      code,
      fields: { call_failed_code: code, call_failed_internal: `VOICE_FAILED ${messageStatusDescription}` },
    });
  });

  it.each([
    [{ eventType: 'TEXT_QUEUED', isFinal: false }],
    [{ eventType: 'TEXT_PENDING', isFinal: false }],
    [{ eventType: 'TEXT_SENT', isFinal: false }],
    [{ eventType: 'VOICE_ANSWERED', isFinal: false }],
    [{ eventType: 'TEXT_SUCCESSFUL', isFinal: false }],
    [{ eventType: 'TEXT_UNREACHABLE', isFinal: false }],
    [{ eventType: 'TEXT_SENT', isFinal: true }],
    [{ eventType: 'A_TYPE_OF_TOMORROW' }],
    [{ eventType: 'constructor' }],
    [{ messageId: 7 }],
  ])('changes nothing with %j', (overrides) => {
    expect(parse(overrides).kind).toBe('ignored');
  });

  it.each([
    '',
    'no json',
    'null',
    '[]',
    '{}',
    '"TEXT_DELIVERED"',
    '{"Type":"Notification","Message":"no json"}',
  ])('changes nothing with content %j', (text) => {
    expect(parseAwsPhoneEvent(text, NOW_MS).kind).toBe('ignored');
  });
});

describe('a two-way message', () => {
  const INBOUND = {
    originationNumber: '+14255550156',
    destinationNumber: '+18445550123',
    messageKeyword: 'KEYWORD_123',
    messageBody: 'Where is it?',
    inboundMessageId: 'cae173d2-66b9-564c-8309-21f858e9fb84',
    previousPublishedMessageId: '9539975a-e71f-45f3-b496-8d98dc098a77',
  };
  const EXPECTED = {
    kind: 'inbound',
    from: '+14255550156',
    to: '+18445550123',
    text: 'Where is it?',
    media: [],
    providerMessageId: INBOUND.inboundMessageId,
    answeredMessageId: INBOUND.previousPublishedMessageId,
    isKeywordOurs: true,
  };

  it('takes the time of its notification and names the message it replies to', () => {
    const receipt = parseAwsPhoneEvent(toSnsNotification(INBOUND, '2026-11-20T10:00:00.000Z'), NOW_MS);
    expect(receipt).toEqual({ ...EXPECTED, atMs: Date.parse('2026-11-20T10:00:00Z') });
  });

  it('takes the time of its arrival without a notification, and replies to nothing when AWS names nothing', () => {
    const { previousPublishedMessageId: _, ...unprompted } = INBOUND;
    const { answeredMessageId: __, ...expected } = EXPECTED;
    expect(parseAwsPhoneEvent(JSON.stringify(unprompted), NOW_MS)).toEqual({ ...expected, atMs: NOW_MS });
  });
});

import { describe, expect, it } from 'vitest';
import { parseCallbackTags } from '../../../../shared/channels/phone/callback-url.ts';
import { parseForm } from '../../../../shared/channels/phone/form.ts';
import {
  isTwilioSignatureValid,
  parseTwilioInbound,
  parseTwilioStatus,
} from '../../../../shared/channels/phone/twilio/twilio-callback.ts';
import { buildTwilioCallback } from '../../../support/fakes/twilio.ts';
import { TAGS, TAGS_QUERY } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const URL_OF_CALLBACK = `https://api.example.com/callbacks/twilio/sms?${TAGS_QUERY}`;

describe('the signature of Twilio', () => {
  // Twilio's own example.
  const VECTOR = {
    authToken: '12345',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    params: {
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    },
    signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
  };

  it("passes for Twilio's own example", () => {
    expect(isTwilioSignatureValid(VECTOR)).toBe(true);
  });

  it.each([
    ['another token', { authToken: '12346' }],
    ['another path', { url: 'https://mycompany.com/myapp.php?foo=1&bar=3' }],
    ['another host', { url: 'https://mycompany.com.evil.example/myapp.php?foo=1&bar=2' }],
    ['another value', { params: { ...VECTOR.params, Digits: '1235' } }],
    ['a field more', { params: { ...VECTOR.params, Extra: '' } }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['a shorter signature', { signature: VECTOR.signature.slice(0, -1) }],
    ['a signature of another length in bytes', { signature: `${VECTOR.signature.slice(0, -1)}é` }],
  ])('fails with %s', (_, change) => {
    expect(isTwilioSignatureValid({ ...VECTOR, ...change })).toBe(false);
  });

  it('passes for a form body', () => {
    const params = { MessageSid: 'SM1', MessageStatus: 'delivered', Body: 'Größe & 5 + 5 ✓', Empty: '' };
    const { headers, body } = buildTwilioCallback({ authToken: 't', url: URL_OF_CALLBACK, params });
    const signature = headers['x-twilio-signature'];
    expect(
      isTwilioSignatureValid({ authToken: 't', url: URL_OF_CALLBACK, params: parseForm(body), signature }),
    ).toBe(true);
  });
});

function status(channel: 'SMS' | 'CALL', params: Record<string, string>) {
  const query = Object.fromEntries(new URL(URL_OF_CALLBACK).searchParams);
  return parseTwilioStatus({ channel, params, tags: parseCallbackTags(query), nowMs: NOW_MS });
}

describe('a message status of Twilio', () => {
  it('delivered is a delivery', () => {
    expect(status('SMS', { MessageSid: 'SM1', MessageStatus: 'delivered', From: '+15005550006' })).toEqual({
      kind: 'delivered',
      channel: 'SMS',
      providerMessageId: 'SM1',
      atMs: NOW_MS,
      eventId: 'SM1:delivered',
      ...TAGS,
      fields: { sms_sent_from: '+15005550006' },
    });
  });

  it.each([
    ['undelivered', '30003', '30005'],
    ['undelivered', '30005', '30005'],
    ['undelivered', '30007', '30007'],
    ['undelivered', '30034', '40010'],
    ['failed', '21610', '21610'],
    ['failed', '30001', 'Unknown'],
    ['failed', '99999', 'Unknown'],
  ])('%s with %s fails with %s', (messageStatus, ErrorCode, code) => {
    expect(status('SMS', { MessageSid: 'SM1', MessageStatus: messageStatus, ErrorCode })).toEqual({
      kind: 'failed',
      channel: 'SMS',
      code,
      providerMessageId: 'SM1',
      atMs: NOW_MS,
      eventId: `SM1:${messageStatus}`,
      ...TAGS,
      fields: { sms_failed_code: code, sms_failed_internal: `${ErrorCode} ${messageStatus}` },
    });
  });

  it('failed without a code fails with Unknown', () => {
    expect(status('SMS', { MessageSid: 'SM1', MessageStatus: 'failed' })).toMatchObject({
      kind: 'failed',
      code: 'Unknown',
    });
  });

  it.each(['accepted', 'scheduled', 'queued', 'sending', 'sent', 'read', 'canceled', 'constructor'])(
    '%s is ignored',
    (messageStatus) => {
      expect(status('SMS', { MessageSid: 'SM1', MessageStatus: messageStatus }).kind).toBe('ignored');
    },
  );

  it('without its id, or of a call, is ignored', () => {
    expect(status('SMS', { MessageStatus: 'delivered' }).kind).toBe('ignored');
    expect(status('SMS', { CallSid: 'CA1', CallStatus: 'completed' }).kind).toBe('ignored');
  });
});

describe('who answered a call of Twilio', () => {
  it.each([
    ['human', 'human'],
    ['machine_start', 'machine'],
    ['machine_end_beep', 'machine'],
    ['fax', 'machine'],
    ['unknown', 'unknown'],
    ['something_new', 'unknown'],
  ])('%s is recorded as %s, by itself and with the end', (AnsweredBy, by) => {
    expect(status('CALL', { CallSid: 'CA1', AnsweredBy })).toMatchObject({
      kind: 'sent_update',
      eventId: 'CA1:answered',
      fields: { call_answered_by: by },
    });
    expect(status('CALL', { CallSid: 'CA1', CallStatus: 'in-progress', AnsweredBy })).toMatchObject({
      kind: 'sent_update',
    });
    expect(status('CALL', { CallSid: 'CA1', CallStatus: 'completed', AnsweredBy })).toMatchObject({
      kind: 'delivered',
      fields: { call_delivered_code: 'COMPLETED', call_answered_by: by },
    });
  });
});

describe('a call status of Twilio', () => {
  it.each([
    ['completed', 'COMPLETED'],
    ['busy', 'BUSY'],
    ['no-answer', 'NO_ANSWER'],
    ['canceled', 'UNKNOWN'],
  ])('%s ends the call as %s, at the time that Twilio reports', (CallStatus, code) => {
    const Timestamp = 'Fri, 20 Nov 2026 10:00:00 +0000';
    expect(status('CALL', { CallSid: 'CA1', CallStatus, Timestamp, CallDuration: '7' })).toEqual({
      kind: 'delivered',
      channel: 'CALL',
      providerMessageId: 'CA1',
      atMs: Date.parse('2026-11-20T10:00:00Z'),
      eventId: `CA1:${CallStatus}`,
      ...TAGS,
      fields: { call_delivered_code: code },
    });
  });

  it.each([
    [{ SipResponseCode: '404' }, '13224', 'failed SIP 404'],
    [{ SipResponseCode: '484' }, '13224', 'failed SIP 484'],
    [{ SipResponseCode: '503' }, 'Unknown', 'failed SIP 503'],
    [{ ErrorCode: '13224' }, '13224', '13224 failed'],
    [{ ErrorCode: '13227', SipResponseCode: '403' }, '21215', '13227 failed SIP 403'],
    [{}, 'Unknown', 'failed'],
  ])('failed with %j fails with %s', (details, code, internal) => {
    expect(status('CALL', { CallSid: 'CA1', CallStatus: 'failed', ...details })).toMatchObject({
      kind: 'failed',
      channel: 'CALL',
      code,
      atMs: NOW_MS,
      fields: { call_failed_code: code, call_failed_internal: internal },
    });
  });

  it.each(['queued', 'initiated', 'ringing', 'in-progress', 'toString'])('%s is ignored', (CallStatus) => {
    expect(status('CALL', { CallSid: 'CA1', CallStatus }).kind).toBe('ignored');
  });
});

describe('an inbound message of Twilio', () => {
  const INBOUND = {
    MessageSid: 'SM2',
    From: '+14155552671',
    To: '+15005550006',
    Body: 'Stop',
    NumMedia: '0',
  };

  it('contains its text and numbers', () => {
    expect(parseTwilioInbound(INBOUND, NOW_MS)).toEqual({
      kind: 'inbound',
      from: '+14155552671',
      to: '+15005550006',
      text: 'Stop',
      media: [],
      providerMessageId: 'SM2',
      atMs: NOW_MS,
    });
  });

  it('contains all of its media', () => {
    const media = {
      NumMedia: '2',
      MediaUrl0: 'https://m/0',
      MediaContentType0: 'image/png',
      MediaUrl1: 'https://m/1',
    };
    expect(parseTwilioInbound({ ...INBOUND, Body: '', ...media }, NOW_MS)).toMatchObject({
      text: '',
      media: [{ url: 'https://m/0', contentType: 'image/png' }, { url: 'https://m/1' }],
    });
  });

  it.each(['STOP', 'START', 'HELP'])('shows that Twilio processed it as %s', (OptOutType) => {
    expect(parseTwilioInbound({ ...INBOUND, OptOutType }, NOW_MS)).toMatchObject({
      providerKeyword: OptOutType,
    });
  });

  it.each(['-1', 'many', '1e9', '2.5'])('accepts NumMedia=%s', (NumMedia) => {
    const receipt = parseTwilioInbound({ ...INBOUND, NumMedia, MediaUrl0: 'https://m/0' }, NOW_MS);
    expect(receipt).toMatchObject({ kind: 'inbound' });
  });

  it.each([
    [{ From: '' }],
    [{ MessageSid: '' }],
    [{ From: 'whatsapp:+14155552671', To: 'whatsapp:+15005550006' }],
  ])('changes nothing with %j', (change) => {
    expect(parseTwilioInbound({ ...INBOUND, ...change }, NOW_MS).kind).toBe('ignored');
  });
});

import { describe, expect, it } from 'vitest';
import { parseTelnyxCallback } from '../../../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { buildTelnyxEvent } from '../../../support/fakes/telnyx.ts';
import { TAGS } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00.500Z');
const OCCURRED_AT = '2026-11-20T10:00:00.000Z';

function parse(rawBody: string) {
  return parseTelnyxCallback({ rawBody, tags: TAGS, nowMs: NOW_MS });
}

describe('a call event of Telnyx', () => {
  function hangup(details: Record<string, unknown>) {
    return parse(buildTelnyxEvent('call.hangup', { call_control_id: 'c-1', ...details }, OCCURRED_AT));
  }

  it.each([
    ['normal_clearing', 'COMPLETED'],
    ['user_busy', 'BUSY'],
    ['no_answer', 'NO_ANSWER'],
    ['timeout', 'NO_ANSWER'],
    ['originator_cancel', 'NO_ANSWER'],
    ['call_rejected', 'UNKNOWN'],
    ['time_limit', 'UNKNOWN'],
    ['unspecified', 'UNKNOWN'],
    ['a_cause_of_tomorrow', 'UNKNOWN'],
  ])('ends the call with a hangup by %s as %s', (hangup_cause, code) => {
    expect(hangup({ hangup_cause })).toEqual({
      kind: 'delivered',
      channel: 'CALL',
      providerMessageId: 'c-1',
      atMs: Date.parse(OCCURRED_AT),
      eventId: 'c-1:end',
      ...TAGS,
      fields: { call_delivered_code: code },
    });
  });

  it('ends the call as NO_ANSWER when it clears normally before an answer', () => {
    expect(hangup({ hangup_cause: 'normal_clearing', sip_hangup_cause: '200' })).toMatchObject({
      fields: { call_delivered_code: 'COMPLETED' },
    });
    expect(hangup({ hangup_cause: 'normal_clearing', sip_hangup_cause: '487' })).toMatchObject({
      fields: { call_delivered_code: 'NO_ANSWER' },
    });
  });

  it('fails with 13224 when the number was not found', () => {
    expect(hangup({ hangup_cause: 'not_found', sip_hangup_cause: '404' })).toMatchObject({
      kind: 'failed',
      channel: 'CALL',
      code: '13224',
      fields: { call_failed_code: '13224', call_failed_internal: 'not_found SIP 404' },
    });
  });

  it('adds its cost to the call', () => {
    const cost = (details: object) =>
      parse(buildTelnyxEvent('call.cost', { call_control_id: 'c-1', ...details }, OCCURRED_AT));
    expect(cost({ total_cost: '0.0140' })).toMatchObject({
      kind: 'sent_update',
      channel: 'CALL',
      eventId: 'c-1:cost',
      fields: { call_delivered_cost: 0.014, call_delivered_cost_internal: 0.014 },
    });
    expect(cost({ total_cost: null }).kind).toBe('ignored');
  });
});

describe('a TeXML callback of Telnyx', () => {
  function callback(params: Record<string, string>) {
    return parse(new URLSearchParams({ CallSid: 'v3:c-1', ...params }).toString());
  }

  it.each([
    ['human', 'human'],
    ['machine', 'machine'],
    ['fax_detected', 'machine'],
    ['not_sure', 'unknown'],
  ])('records that %s answered', (AnsweredBy, by) => {
    const fields = { call_answered_by: by };
    expect(callback({ AnsweredBy })).toMatchObject({ kind: 'sent_update', fields });
    expect(callback({ AnsweredBy, CallStatus: 'completed' })).toMatchObject({ kind: 'delivered', fields });
  });

  it.each([
    [{ CallStatus: 'completed' }, 'COMPLETED'],
    [{ CallStatus: 'completed', HangupCause: 'normal_clearing' }, 'COMPLETED'],
    [{ CallStatus: 'completed', HangupCause: 'unspecified' }, 'COMPLETED'],
    [{ CallStatus: 'completed', HangupCause: 'time_limit' }, 'UNKNOWN'],
    [{ CallStatus: 'busy' }, 'BUSY'],
    [{ CallStatus: 'busy', HangupCause: 'user_busy' }, 'BUSY'],
    [{ CallStatus: 'no-answer' }, 'NO_ANSWER'],
    [{ CallStatus: 'no-answer', HangupCause: 'normal_clearing' }, 'NO_ANSWER'],
    [{ CallStatus: 'canceled', HangupCause: 'originator_cancel' }, 'NO_ANSWER'],
    [{ CallStatus: 'failed', HangupCause: 'call_rejected' }, 'UNKNOWN'],
  ])('ends the call with %j as %s', (params, code) => {
    expect(callback({ ...params, Timestamp: '2026-11-20 10:00:00.731479Z' })).toEqual({
      kind: 'delivered',
      channel: 'CALL',
      providerMessageId: 'v3:c-1',
      atMs: Date.parse('2026-11-20T10:00:00.731Z'),
      eventId: 'v3:c-1:end',
      ...TAGS,
      fields: { call_delivered_code: code },
    });
  });

  it.each([
    [{ HangupCause: 'not_found' }, '13224', 'failed not_found'],
    [{ ErrorCode: '10001', ErrorMessage: 'Call failed' }, 'Unknown', 'failed 10001 Call failed'],
    [{}, 'Unknown', 'failed'],
  ])('fails with %j as %s', (params, code, internal) => {
    expect(callback({ CallStatus: 'failed', ...params })).toMatchObject({
      kind: 'failed',
      code,
      atMs: NOW_MS,
      fields: { call_failed_code: code, call_failed_internal: internal },
    });
  });

  it.each(['initiated', 'ringing', 'in-progress', 'constructor'])(
    'changes nothing while a call is %s',
    (CallStatus) => {
      expect(callback({ CallStatus }).kind).toBe('ignored');
    },
  );
});

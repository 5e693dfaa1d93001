import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { final, type OutcomeTable, passing, UNKNOWN_CODE } from '../outcome/phone-outcome.ts';

/** Outcomes by Telnyx error code, in responses and events. The first block is from the spec. */
export const TELNYX_CODES: OutcomeTable = {
  40001: final('40001', 'message', 'landline, or no route'),
  40002: final('40002', 'message', 'blocked as spam for a while'),
  40010: final('40010', 'sender', 'the sending number is not registered for 10DLC'),
  40300: final('40300', 'message', 'the recipient opted out'),

  10002: final('INVALID_PHONE_NUMBER', 'message', 'invalid number'),
  10016: final('INVALID_PHONE_NUMBER', 'message', 'the number is not E.164'),
  40310: final('INVALID_PHONE_NUMBER', 'message', 'invalid recipient'),
  40012: final('21211', 'message', 'the destination rejects the recipient as invalid'),
  40003: final('40002', 'message', 'blocked as spam permanently'),
  40015: final('30007', 'message', 'blocked for its content'),
  40017: final('30007', 'message', 'blocked by a carrier filter'),
  40004: final('30008', 'open', 'rejected by the destination'),
  40005: final('30008', 'open', 'expired before it was sent'),
  40008: final('30008', 'open', 'undeliverable'),
  40014: final('30008', 'open', 'expired in the queue'),
  40006: final('30006', 'message', 'the carrier is unavailable'),
  40013: final('21612', 'sender', 'the sending number is not valid there'),

  40011: passing('40002', 'too many requests'),
  40016: passing('40002', 'the sending limit of the carrier is reached'),
  40018: passing('40002', 'the sending limit of the number is reached'),
  10007: passing(UNKNOWN_CODE, 'unexpected error'),
};

/** Ending of a call by its hangup cause; `failed` is a number that does not exist. */
export const TELNYX_HANGUP_CAUSES: Readonly<
  Record<string, NonNullable<LogFields['call_delivered_code']> | 'failed'>
> = {
  normal_clearing: 'COMPLETED',
  user_busy: 'BUSY',
  no_answer: 'NO_ANSWER',
  timeout: 'NO_ANSWER',
  originator_cancel: 'NO_ANSWER',
  call_rejected: 'UNKNOWN',
  time_limit: 'UNKNOWN',
  unspecified: 'UNKNOWN',
  not_found: 'failed',
};

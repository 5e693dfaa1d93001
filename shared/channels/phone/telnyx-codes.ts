import type { LogFields } from '../../schemas/log-record.ts';
import { reject, retry, type VerdictTable } from './verdict.ts';

/** Verdicts by Telnyx error code, in responses and events. The first block is that of the spec. */
export const TELNYX_CODES: VerdictTable = {
  40001: reject('40001'),
  40002: reject('40002'),
  40010: reject('40010'),
  40300: reject('40300'),

  10002: reject('INVALID_PHONE_NUMBER'),
  10016: reject('INVALID_PHONE_NUMBER'),
  40310: reject('INVALID_PHONE_NUMBER'),
  40012: reject('21211'),
  40003: reject('40002'),
  40015: reject('30007'),
  40017: reject('30007'),
  40004: reject('30008'),
  40005: reject('30008'),
  40008: reject('30008'),
  40014: reject('30008'),
  40006: reject('30006'),
  40013: reject('21612'),

  40011: retry('40002'),
  40016: retry('40002'),
  40018: retry('40002'),
  10007: retry(),
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

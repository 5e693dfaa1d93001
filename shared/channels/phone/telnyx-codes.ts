import type { LogFields } from '../../schemas/log-record.ts';
import { again, final, type VerdictTable } from './verdict.ts';

/** Verdicts by Telnyx error code, in responses and events. The first block is that of the spec. */
export const TELNYX_CODES: VerdictTable = {
  40001: final('40001'),
  40002: final('40002'),
  40010: final('40010'),
  40300: final('40300'),

  10002: final('INVALID_PHONE_NUMBER'),
  10016: final('INVALID_PHONE_NUMBER'),
  40310: final('INVALID_PHONE_NUMBER'),
  40012: final('21211'),
  40003: final('40002'),
  40015: final('30007'),
  40017: final('30007'),
  40004: final('30008'),
  40005: final('30008'),
  40008: final('30008'),
  40014: final('30008'),
  40006: final('30006'),
  40013: final('21612'),

  40011: again('40002'),
  40016: again('40002'),
  40018: again('40002'),
  10007: again(),
};

/** How a call ended, by its hangup cause; `failed` is a number that does not exist. */
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

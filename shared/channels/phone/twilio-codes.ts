import { reject, retry, type VerdictTable } from './verdict.ts';

/**
 * Verdicts by Twilio error code, in responses and status callbacks. The first block is that of the spec.
 * Twilio may change codes: the raw one is in `*_failed_internal`.
 */
export const TWILIO_CODES: VerdictTable = {
  13224: reject('13224'),
  21211: reject('21211'),
  21215: reject('21215'),
  21265: reject('21265'),
  21610: reject('21610'),
  21612: reject('21612'),
  21614: reject('21614'),
  30005: reject('30005'),
  30006: reject('30006'),
  30007: reject('30007'),
  30008: reject('30008'),
  30453: reject('30453'),

  21217: reject('21211'),
  21401: reject('21211'),
  21266: reject('21211'),
  13223: reject('13224'),
  21212: reject('21612'),
  21603: reject('21612'),
  21606: reject('21612'),
  21659: reject('21612'),
  21660: reject('21612'),
  21408: reject('21215'),
  13227: reject('21215'),
  32205: reject('21215'),
  21268: reject('21614'),
  21602: reject('MISSING_SMS_MESSAGE'),
  21619: reject('MISSING_SMS_MESSAGE'),
  21604: reject('MISSING_SMS_RECIPIENT'),
  30003: reject('30005'),
  30004: reject('30007'),
  30032: reject('40010'),
  30034: reject('40010'),
  30450: reject('30453'),
  20003: reject('Unknown'),

  20429: retry(),
  30001: retry(),
};

import { again, final, type VerdictTable } from './verdict.ts';

/**
 * Verdicts by Twilio error code, in responses and status callbacks. The first block is that of the spec.
 * Twilio may change codes: the raw one is in `*_failed_internal`.
 */
export const TWILIO_CODES: VerdictTable = {
  13224: final('13224'),
  21211: final('21211'),
  21215: final('21215'),
  21265: final('21265'),
  21610: final('21610'),
  21612: final('21612'),
  21614: final('21614'),
  30005: final('30005'),
  30006: final('30006'),
  30007: final('30007'),
  30008: final('30008'),
  30453: final('30453'),

  21217: final('21211'),
  21401: final('21211'),
  21266: final('21211'),
  13223: final('13224'),
  21212: final('21612'),
  21603: final('21612'),
  21606: final('21612'),
  21659: final('21612'),
  21660: final('21612'),
  21408: final('21215'),
  13227: final('21215'),
  32205: final('21215'),
  21268: final('21614'),
  21602: final('MISSING_SMS_MESSAGE'),
  21619: final('MISSING_SMS_MESSAGE'),
  21604: final('MISSING_SMS_RECIPIENT'),
  30003: final('30005'),
  30004: final('30007'),
  30032: final('40010'),
  30034: final('40010'),
  30450: final('30453'),
  20003: final('Unknown'),

  20429: again(),
  30001: again(),
};

import { numberSetting } from '../../runtime/config.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { UsageLimits } from './usage-caps.ts';

/** Settings that `freeCaps` reads: listed in the row of every function that evaluates or returns caps. */
export const FREE_PLAN_SETTINGS = [
  'FREE_MESSAGES_CAP',
  'FREE_COST_CAP_USD',
  'FREE_SMS_CAP',
  'FREE_CALL_CAP',
] as const;

/**
 * Caps of the free plan: `FREE_MESSAGES_CAP` (10,000,000), `FREE_COST_CAP_USD` (1,000), and `FREE_SMS_CAP`,
 * `FREE_CALL_CAP` (no cap), each per month. The platform runs in its owner's account, so they only stop
 * runaway usage.
 */
export function freeCaps(): UsageLimits {
  const smsCap = numberSetting('FREE_SMS_CAP');
  const callCap = numberSetting('FREE_CALL_CAP');
  return {
    messagesCap: numberSetting('FREE_MESSAGES_CAP'),
    costCap: numberSetting('FREE_COST_CAP_USD'),
    ...defined({ smsCap: smsCap < 0 ? undefined : smsCap }),
    ...defined({ callCap: callCap < 0 ? undefined : callCap }),
    allowOverage: false,
  };
}

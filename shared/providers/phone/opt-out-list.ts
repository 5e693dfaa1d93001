import { lazily } from '../../runtime/async/lazily.ts';
import { findSetting } from '../../runtime/config.ts';
import { dependency } from '../../runtime/dependency.ts';
import { isInOrder } from '../order/provider-order.ts';
import type { OptOutList } from './aws-opt-out-list.ts';

/**
 * `PHONE_OPT_OUT_LIST` of AWS, which leaves opt-outs to this service; undefined without one. Twilio and
 * Telnyx keep their lists themselves.
 */
export const optOutList = dependency<OptOutList | undefined>('optOutList', () => {
  const name = findSetting('PHONE_OPT_OUT_LIST');
  if (!name || !isInOrder('SMS_PROVIDER', 'aws')) return;
  return lazily(async () => (await import('./aws-opt-out-list.ts')).createAwsOptOutList(name), {
    put: true,
    remove: true,
  });
});

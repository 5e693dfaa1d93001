import { choiceSetting, findSetting } from '../runtime/config.ts';
import { dependency } from '../runtime/dependency.ts';
import type { OptOutList } from './opt-out-list-port.ts';

/**
 * `PHONE_OPT_OUT_LIST` of AWS, which leaves opt-outs to us; undefined without one. Twilio and Telnyx keep their lists
 * themselves.
 */
export const optOutList = dependency<OptOutList | undefined>('optOutList', () => {
  const name = findSetting('PHONE_OPT_OUT_LIST');
  if (!name || choiceSetting('SMS_PROVIDER', ['aws', 'twilio', 'telnyx', 'sandbox'], 'aws') !== 'aws') return;
  const loaded = import('./aws-opt-out-list.ts').then((module) => module.createAwsOptOutList(name));
  return {
    put: async (number) => (await loaded).put(number),
    remove: async (number) => (await loaded).remove(number),
  };
});

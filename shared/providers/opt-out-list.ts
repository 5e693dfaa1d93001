import { choiceSetting, findSetting } from '../runtime/config.ts';
import { dependency } from '../runtime/dependency.ts';

/** Numbers that the SMS provider refuses to send to, beside those that opted out in our own records. */
export type OptOutList = {
  /** Puts a number (E.164) on the list; one that is on it stays. */
  put(number: string): Promise<void>;
  /** Takes a number off the list; one that is not on it stays off. */
  remove(number: string): Promise<void>;
};

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

import { ConfigError, choicesSetting } from '../runtime/config.ts';

/** What `SMS_PROVIDER` and `CALL_PROVIDER` may name. */
export const PHONE_PROVIDERS = ['aws', 'twilio', 'telnyx', 'sandbox'] as const;
export type PhoneProviderName = (typeof PHONE_PROVIDERS)[number];
export type LivePhoneProviderName = Exclude<PhoneProviderName, 'sandbox'>;

/** The providers that a setting names, in the order in which they are tried; the sandbox stands alone. */
export function phoneProviderNames(
  name: 'SMS_PROVIDER' | 'CALL_PROVIDER',
): 'sandbox' | readonly [LivePhoneProviderName, ...LivePhoneProviderName[]] {
  const [first, ...rest] = choicesSetting(name, PHONE_PROVIDERS, 'aws');
  const others = rest.filter((each) => each !== 'sandbox');
  if (first === 'sandbox' && rest.length === 0) return 'sandbox';
  if (first === 'sandbox' || others.length < rest.length)
    throw new ConfigError(`${name}: sandbox stands alone`);
  return [first, ...others];
}

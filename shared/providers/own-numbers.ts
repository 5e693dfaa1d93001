import { normalizeNumber } from '../channels/phone/phone-number.ts';
import { ConfigError, findSetting } from '../runtime/config.ts';
import { resolve } from '../runtime/dependency.ts';
import { type LivePhoneProviderName, phoneProviderNames } from './phone-provider-names.ts';
import { secrets } from './secrets.ts';

/** Where the number stands that a provider sends from when a message names none. */
const DEFAULT_NUMBER: Record<LivePhoneProviderName, () => Promise<string | undefined>> = {
  aws: async () => findSetting('PHONE_ORIGINATION_IDENTITY'),
  twilio: () => resolve(secrets).find('TWILIO_FROM'),
  telnyx: () => resolve(secrets).find('TELNYX_FROM'),
};

/** The number that the provider sends from when a message names none, in E.164; undefined where it chooses one. */
export async function findDefaultNumber(): Promise<string | undefined> {
  const names = phoneProviderNames('SMS_PROVIDER');
  const text = names === 'sandbox' ? undefined : await DEFAULT_NUMBER[names[0]]();
  return text === undefined ? undefined : normalizeNumber(text);
}

/**
 * `text` in E.164 when it is a number that the account may send texts from: one of `PHONE_NUMBERS`, which lists numbers
 * for all accounts (`+12025550100`) and for one (`<accountId>:+12025550101`), or the provider's default. The sandbox has
 * every number. Undefined when it is not.
 */
export async function findOwnNumber(accountId: string, text: string): Promise<string | undefined> {
  const number = normalizeNumber(text);
  const names = phoneProviderNames('SMS_PROVIDER');
  if (number === undefined || names === 'sandbox') return number;
  const listed = parseNumbers(findSetting('PHONE_NUMBERS') ?? '');
  if (listed.some((each) => each.number === number && (each.accountId ?? accountId) === accountId)) {
    return number;
  }
  const defaults = await Promise.all(names.map((name) => DEFAULT_NUMBER[name]()));
  return defaults.some((each) => each !== undefined && normalizeNumber(each) === number) ? number : undefined;
}

function parseNumbers(list: string): { accountId?: string; number: string }[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [, accountId, text = ''] = /^(?:([^:]+):)?(.*)$/.exec(entry) ?? [];
    const number = normalizeNumber(text);
    if (number === undefined)
      throw new ConfigError('PHONE_NUMBERS must be numbers in E.164, separated by commas');
    return { number, ...(accountId ? { accountId } : {}) };
  });
}

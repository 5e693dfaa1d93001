import { normalizeNumber } from '../channels/phone/phone-number.ts';
import { SANDBOX_NUMBER } from '../channels/sandbox/sandbox-number.ts';
import { accounts } from '../database/entities/accounts.ts';
import { ownProviders } from '../database/entities/own-providers.ts';
import { ConfigError, findSetting } from '../runtime/config.ts';
import { defined } from '../runtime/defined.ts';
import { resolve } from '../runtime/dependency.ts';
import { findOwnOrder, orderOf } from './own-order.ts';
import { type ProviderEntry, providerOrder } from './provider-order.ts';
import { deploymentSource, type ProviderSource } from './provider-source.ts';

/** Each provider's default sending number. */
const DEFAULT_NUMBER: Record<string, (source: ProviderSource) => Promise<string | undefined>> = {
  aws: async (source) => source.setting('PHONE_ORIGINATION_IDENTITY'),
  twilio: (source) => source.find('TWILIO_FROM'),
  telnyx: (source) => source.find('TELNYX_FROM'),
  sandbox: async () => SANDBOX_NUMBER,
};

/**
 * The default sending number of the account's first provider, in E.164; undefined if the provider chooses
 * one, or is the account's own: its response has the number.
 */
export async function findDefaultNumber(accountId: string): Promise<string | undefined> {
  const deployment = providerOrder('SMS_PROVIDER');
  const account = await resolve(accounts).findRecent(accountId);
  const [first] = orderOf(account, 'SMS', deployment);
  const isOwn = !deployment.some(({ text }) => text === first.text);
  return isOwn ? undefined : findDefault(first);
}

/**
 * `text` in E.164 if the account may send text messages from this number: one of `PHONE_NUMBERS`, which lists
 * numbers for all accounts (`+12025550100`) and for one (`<accountId>:+12025550101`), a provider's default,
 * or that of the account's own provider. The sandbox accepts every number. Undefined otherwise.
 */
export async function findOwnNumber(accountId: string, text: string): Promise<string | undefined> {
  const number = normalizeNumber(text);
  const deployment = providerOrder('SMS_PROVIDER');
  const account = await resolve(accounts).findRecent(accountId);
  const order = orderOf(account, 'SMS', deployment);
  if (number === undefined || order[0].provider === 'sandbox') return number;
  const listed = parseNumbers(findSetting('PHONE_NUMBERS') ?? '');
  if (listed.some((each) => each.number === number && (each.accountId ?? accountId) === accountId)) {
    return number;
  }
  const defaults = await Promise.all(deployment.map(findDefault));
  if (defaults.includes(number)) return number;
  if (!findOwnOrder(account, 'SMS')?.order) return undefined;
  const own = Object.values(await resolve(ownProviders).find(accountId, 'SMS'));
  const froms = own.flatMap(({ TWILIO_FROM, TELNYX_FROM }) => [TWILIO_FROM, TELNYX_FROM]);
  return froms.some((each) => each !== undefined && normalizeNumber(each) === number) ? number : undefined;
}

async function findDefault(entry: ProviderEntry): Promise<string | undefined> {
  const text = await DEFAULT_NUMBER[entry.provider]?.(deploymentSource(entry));
  return text === undefined ? undefined : normalizeNumber(text);
}

function parseNumbers(list: string): { accountId?: string; number: string }[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [, accountId, text = ''] = /^(?:([^:]+):)?(.*)$/.exec(entry) ?? [];
    const number = normalizeNumber(text);
    if (number === undefined)
      throw new ConfigError('PHONE_NUMBERS must be numbers in E.164, separated by commas');
    return { number, ...defined({ accountId: accountId || undefined }) };
  });
}

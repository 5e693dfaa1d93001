import { parseNumberList } from '../../channels/phone/numbers/number-list.ts';
import { countriesOf, senderNumber } from '../../channels/phone/numbers/phone-number.ts';
import { SANDBOX_NUMBER } from '../../channels/sandbox/sandbox-number.ts';
import { accounts } from '../../database/entities/accounts/accounts.ts';
import { ownProviders } from '../../database/entities/settings/own-providers.ts';
import { senderFor, senderProblem } from '../../domain/phone/sms-senders.ts';
import { UNCHOSEN_NUMBER } from '../../receipts/chosen-number.ts';
import { findSetting } from '../../runtime/config.ts';
import { resolve } from '../../runtime/dependency.ts';
import {
  findOwnOrder,
  orderOf,
  type ProviderEntry,
  type ProviderOrder,
  providerOrder,
} from '../order/provider-order.ts';
import { deploymentSource, type ProviderSource } from '../settings/provider-source.ts';

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
async function findDefaultNumber(accountId: string): Promise<string | undefined> {
  const deployment = providerOrder('SMS_PROVIDER');
  const account = await resolve(accounts).findRecent(accountId);
  const [first] = orderOf(account, 'SMS', deployment);
  return isOf(deployment, first) ? findDefault(first) : undefined;
}

function isOf(deployment: ProviderOrder, { text }: ProviderEntry): boolean {
  return deployment.some((each) => each.text === text);
}

/**
 * The number under which replies to a text message are found, E.164, or `UNCHOSEN_NUMBER` until the provider chooses
 * one. Undefined if replies do not reach this deployment: `from`, or every provider of the order, is the account's own.
 * Anyone can enter any number for a provider of their own.
 */
export async function findReplyNumber(
  accountId: string,
  from: string | undefined,
): Promise<string | undefined> {
  const deployment = providerOrder('SMS_PROVIDER');
  const order = orderOf(await resolve(accounts).findRecent(accountId), 'SMS', deployment);
  if (from !== undefined) {
    const isAccepted = order[0].provider === 'sandbox' || (await isDeploymentNumber(accountId, from));
    return isAccepted ? from : undefined;
  }
  if (!order.some((entry) => isOf(deployment, entry))) return undefined;
  return (await findDefaultNumber(accountId)) ?? UNCHOSEN_NUMBER;
}

/**
 * `text` in E.164, or as a short code, if the account can send text messages from this number: an entry of `PHONE_NUMBERS`, which
 * lists numbers for all accounts (`+12025550100`) and for a single account (`<accountId>:+12025550101`), a provider's default, or
 * the number of the account's own provider. The sandbox accepts every number. Undefined otherwise.
 */
async function findOwnNumber(accountId: string, text: string): Promise<string | undefined> {
  const number = senderNumber(text);
  const deployment = providerOrder('SMS_PROVIDER');
  const account = await resolve(accounts).findRecent(accountId);
  const order = orderOf(account, 'SMS', deployment);
  if (number === undefined || order[0].provider === 'sandbox') return number;
  if (await isDeploymentNumber(accountId, number)) return number;
  if (!findOwnOrder(account, 'SMS')?.order) return undefined;
  const own = Object.values(await resolve(ownProviders).find(accountId, 'SMS'));
  const froms = own.flatMap(({ TWILIO_FROM, TELNYX_FROM }) => [TWILIO_FROM, TELNYX_FROM]);
  return froms.some((each) => each !== undefined && senderNumber(each) === number) ? number : undefined;
}

/** What a text message to `to` is sent from: `from`, or the account's number for the country; `problem`: it may not be. */
export async function findSender(
  accountId: string,
  to: string,
  from: string | undefined,
): Promise<{ number?: string | undefined; problem?: string }> {
  const countries = countriesOf(to);
  const numbers = (await resolve(accounts).findRecent(accountId))?.phoneNumbers;
  const stated = from || senderFor(countries, numbers);
  const number = stated && (await findOwnNumber(accountId, stated));
  if (!from) return { number };
  if (!number) return { problem: 'sms.from is not a number of the account' };
  const problem = senderProblem(number, countries, numbers);
  return problem ? { problem: `sms.from ${problem}` } : { number };
}

async function isDeploymentNumber(accountId: string, number: string): Promise<boolean> {
  const listed = parseNumberList(findSetting('PHONE_NUMBERS') ?? '');
  if (listed.some((each) => each.number === number && (each.accountId ?? accountId) === accountId))
    return true;
  const defaults = await Promise.all(providerOrder('SMS_PROVIDER').map(findDefault));
  return defaults.includes(number);
}

async function findDefault(entry: ProviderEntry): Promise<string | undefined> {
  const text = await DEFAULT_NUMBER[entry.provider]?.(deploymentSource(entry));
  return text === undefined ? undefined : senderNumber(text);
}

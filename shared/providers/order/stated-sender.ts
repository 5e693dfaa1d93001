import { parseNumberList } from '../../channels/phone/numbers/number-list.ts';
import { countriesOf, senderNumber } from '../../channels/phone/numbers/phone-number.ts';
import type { Account } from '../../database/entities/accounts/accounts.ts';
import { senderProblem } from '../../domain/phone/sms-senders.ts';
import { findSetting, findVariable } from '../../runtime/config.ts';
import { MUST_BE_SENDER } from '../../schemas/account/phone-numbers.ts';
import { findOwnOrder, type ProviderEntry, providerOrder, suffixOf } from './provider-order.ts';

const SECRET_NUMBER: Readonly<Record<string, string>> = { twilio: 'TWILIO_FROM', telnyx: 'TELNYX_FROM' };

/** Why the account sends no text message from `from` (to `to`, if known), as a requirement of the field. */
export function statedSenderProblem(account: Account, from: string, to?: string): string | undefined {
  if (isForeignSender(account, from)) return MUST_BE_SENDER;
  const number = senderNumber(from);
  return to && number ? senderProblem(number, countriesOf(to), account.phoneNumbers) : undefined;
}

/**
 * True if the account certainly cannot send text messages from `from`, without reading secrets: the default number of a provider may
 * be one, and the account may have a provider of its own. The delivery decides then.
 */
function isForeignSender(account: Account, from: string): boolean {
  const order = providerOrder('SMS_PROVIDER');
  if (findOwnOrder(account, 'SMS')?.order || order[0].provider === 'sandbox') return false;
  const listed = findSetting('PHONE_NUMBERS');
  // A deployment without a number of its own.
  if (!listed && !findSetting('PHONE_ORIGINATION_IDENTITY')) return false;
  const number = senderNumber(from);
  const isOwn = parseNumberList(listed ?? '').some(
    (each) => each.number === number && (each.accountId ?? account.accountId) === account.accountId,
  );
  return !isOwn && order.every((entry) => isKnownOther(entry, number));
}

function isKnownOther({ provider, name }: ProviderEntry, number: string | undefined): boolean {
  const secret = SECRET_NUMBER[provider];
  const text = secret
    ? findVariable(`${secret}${suffixOf(name)}`)
    : (findSetting('PHONE_ORIGINATION_IDENTITY') ?? '');
  return text !== undefined && senderNumber(text) !== number;
}

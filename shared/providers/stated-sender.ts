import { parseNumberList } from '../channels/phone/number-list.ts';
import { senderNumber } from '../channels/phone/phone-number.ts';
import type { Account } from '../database/entities/accounts.ts';
import { findSetting, findVariable } from '../runtime/config.ts';
import { findOwnOrder } from './own-order.ts';
import { type ProviderEntry, providerOrder, suffixOf } from './provider-order.ts';

const SECRET_NUMBER: Readonly<Record<string, string>> = { twilio: 'TWILIO_FROM', telnyx: 'TELNYX_FROM' };

/**
 * True if the account certainly cannot send text messages from `from`, without reading secrets: the default number of a provider may
 * be one, and the account may have a provider of its own. The delivery decides then.
 */
export function isForeignSender(account: Account, from: string): boolean {
  const order = providerOrder('SMS_PROVIDER');
  if (findOwnOrder(account, 'SMS')?.order || order[0].provider === 'sandbox') return false;
  const listed = findSetting('PHONE_NUMBERS');
  // A deployment that names no number of its own.
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

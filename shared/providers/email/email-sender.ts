import { domainOf } from '../../channels/email/address.ts';
import { FALLBACK_PREFIX, findMailDomain } from '../../channels/email/mail-domain.ts';
import { findSender, isVerifiedSender, type SenderSources } from '../../channels/email/sender.ts';
import type { Account, Accounts } from '../../database/entities/accounts/accounts.ts';
import type { Addresses } from '../../database/entities/settings/addresses.ts';
import type { Domains, SigningKey } from '../../database/entities/settings/domains.ts';
import type { StoredDomain } from '../../database/entities/settings/stored-domain.ts';
import { choiceSetting } from '../../runtime/config.ts';
import { defined } from '../../runtime/values/defined.ts';
import { isEmailAddress } from '../../schemas/fields/text.ts';
import { orderOf, providerOrder } from '../order/provider-order.ts';

type Deps = { accounts: Accounts; addresses: Addresses; domains: Domains };

/** The sender of an email with its signature, or the reason why it has none. */
export type EmailSender =
  | { kind: 'ready'; from: { address: string; name?: string }; dkim?: SigningKey }
  | { kind: 'rejected'; code: 'UNVERIFIED_SENDER'; internal: string };

/**
 * Returns the sender of a notification's email: the first source that has a sender, then the account's default, then
 * `notifications@` the service's mail domain. A provider that really sends accepts only senders on verified domains; on the
 * service's own domain, an account can use its built-in address and the fallback sender, so that no account can impersonate
 * another.
 */
export async function findEmailSender(
  deps: Deps,
  accountId: string,
  sources: Pick<SenderSources, 'options' | 'content' | 'template'>,
): Promise<EmailSender> {
  const mailDomain = findMailDomain();
  const account = await deps.accounts.findRecent(accountId);
  const from = findSender({ ...sources, account: withFallback(account?.defaultSender, mailDomain) });
  if (!from) return rejected('no source has a sender and the service has no mail domain');
  if (!isEmailAddress(from.address)) return rejected('the sender is not an email address');
  const order = orderOf(account, 'EMAIL', providerOrder('EMAIL_PROVIDER'));
  const isIn = (provider: string) => order.some((entry) => entry.provider === provider);
  if (isIn('sandbox') && sandboxSenders() === 'any') return { kind: 'ready', from };
  const domain = domainOf(from.address);
  if (domain === mailDomain) {
    const isOwn = await isOwnBuiltin(deps, accountId, from.address, mailDomain);
    return isOwn
      ? { kind: 'ready', from }
      : rejected("the sender is on the service's mail domain but is not the account's address");
  }
  let verified = await deps.domains.listVerified(accountId);
  // The list may be from before the domain was verified.
  if (!isVerifiedSender(from.address, verified)) verified = await deps.domains.listVerified(accountId, true);
  if (!isVerifiedSender(from.address, verified)) return rejected('the sender is not on a verified domain');
  const signing = isIn('smtp') ? closestTo(domain, verified) : undefined;
  const dkim = signing && (await deps.domains.findSigningKey(accountId, signing.sender));
  return { kind: 'ready', from, ...defined({ dkim }) };
}

/** `SANDBOX_SENDERS`: whether the sandbox rejects unverified senders, as SES does; the local run sets verified. */
const sandboxSenders = () => choiceSetting('SANDBOX_SENDERS');

function rejected(internal: string): EmailSender {
  return { kind: 'rejected', code: 'UNVERIFIED_SENDER', internal };
}

function withFallback(
  sender: Account['defaultSender'],
  mailDomain: string | undefined,
): SenderSources['account'] {
  const address = sender?.address || (mailDomain ? `${FALLBACK_PREFIX}@${mailDomain}` : undefined);
  return { address, name: sender?.name };
}

async function isOwnBuiltin(
  { addresses }: Deps,
  accountId: string,
  address: string,
  mailDomain: string,
): Promise<boolean> {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  if (local === FALLBACK_PREFIX) return true;
  const holder = await addresses.findByAddress(`${local}@${mailDomain}`);
  return holder?.accountId === accountId;
}

/** The verified domain that equals the sender's, or is its nearest parent. */
function closestTo(domain: string, verified: readonly StoredDomain[]): StoredDomain | undefined {
  return verified
    .filter(({ sender }) => domain === sender || domain.endsWith(`.${sender}`))
    .sort((left, right) => right.sender.length - left.sender.length)[0];
}

import { domainOf } from '../../../shared/channels/email/address.ts';
import { FALLBACK_PREFIX, findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import {
  type findSender,
  isVerifiedSender,
  type SenderSources,
} from '../../../shared/channels/email/sender.ts';
import { type Account, accounts } from '../../../shared/database/entities/accounts.ts';
import { addresses } from '../../../shared/database/entities/addresses.ts';
import { domains, type SigningKey } from '../../../shared/database/entities/domains.ts';
import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import type { StoredDomain } from '../../../shared/database/entities/stored-domain.ts';
import { emailProviderName } from '../../../shared/providers/email-provider-name.ts';
import { choiceSetting } from '../../../shared/runtime/config.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { isEmailAddress } from '../../../shared/schemas/text.ts';

/** The sender of an e-mail with what signs it, or why it has none. */
export type EmailSender =
  | { kind: 'ready'; from: { address: string; name?: string }; dkim?: SigningKey }
  | { kind: 'rejected'; code: 'UNVERIFIED_SENDER'; internal: string };

/**
 * The sender of a notification's e-mail: the first source that names one, the account's default, else `notifications@`
 * the service's own mail domain. A provider that really sends gets senders on verified domains only; on the service's
 * own domain an account has its built-in address and the fallback, so that none can speak for another.
 */
export async function emailSender(
  head: StoredLogHead,
  find: typeof findSender,
  sources: Pick<SenderSources, 'options' | 'content' | 'template'>,
): Promise<EmailSender> {
  const { accountId } = head;
  const mailDomain = findMailDomain();
  const account = (await resolve(accounts).findRecent(accountId))?.defaultSender;
  const from = find({ ...sources, account: withFallback(account, mailDomain) });
  if (!from) return rejected('no source names a sender and the service has no mail domain');
  if (!isEmailAddress(from.address)) return rejected('the sender is not an e-mail address');
  const provider = emailProviderName();
  if (provider === 'sandbox' && sandboxSenders() === 'any') return { kind: 'ready', from };
  const domain = domainOf(from.address);
  if (domain === mailDomain) {
    const isOwn = await isOwnBuiltin(accountId, from.address, mailDomain);
    return isOwn
      ? { kind: 'ready', from }
      : rejected("the sender is on the service's mail domain but is not the account's address");
  }
  const verified = await resolve(domains).listVerified(accountId);
  if (!isVerifiedSender(from.address, verified)) return rejected('the sender is not on a verified domain');
  const signing = provider === 'smtp' ? closestTo(domain, verified) : undefined;
  const dkim = signing && (await resolve(domains).findSigningKey(accountId, signing.sender));
  return { kind: 'ready', from, ...(dkim ? { dkim } : {}) };
}

/** `SANDBOX_SENDERS`: whether the sandbox rejects unverified senders, as SES does; the local run sets verified. */
const sandboxSenders = () => choiceSetting('SANDBOX_SENDERS', ['any', 'verified'], 'any');

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

async function isOwnBuiltin(accountId: string, address: string, mailDomain: string): Promise<boolean> {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  if (local === FALLBACK_PREFIX) return true;
  const holder = await resolve(addresses).findByAddress(`${local}@${mailDomain}`);
  return holder?.accountId === accountId;
}

/** The verified domain that is, or is nearest above, the sender's. */
function closestTo(domain: string, verified: readonly StoredDomain[]): StoredDomain | undefined {
  return verified
    .filter(({ sender }) => domain === sender || domain.endsWith(`.${sender}`))
    .sort((left, right) => right.sender.length - left.sender.length)[0];
}

import { mailHosts } from '../../../shared/channels/email/mail-domain.ts';
import type { Account } from '../../../shared/database/entities/accounts.ts';
import type { StoredDomain } from '../../../shared/database/entities/stored-domain.ts';
import { verificationRecordsOf } from '../../../shared/domain/sender-domain.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { type adminMailDependencies, mailToAdmins } from '../mail/mail-to-admins.ts';

const NAME = 'sender-domain-reminder';

/**
 * Emails the account's active administrators the DNS records of a sender domain that are still missing.
 * Returns true if the provider accepted at least one message; false without a mail domain to send from.
 */
export async function sendDomainReminder(
  deps: Resolved<typeof adminMailDependencies>,
  account: Account,
  domain: StoredDomain,
): Promise<boolean> {
  return mailToAdmins(deps, account, { name: NAME, id: `${NAME}-${domain.selector}` }, contentOf(domain));
}

function contentOf(domain: StoredDomain): { subject: string; html: string; text: string } {
  const records = Object.values(verificationRecordsOf(domain, mailHosts())).flatMap((record) =>
    record?.required ? [record] : [],
  );
  const intro = `The sender domain ${domain.sender} is not verified yet. Publish these DNS records; we check again every hour.`;
  const lines = records.map(({ recordType, host, priority, recordValue }) =>
    [recordType, host, ...(priority === undefined ? [] : [String(priority)]), recordValue].join('  '),
  );
  // Domain names and keys contain no character that has a meaning in HTML.
  const items = lines.map((line) => `<li><code>${line}</code></li>`).join('');
  return {
    subject: `${domain.sender} is missing DNS records`,
    html: `<p>${intro}</p><ul>${items}</ul>`,
    text: [intro, '', ...lines].join('\n'),
  };
}

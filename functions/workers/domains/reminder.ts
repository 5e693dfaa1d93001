import type { Account } from '../../../shared/database/entities/accounts.ts';
import { members } from '../../../shared/database/entities/members.ts';
import type { StoredDomain } from '../../../shared/database/entities/stored-domain.ts';
import { resolve } from '../../../shared/deps/dependency.ts';
import { emailProvider } from '../../../shared/deps/providers/email.ts';
import { verificationRecordsOf } from '../../../shared/domain/sender-domain.ts';
import { FALLBACK_PREFIX, findMailDomain, mailHosts } from '../../../shared/mail-domain.ts';

const NAME = 'sender-domain-reminder';

/**
 * Mails the account's active administrators which records of a sender domain are still to be published. True when at
 * least one message was taken; false without a mail domain to send from.
 */
export async function sendDomainReminder(account: Account, domain: StoredDomain): Promise<boolean> {
  const mailDomain = findMailDomain();
  if (!mailDomain) return false;
  const people = await resolve(members).listAll(account.accountId);
  const admins = people.filter(({ role, status }) => role === 'admin' && status === 'active');
  const content = contentOf(domain);
  const outcomes = await Promise.all(
    admins.map((admin) =>
      resolve(emailProvider).deliver({
        trackingId: `${NAME}-${domain.selector}`,
        accountId: account.accountId,
        environmentId: account.defaultEnvironmentId,
        notificationId: NAME,
        userId: admin.userId,
        attempt: 1,
        to: admin.email,
        from: { address: `${FALLBACK_PREFIX}@${mailDomain}` },
        ...content,
        replyToAddresses: [],
        ccAddresses: [],
        bccAddresses: [],
        attachments: [],
        headers: [],
      }),
    ),
  );
  return outcomes.some(({ kind }) => kind === 'sent');
}

function contentOf(domain: StoredDomain): { subject: string; html: string; text: string } {
  const records = Object.values(verificationRecordsOf(domain, mailHosts())).filter(
    ({ required }) => required,
  );
  const intro = `The sender domain ${domain.sender} is not verified yet. Publish these DNS records; we look again every hour.`;
  const lines = records.map(({ recordType, host, priority, recordValue }) =>
    [recordType, host, ...(priority === undefined ? [] : [String(priority)]), recordValue].join('  '),
  );
  // Domain names and keys have no character that means something in HTML.
  const items = lines.map((line) => `<li><code>${line}</code></li>`).join('');
  return {
    subject: `${domain.sender} waits for its DNS records`,
    html: `<p>${intro}</p><ul>${items}</ul>`,
    text: [intro, '', ...lines].join('\n'),
  };
}

import type { EmailDelivery } from '../../../shared/channels/channel.ts';
import { FALLBACK_PREFIX, findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import type { Account } from '../../../shared/database/entities/accounts.ts';
import { members } from '../../../shared/database/entities/members.ts';
import { emailProvider } from '../../../shared/providers/email.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';

/**
 * Mails the account's active administrators from the service's own mail domain. True when at least one message was
 * taken; false without a mail domain to send from. `name` stands for the notification type, `id` for the tracking ID.
 */
export async function mailToAdmins(
  { accountId, defaultEnvironmentId: environmentId }: Account,
  { name, id }: { name: string; id: string },
  content: Pick<EmailDelivery, 'subject' | 'html' | 'text'>,
): Promise<boolean> {
  const mailDomain = findMailDomain();
  if (!mailDomain) return false;
  const people = await resolve(members).listAll(accountId);
  const admins = people.filter(({ role, status }) => role === 'admin' && status === 'active');
  const outcomes = await Promise.all(
    admins.map((admin) =>
      resolve(emailProvider).deliver({
        ...{
          trackingId: id,
          accountId,
          environmentId,
          notificationId: name,
          userId: admin.userId,
          attempt: 1,
        },
        to: admin.email,
        from: { address: `${FALLBACK_PREFIX}@${mailDomain}` },
        ...content,
        replyToAddresses: [],
        ccAddresses: [],
        bccAddresses: [],
        attachments: [],
        headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
      }),
    ),
  );
  return outcomes.some(({ kind }) => kind === 'sent');
}

import type { EmailDelivery } from '../../../shared/channels/channel.ts';
import { FALLBACK_PREFIX, findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { AUTOMATIC_MARKS } from '../../../shared/channels/email/message-id.ts';
import { members } from '../../../shared/database/entities/access/members.ts';
import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import { serviceEmail } from '../../../shared/providers/email/service-email.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';

export const adminMailDependencies = { members, serviceEmail };

/**
 * Emails the account's active administrators from the service's own mail domain. Returns true if the provider
 * accepted at least one message; false without a mail domain. Throws only if no message could be sent: a retry
 * must not email the others again. `name` is used as the notification type, `id` as the tracking ID.
 */
export async function mailToAdmins(
  { members, serviceEmail }: Resolved<typeof adminMailDependencies>,
  { accountId, defaultEnvironmentId: environmentId }: Account,
  { name, id }: { name: string; id: string },
  content: Pick<EmailDelivery, 'subject' | 'html' | 'text'>,
): Promise<boolean> {
  const mailDomain = findMailDomain();
  if (!mailDomain) return false;
  const people = await members.listAll(accountId);
  const admins = people.filter(({ role, status }) => role === 'admin' && status === 'active');
  const outcomes = await Promise.allSettled(
    admins.map(async (admin) => {
      await serviceEmail.awaitTurn?.(Number.POSITIVE_INFINITY);
      return serviceEmail.deliver({
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
        headers: AUTOMATIC_MARKS,
      });
    }),
  );
  const failed = outcomes.filter((each) => each.status === 'rejected');
  if (failed.length > 0 && failed.length === outcomes.length) throw failed[0]?.reason;
  for (const { reason } of failed) log.error('an administrator was not emailed', { accountId }, reason);
  return outcomes.some((each) => each.status === 'fulfilled' && each.value.kind === 'sent');
}

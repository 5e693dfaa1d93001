import type { Accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Addresses } from '../../../shared/database/entities/settings/addresses.ts';
import type { Domains } from '../../../shared/database/entities/settings/domains.ts';
import { hasTags } from '../../../shared/rendering/syntax/tags.ts';
import type { Intake } from '../accept/intake.ts';

export type SenderDependencies = { accounts: Accounts; addresses: Addresses; domains: Domains };

/**
 * Returns why the email of a request could not be sent now, as far as it is known before its template is read: the request's
 * sender, by default the account's.
 */
export async function findSenderProblem(
  deps: SenderDependencies,
  { request, content }: Intake,
  { account: { accountId, defaultSender }, type }: Pick<SendingContext, 'account' | 'type'>,
): Promise<string | undefined> {
  const channels = request.forceChannels ?? type?.channels;
  if (!(channels?.includes('EMAIL') ?? content.email !== undefined)) return undefined;
  const sources = { options: request.options?.email, content: content.email };
  const named = sources.options?.fromAddress || sources.content?.senderEmail;
  const isOfTemplate = !named && type?.templates.some(({ channel }) => channel === 'EMAIL');
  const known = named || (isOfTemplate ? undefined : defaultSender?.address);
  if (!known || hasTags(known)) return undefined;
  const { findEmailSender } = await import('../../../shared/providers/email/email-sender.ts');
  const sender = await findEmailSender(deps, accountId, sources);
  return sender.kind === 'rejected' ? sender.internal : undefined;
}

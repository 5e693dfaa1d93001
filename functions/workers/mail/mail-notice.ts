import { accounts } from '../../../shared/database/entities/accounts.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import type { AdminNotice } from '../../../shared/schemas/admin-notice.ts';
import { adminMailOf } from './admin-notice.ts';
import { adminMailDependencies, mailToAdmins } from './mail-to-admins.ts';

/** The dependencies of `mailNotice`, by name. */
export const noticeDependencies = { accounts, ...adminMailDependencies };

/** Emails a notice to the administrators of its account. Without a mail domain, it only writes a line to the log. */
export async function mailNotice(
  { accounts, ...deps }: Resolved<typeof noticeDependencies>,
  notice: AdminNotice,
  messageId: string,
): Promise<void> {
  const { accountId, kind } = notice;
  const account = await accounts.find(accountId);
  if (!account) return;
  const named = { name: kind, id: `${kind}-${messageId}` };
  const isSent = await mailToAdmins(deps, account, named, adminMailOf(notice));
  if (!isSent) log.warn('no administrator could be emailed', { accountId });
}

import { accounts } from '../../../shared/database/entities/accounts.ts';
import { queueWorker } from '../../../shared/http/queue-worker.ts';
import { ADMIN_MAIL_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { AdminNotice, adminMailOf } from './admin-notice.ts';
import { adminMailDependencies, mailToAdmins } from './mail-to-admins.ts';

/**
 * Emails notices to the administrators of an account. Without a mail domain, it only writes a line to the
 * log.
 */
export const handler = queueWorker(
  { name: ADMIN_MAIL_QUEUE, body: AdminNotice, failed: 'a notice was not emailed' },
  { accounts, ...adminMailDependencies },
  async ({ body: notice, id, accounts, ...deps }) => {
    const { accountId, kind } = notice;
    const account = await accounts.find(accountId);
    if (!account) return 'done';
    const named = { name: kind, id: `${kind}-${id}` };
    const isSent = await mailToAdmins(deps, account, named, adminMailOf(notice));
    if (!isSent) log.warn('no administrator could be emailed', { worker: ADMIN_MAIL_QUEUE, accountId });
    return 'done';
  },
);

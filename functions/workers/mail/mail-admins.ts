import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { ADMIN_MAIL_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { eachRecord } from '../receipts/each-record.ts';
import { AdminNotice, adminMailOf } from './admin-notice.ts';
import { mailToAdmins } from './mail-to-admins.ts';

/** Mails notices to the administrators of an account. Without a mail domain there is no mail, only a line of the log. */
export const handler = eachRecord(ADMIN_MAIL_QUEUE, async ({ body, messageId }) => {
  const notice = v.parse(AdminNotice, JSON.parse(body));
  const { accountId, kind } = notice;
  const account = await resolve(accounts).find(accountId);
  if (!account) return;
  const isTaken = await mailToAdmins(
    account,
    { name: kind, id: `${kind}-${messageId}` },
    adminMailOf(notice),
  );
  if (!isTaken) log.warn('no administrator could be mailed', { worker: ADMIN_MAIL_QUEUE, accountId });
});

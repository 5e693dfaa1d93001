import { blobs } from '../../../shared/blobs/blobs.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { inboundMessages } from '../../../shared/database/entities/incoming/inbound-messages.ts';
import { messageIds } from '../../../shared/database/entities/incoming/message-ids.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { addresses } from '../../../shared/database/entities/settings/addresses.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { choiceDependencies } from '../../preferences/choose.ts';

export const mailDependencies = {
  ...choiceDependencies,
  accounts,
  addresses,
  blobs,
  domains,
  erasureMarks,
  inboundMessages,
  logs,
  messageIds,
  notificationTypes,
  users,
};
export type MailDependencies = Resolved<typeof mailDependencies>;

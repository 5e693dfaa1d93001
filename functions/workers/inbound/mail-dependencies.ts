import { blobs } from '../../../shared/blobs/blobs.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { addresses } from '../../../shared/database/entities/addresses.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { domains } from '../../../shared/database/entities/domains.ts';
import { inboundMessages } from '../../../shared/database/entities/inbound-messages.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { messageIds } from '../../../shared/database/entities/message-ids.ts';
import { suppressions } from '../../../shared/database/entities/suppressions.ts';
import { users } from '../../../shared/database/entities/users.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';

/** Dependencies of recording an email, by name. */
export const mailDependencies = {
  accounts,
  addresses,
  blobs,
  domains,
  inboundMessages,
  logs,
  messageIds,
  signer,
  suppressions,
  users,
};
export type MailDependencies = Resolved<typeof mailDependencies>;

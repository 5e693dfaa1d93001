import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { smsOptOuts } from '../../../shared/database/entities/incoming/sms-opt-out-list.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { idempotencyKeys } from '../../../shared/database/entities/sending/idempotency-keys.ts';
import { sendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import { sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { usageCaps } from '../../../shared/database/entities/usage/usage-caps.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { userTraces } from '../../../shared/database/entities/users/user-traces.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { deferred } from '../../../shared/runtime/dependency.ts';

export const acceptDependencies = {
  accounts,
  addresses: deferred(
    'addresses',
    async () => (await import('../../../shared/database/entities/settings/addresses.ts')).addresses,
  ),
  domains: deferred(
    'domains',
    async () => (await import('../../../shared/database/entities/settings/domains.ts')).domains,
  ),
  sendingContexts,
  users,
  notificationTypes,
  idempotencyKeys,
  logs,
  sendingRules,
  smsOptOuts,
  suppressions,
  usageCaps,
  erasureMarks,
  userTraces,
  templates: deferred(
    'templates',
    async () => (await import('../../../shared/database/entities/content/templates.ts')).templates,
  ),
  components: deferred(
    'components',
    async () => (await import('../../../shared/database/entities/content/components.ts')).components,
  ),
  topics: deferred(
    'topics',
    async () => (await import('../../../shared/database/entities/users/topics.ts')).topics,
  ),
  translations: deferred(
    'translations',
    async () => (await import('../../../shared/database/entities/content/translations.ts')).translations,
  ),
};

import { components } from '../../shared/database/entities/components.ts';
import { erasureMarks } from '../../shared/database/entities/erasure-marks.ts';
import { idempotencyKeys } from '../../shared/database/entities/idempotency-keys.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { sendingContexts } from '../../shared/database/entities/sending-context.ts';
import { sendingRules } from '../../shared/database/entities/sending-rules.ts';
import { smsOptOuts } from '../../shared/database/entities/sms-opt-out-list.ts';
import { suppressions } from '../../shared/database/entities/suppressions.ts';
import { templates } from '../../shared/database/entities/templates.ts';
import { topics } from '../../shared/database/entities/topics.ts';
import { translations } from '../../shared/database/entities/translations.ts';
import { usageCaps } from '../../shared/database/entities/usage-caps.ts';
import { userTraces } from '../../shared/database/entities/user-traces.ts';
import { users } from '../../shared/database/entities/users.ts';

/** Dependencies of every endpoint that accepts a notification. */
export const acceptDependencies = {
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
  templates,
  components,
  topics,
  translations,
};

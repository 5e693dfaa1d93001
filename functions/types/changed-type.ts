import type { StoredType } from '../../shared/database/entities/content/notification-types.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type {
  NewNotificationType,
  NotificationTypeChange,
} from '../../shared/schemas/content/notification-type-change.ts';

/** A new type as it is stored: enabled by default, without templates. */
export function newType(body: NewNotificationType, nowMs: number): StoredType {
  const { notificationId, title, channels } = body;
  const bare: StoredType = {
    notificationId,
    title,
    channels,
    enabled: true,
    templates: [],
    revision: 1,
    createdAtMs: nowMs,
  };
  return changedType(bare, body);
}

/** The type after a change: absent fields stay, null switches off, options are replaced by channel. */
export function changedType(type: StoredType, change: NotificationTypeChange): StoredType {
  const { deduplication, throttling, retention, options, steps, urgent, title, channels, enabled } = change;
  const next: StoredType = {
    ...type,
    title: title ?? type.title,
    category: switched(type.category, change.category),
    translations: merged(type.translations, change.translations),
    required: switched(type.required, change.required),
    channels: channels ?? type.channels,
    enabled: enabled ?? type.enabled,
    deduplication: switched(type.deduplication, deduplication),
    throttling: switched(type.throttling, throttling),
    retention: switched(type.retention, retention),
    options: merged(type.options, options),
    urgent: switched(type.urgent, urgent),
    exemptFromFloor: switched(type.exemptFromFloor, change.exemptFromFloor),
    quietHours: switched(type.quietHours, change.quietHours),
    purpose: switched(type.purpose, change.purpose),
    sensitive: switched(type.sensitive, change.sensitive),
    parametersSchema: switched(
      type.parametersSchema,
      change.parametersSchema && JSON.stringify(change.parametersSchema),
    ),
    steps: switched(type.steps, steps?.length === 0 ? undefined : steps),
  };
  if (next.purpose === 'marketing') assertCanBeOff(next);
  if (next.required) assertIsOn(next);
  return next;
}

/** People can always turn marketing off. Throws INVALID_REQUEST otherwise. */
function assertCanBeOff({ options = {}, required }: StoredType): void {
  if (required) {
    throw new AppError('INVALID_REQUEST', {
      message: 'required must not be true on a type of purpose marketing.',
      fix: 'Omit required, or set purpose to transactional if the type is not marketing.',
    });
  }
  const fixed = CHANNELS.find((channel) => options[channel]?.off?.enabled === false);
  if (fixed === undefined) return;
  throw new AppError('INVALID_REQUEST', {
    message: `options.${fixed}.off.enabled must be true on a type of purpose marketing.`,
    path: `options.${fixed}.off.enabled`,
    fix: `Omit options.${fixed}.off, or set purpose to transactional if the type is not marketing.`,
  });
}

/** What nobody can turn off is sent to everybody. Throws INVALID_REQUEST otherwise. */
function assertIsOn({ options = {} }: StoredType): void {
  const off = CHANNELS.find((channel) => options[channel]?.defaultDeliveryOption === 'off');
  if (off === undefined) return;
  throw new AppError('INVALID_REQUEST', {
    message: `options.${off}.defaultDeliveryOption must not be off on a type that is required.`,
    fix: `Choose another default, such as instant, or omit required.`,
  });
}

function switched<T>(before: T | undefined, change: T | null | undefined): T | undefined {
  return change === undefined ? before : (change ?? undefined);
}

/** Absent entries stay, null removes one. */
function merged<T extends object>(
  before: T | undefined,
  change: { [N in keyof T]?: T[N] | null | undefined } | null | undefined,
): T | undefined {
  if (change === undefined) return before;
  const entries = Object.entries({ ...(change && before), ...defined(change ?? {}) });
  const left = entries.filter(([, value]) => value !== null);
  return left.length > 0 ? (Object.fromEntries(left) as T) : undefined;
}

/** The problems of the schema of parameters, which is loaded only for a request that has one. */
export async function parametersSchemaProblems(body: unknown): Promise<Problem[]> {
  const schema = fieldsOf(body).parametersSchema;
  if (typeof schema !== 'object' || schema === null) return [];
  const { schemaProblems } = await import('../../shared/domain/content/parameters-schema.ts');
  return schemaProblems(schema).map(({ path, must }) => ({
    where: path === '' ? 'body.parametersSchema' : `body.parametersSchema.${path}`,
    must,
  }));
}

import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type { TypeOptions } from '../../shared/schemas/notification-type.ts';
import type {
  NewNotificationType,
  NotificationTypeChange,
} from '../../shared/schemas/notification-type-change.ts';

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
    channels: channels ?? type.channels,
    enabled: enabled ?? type.enabled,
    deduplication: switched(type.deduplication, deduplication),
    throttling: switched(type.throttling, throttling),
    retention: switched(type.retention, retention),
    options: mergedOptions(type.options, options),
    urgent: switched(type.urgent, urgent),
    purpose: switched(type.purpose, change.purpose),
    sensitive: switched(type.sensitive, change.sensitive),
    steps: switched(type.steps, steps?.length === 0 ? undefined : steps),
  };
  if (next.purpose === 'marketing') assertCanBeOff(next);
  return next;
}

/** People can always turn marketing off. Throws INVALID_REQUEST otherwise. */
function assertCanBeOff({ options = {} }: StoredType): void {
  const fixed = CHANNELS.find((channel) => options[channel]?.off?.enabled === false);
  if (fixed === undefined) return;
  throw new AppError('INVALID_REQUEST', {
    message: `options.${fixed}.off.enabled must be true on a type of purpose marketing.`,
    fix: `Omit options.${fixed}.off, or set purpose to transactional if the type is not marketing.`,
  });
}

function switched<T>(before: T | undefined, change: T | null | undefined): T | undefined {
  return change === undefined ? before : (change ?? undefined);
}

function mergedOptions(
  before: TypeOptions | undefined,
  change: NotificationTypeChange['options'],
): TypeOptions | undefined {
  if (change === undefined) return before;
  if (change === null) return undefined;
  const merged: Record<string, unknown> = { ...before };
  for (const channel of [...CHANNELS, 'email'] as const) {
    if (change[channel] === null) delete merged[channel];
    else if (change[channel] !== undefined) merged[channel] = change[channel];
  }
  return Object.keys(merged).length > 0 ? merged : undefined;
}

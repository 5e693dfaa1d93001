import { defined } from '../../runtime/values/defined.ts';
import { type Channel, LOG_PREFIX, type LogPrefix } from '../../schemas/channel.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';

/** Log fields of one channel by the names that follow its prefix: `failed_code` is `email_failed_code` of EMAIL. */
export function channelFields<C extends Channel = Channel>(
  channel: C,
  fields: { [N in FieldName<C>]?: FieldValue<N> | undefined },
): LogFields {
  const prefix = LOG_PREFIX[channel];
  return Object.fromEntries(
    Object.entries(defined(fields)).map(([name, value]) => [`${prefix}_${name}`, value]),
  );
}

/** The reason of a channel that was cancelled. */
export const CANCELED = 'CANCELED';

/** Fields of a channel that is not sent because the notification was cancelled or the user deleted. */
export function cancelledFields(channel: Channel, nowMs: number): LogFields {
  const skipped_at = new Date(nowMs).toISOString();
  return channelFields<Channel>(channel, { routing: 'IGNORE', skipped_at, skipped_reason: CANCELED });
}

type NameAfter<P extends LogPrefix> = keyof LogFields extends infer K
  ? K extends `${P}_${infer Name}`
    ? Name
    : never
  : never;

/** The names after the prefix in log fields that every channel of `C` has. */
type FieldName<C extends Channel> = {
  [D in C]: (name: NameAfter<(typeof LOG_PREFIX)[D]>) => void;
}[C] extends (name: infer Name) => void
  ? Name & string
  : never;

type FieldValue<N extends string> = N extends 'failed_code'
  ? FailureCode
  : `email_${N}` extends keyof LogFields
    ? NonNullable<LogFields[`email_${N}`]>
    : string;

import type { ChannelRouting, LogEvent } from '../../../../shared/domain/logs/log.ts';
import { channelFields } from '../../../../shared/domain/routing/channel-fields.ts';
import { isoOf } from '../../../../shared/runtime/clock.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../../shared/schemas/logs/log-record.ts';

/**
 * Returns the event of a withheld channel. One without an address or content fails, as it would have when it
 * was accepted; the others are withheld. `because` is for the channel's internal field.
 */
export function withheldEvent(
  channel: Channel,
  { reason, failureCode }: Pick<ChannelRouting, 'reason' | 'failureCode'>,
  {
    atMs,
    because,
    fields = {},
    routing = 'IGNORE',
  }: {
    atMs: number;
    because?: string | undefined;
    fields?: LogFields;
    routing?: 'IGNORE' | 'THROTTLED';
  },
): LogEvent {
  const named = channelFields(channel, {
    routing,
    routing_reason: reason,
    failed_code: failureCode,
    failed_internal: because,
  });
  return {
    channel,
    stage: failureCode === undefined ? 'withheld' : 'failed',
    atMs,
    fields: { ...fields, ...named },
  };
}

export function failureFields(
  atMs: number,
  failed_code: NonNullable<LogFields['failed_code']>,
  failed_internal: string,
): LogFields {
  return { failed_at: isoOf(atMs), failed_code, failed_internal };
}

import type { DeliveryOutcome } from '../../../shared/channels/channel.ts';
import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { type Logs, ownerOf } from '../../../shared/database/entities/logs.ts';
import { channelFields, type LogEvent } from '../../../shared/domain/log-record.ts';
import { type Clock, isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../shared/schemas/log-record.ts';

/** The outcome of a channel of a notification. */
export type Settled<C extends Channel> =
  | (Exclude<DeliveryOutcome<C>, { kind: 'postponed' }> & { preview?: string })
  | { kind: 'withheld'; fields: LogFields };

/** The log fields of a withheld channel. */
export function ignoredFields(channel: Channel): LogFields {
  return channelFields(channel, { routing: 'IGNORE' });
}

/** The log fields of a channel that was not sent because the topic notification was cancelled. */
export function cancelledFields(channel: Channel, nowMs: number): LogFields {
  const skipped = { skipped_at: isoOf(nowMs), skipped_reason: 'CANCELED' } as const;
  return channelFields(channel, { routing: 'IGNORE', ...skipped });
}

/** Appends the outcome of a channel to the notification's log; the failure of the last retry is final. */
export async function recordOutcome<C extends Channel>(
  { logs, clock }: { logs: Logs; clock: Clock },
  channel: C,
  head: StoredLogHead,
  outcome: Settled<C>,
): Promise<void> {
  const base = { channel, atMs: clock.now() };
  const preview = outcome.kind === 'sent' ? outcome.preview : undefined;
  await logs.append(head.trackingId, ownerOf(head), { ...base, ...eventOf(channel, outcome) }, preview);
}

function eventOf<C extends Channel>(
  channel: C,
  outcome: Settled<C>,
): Pick<LogEvent, 'stage' | 'fields' | 'delivered'> {
  if (outcome.kind === 'withheld') return { stage: 'withheld', fields: outcome.fields };
  if (outcome.kind === 'sent') {
    const { fields, delivered } = outcome;
    return { stage: 'sent', fields, ...defined({ delivered }) };
  }
  const { code, internal, fields } = outcome;
  const failure = channelFields(channel, { failed_code: code, failed_internal: internal });
  return { stage: 'failed', fields: { ...fields, ...failure } };
}

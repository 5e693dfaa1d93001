import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { internalText } from '../../../../shared/channels/failure/internal-text.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import { type Logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import { costEventOf } from '../../../../shared/domain/costs/event-cost.ts';
import type { PhoneEstimate } from '../../../../shared/domain/costs/phone-costs.ts';
import type { LogEvent } from '../../../../shared/domain/logs/log.ts';
import { channelFields } from '../../../../shared/domain/routing/channel-fields.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import { type Channel, LOG_PREFIX } from '../../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../../shared/schemas/logs/log-record.ts';

export type Settled<C extends Channel> =
  | (Exclude<DeliveryOutcome<C>, { kind: 'postponed' }> & {
      preview?: Uint8Array;
      notes?: readonly string[];
      missing?: readonly string[] | undefined;
      estimate?: PhoneEstimate | undefined;
    })
  | { kind: 'withheld'; fields: LogFields };

export function ignoredFields(channel: Channel): LogFields {
  return channelFields<Channel>(channel, { routing: 'IGNORE' });
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

/** Appends the cost of a sent message, if an earlier receive ended before it was stored. */
export async function completeOutcome(
  { logs }: { logs: Logs },
  channel: Channel,
  { head, events }: Log,
): Promise<void> {
  const own = events.filter((event) => event.channel === channel);
  const sent = own.find(({ stage }) => stage === 'sent');
  if (!sent || !costEventOf(sent) || own.some(({ stage }) => stage === 'cost')) return;
  await logs.append(head.trackingId, ownerOf(head), sent);
}

function eventOf<C extends Channel>(
  channel: C,
  outcome: Settled<C>,
): Pick<LogEvent, 'stage' | 'fields' | 'delivered' | 'estimate'> {
  if (outcome.kind === 'withheld') return { stage: 'withheld', fields: outcome.fields };
  if (outcome.kind === 'sent') {
    const { fields, delivered, notes, estimate } = outcome;
    const sent = {
      stage: 'sent' as const,
      fields: { ...withNotes(channel, fields, notes), ...missingFields(channel, outcome.missing) },
    };
    return { ...sent, ...defined({ delivered, estimate }) };
  }
  const { code, internal, fields } = outcome;
  const failure = channelFields<Channel>(channel, { failed_code: code, failed_internal: internal });
  const missing = missingFields(channel, outcome.missing);
  return { stage: 'failed', fields: { ...fields, ...failure, ...missing } };
}

/** Names of variables in a log. */
const NAMES_MAX = 20;

/** The number of variables without a value, and the first names. */
export function missingFields(channel: Channel, names: readonly string[] = []): LogFields {
  if (names.length === 0) return {};
  const missing = internalText(names.slice(0, NAMES_MAX).join(', '));
  return channelFields<Channel>(channel, { missing, missing_count: names.length });
}

/** The fields of a sent message; `failed_internal` names what the provider or the rendering omitted from it. */
function withNotes(channel: Channel, fields: LogFields, notes: readonly string[] = []): LogFields {
  if (notes.length === 0) return fields;
  const omitted = fields[`${LOG_PREFIX[channel]}_failed_internal`];
  const failed_internal = internalText([...notes, ...(omitted ? [omitted] : [])].join('\n'));
  return { ...fields, ...channelFields<Channel>(channel, { failed_internal }) };
}

import * as v from 'valibot';
import { CHANNELS, LOG_PREFIX, type LogPrefix } from '../../shared/schemas/channel.ts';

const FIELDS = [
  'type',
  'user_id',
  'received_at',
  'processed_at',
  'scheduled_for',
  'schedule_deleted_at',
  'ignored',
  'failed_code',
  'failed_internal',
] as const;
const CHANNEL_FIELDS = [
  'routing',
  'routing_reason',
  'held_until',
  'due_at',
  'skipped_reason',
  'sent_at',
  'sent_code',
  'delivered_at',
  'delivered_code',
  'opened_at',
  'opened_code',
  'clicked_at',
  'clicked_code',
  'inbound_at',
  'inbound_code',
  'failed_at',
  'failed_code',
  'failed_internal',
] as const;
type ChannelField = `${LogPrefix}_${(typeof CHANNEL_FIELDS)[number]}`;

const channelFields = CHANNELS.flatMap((channel) =>
  CHANNEL_FIELDS.map((field): ChannelField => `${LOG_PREFIX[channel]}_${field}`),
);

/** A delivery log as the API returns it. A newer release may have other fields and values. */
export const ShownLog = v.looseObject({
  trackingId: v.string(),
  ...v.entriesFromList([...FIELDS, ...channelFields], v.optional(v.string())),
});
export type ShownLog = v.InferOutput<typeof ShownLog>;

/** The response of `GET /logs/{trackingIds}` and `GET /logs/tail`. */
export const ShownLogs = v.object({ logs: v.array(ShownLog) });

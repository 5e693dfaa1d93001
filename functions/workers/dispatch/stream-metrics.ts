import type { EventItem, HeadItem } from '../../../shared/database/entities/log-items.ts';
import { type MetricName, recordMetrics } from '../../../shared/runtime/metrics.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { Stage } from '../../../shared/schemas/stage.ts';
import { countedSendsOf, readyChannelsOf } from './stream-record.ts';

type Value = { channel: Channel; name: MetricName; value: number };

const METRIC_OF_STAGE: Readonly<Partial<Record<Stage, MetricName>>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

/**
 * Counts the events of a batch of stream records, a line per channel; a redelivered batch is counted again.
 */
export function recordStreamMetrics(items: readonly (HeadItem | EventItem | undefined)[]): void {
  const values = items.flatMap((item): Value[] => [
    ...readyChannelsOf(item).map(({ channel }): Value => ({ channel, name: 'Accepted', value: 1 })),
    ...stagesOf(item),
    ...countedSendsOf(item, '0').flatMap(({ channel, costUsd }): Value[] =>
      channel && costUsd > 0 ? [{ channel, name: 'PhoneCost', value: costUsd }] : [],
    ),
  ]);
  for (const [channel, ofChannel] of Map.groupBy(values, (each) => each.channel)) {
    const sums: Partial<Record<MetricName, number>> = {};
    for (const { name, value } of ofChannel) sums[name] = (sums[name] ?? 0) + value;
    recordMetrics(sums, { channel });
  }
}

/** Events are appended once, so each insertion is one message that reached a stage. */
function stagesOf(item: HeadItem | EventItem | undefined): Value[] {
  const name = item?.kind === 'event' ? METRIC_OF_STAGE[item.stage] : undefined;
  return item?.kind === 'event' && name ? [{ channel: item.channel, name, value: 1 }] : [];
}

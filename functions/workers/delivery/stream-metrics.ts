import type { DynamoDBRecord } from 'aws-lambda';
import { type MetricName, recordMetrics } from '../../../shared/runtime/metrics.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import { countedSendsOf, readyChannelsOf } from './stream-record.ts';

type Value = { channel: Channel; name: MetricName; value: number };

const STAGES: Readonly<Record<string, MetricName>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** Counts what a batch of stream records tells, a line per channel; a batch that comes again is counted again. */
export function recordStreamMetrics(records: readonly DynamoDBRecord[]): void {
  const values = records.flatMap((record): Value[] => [
    ...readyChannelsOf(record).map(({ channel }): Value => ({ channel, name: 'Accepted', value: 1 })),
    ...stagesOf(record),
    ...countedSendsOf(record)
      .filter(({ costUsd }) => costUsd > 0)
      .map(({ channel, costUsd }): Value => ({ channel, name: 'PhoneCost', value: costUsd })),
  ]);
  for (const [channel, ofChannel] of Map.groupBy(values, (each) => each.channel)) {
    const sums: Partial<Record<MetricName, number>> = {};
    for (const { name, value } of ofChannel) sums[name] = (sums[name] ?? 0) + value;
    recordMetrics(sums, { channel });
  }
}

/** Events are appended once, so each insertion is one message that came to a stage. */
function stagesOf({ eventName, dynamodb }: DynamoDBRecord): Value[] {
  const [kind, prefix, stage = ''] = dynamodb?.NewImage?.sk?.S?.split('#') ?? [];
  const channel = CHANNELS.find((each) => LOG_PREFIX[each] === prefix);
  const name = STAGES[stage];
  if (eventName !== 'INSERT' || kind !== 'EVENT' || !channel || !name) return [];
  return [{ channel, name, value: 1 }];
}

import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { CountedSend } from '../../../shared/database/entities/usage-counters.ts';
import { COST_STAGE } from '../../../shared/domain/event-cost.ts';
import { AHEAD_MS } from '../../../shared/messaging/due-messages.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';

/** A channel of a notification that is ready: to be sent at once, or to be collected for a digest. */
export type ReadyChannel = { trackingId: string; channel: Channel; routing: 'SEND' | 'BATCH' };

/** Whether a record tells of nothing but that a head is kept longer than its log is shown. */
export function isKeptHead(record: DynamoDBRecord): boolean {
  return record.dynamodb?.NewImage?.shownUntil !== undefined;
}

/** The channels a stream record makes ready: those of a head that was just accepted, or whose time has come. */
export function readyChannelsOf(record: DynamoDBRecord): ReadyChannel[] {
  const image = record.dynamodb?.NewImage;
  if (record.eventName === 'REMOVE' || image?.sk?.S !== 'HEAD' || image.state?.S !== 'accepted') return [];
  // Its user was erased: nothing is sent.
  if (image.u?.S === '') return [];
  const trackingId = image.trackingId?.S ?? '';
  return CHANNELS.flatMap((channel): ReadyChannel[] => {
    const routing = image.routes?.M?.[channel]?.M?.r?.S;
    return routing === 'SEND' || routing === 'BATCH' ? [{ trackingId, channel, routing }] : [];
  });
}

/** A waiting item whose time comes before the sweeper looks again: it is told at once, to the second. */
export function dueSoonOf(
  record: DynamoDBRecord,
  nowMs: number,
): { pk: string; dueAtMs: number } | undefined {
  const image = record.dynamodb?.NewImage;
  const dueAtMs = Number(image?.dueSk?.S?.slice(0, 13) ?? Number.NaN);
  const pk = image?.pk?.S;
  if (record.eventName === 'REMOVE' || !pk || Number.isNaN(dueAtMs)) return undefined;
  return dueAtMs <= nowMs + AHEAD_MS ? { pk, dueAtMs } : undefined;
}

/** What a stream record adds to the usage: one message per event of a sent stage, and the cost of a cost event. */
export function countedSendsOf(record: DynamoDBRecord): CountedSend[] {
  const image = record.dynamodb?.NewImage;
  const sequenceNumber = record.dynamodb?.SequenceNumber;
  const sk = image?.sk?.S ?? '';
  if (record.eventName !== 'INSERT' || !sequenceNumber || !sk.startsWith('EVENT#')) return [];
  const [, prefix, stage] = sk.split('#');
  const channel = CHANNELS.find((each) => LOG_PREFIX[each] === prefix);
  if (!channel || (stage !== 'sent' && stage !== COST_STAGE)) return [];
  return [
    {
      accountId: image?.a?.S ?? '',
      channel,
      count: stage === 'sent' ? 1 : 0,
      costUsd: stage === COST_STAGE ? costUsdOf(image?.f?.M) : 0,
      atMs: Number(image?.at?.N ?? 0),
      sequenceNumber,
    },
  ];
}

function costUsdOf(fields: Record<string, AttributeValue> | undefined): number {
  return Number((fields?.sms_sent_cost ?? fields?.call_delivered_cost)?.N ?? 0);
}

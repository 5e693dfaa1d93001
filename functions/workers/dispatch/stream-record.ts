import type { DynamoDBRecord } from 'aws-lambda';
import type { EventItem, HeadItem } from '../../../shared/database/entities/logs/log-items.ts';
import { type CountedSend, microsOf } from '../../../shared/database/entities/usage/usage-additions.ts';
import { DUE_PK_PREFIX, timeOfIndexSk } from '../../../shared/database/keys/indexes.ts';
import { readEventSk } from '../../../shared/database/keys/log.ts';
import {
  costName,
  heldName,
  type PhoneChannel,
  settledName,
  unitsName,
} from '../../../shared/domain/costs/phone-costs.ts';
import { channelsOff } from '../../../shared/domain/routing/deployed-channels.ts';
import { isMiss, isOfMachine } from '../../../shared/domain/timing/arrival.ts';
import { DUE_SOON_MS } from '../../../shared/messaging/due-messages.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../shared/schemas/logs/log-record.ts';
import type { ReadyChannel } from '../delivery/waiting/ready-message.ts';

/** The channels that an item makes ready: the channels of a head that was just accepted, or that has become due. */
export function readyChannelsOf(item: HeadItem | EventItem | undefined): ReadyChannel[] {
  if (item?.kind !== 'head' || !isAccepted(item)) return [];
  // Its user was erased: nothing is sent.
  if (item.userId === '') return [];
  const { trackingId, accountId, isUrgent } = item;
  return item.routes.flatMap(({ channel, routing }): ReadyChannel[] =>
    routing === 'SEND' || routing === 'BATCH' ? [{ trackingId, channel, routing, accountId, isUrgent }] : [],
  );
}

/** The channels that the environment withholds: their content is rendered for the log. */
export function withheldChannelsOf(item: HeadItem | EventItem | undefined): ReadyChannel[] {
  if (!item || item.userId === '') return [];
  const { trackingId } = item;
  const reasons =
    item.kind === 'head'
      ? isAccepted(item)
        ? item.routes
        : []
      : [{ channel: item.channel, reason: item.fields[`${LOG_PREFIX[item.channel]}_routing_reason`] }];
  const off = channelsOff();
  return reasons.flatMap(({ channel, reason }): ReadyChannel[] =>
    reason === 'IGNORE_BY_ENVIRONMENT' && !off.includes(channel)
      ? [{ trackingId, channel, routing: 'IGNORE' }]
      : [],
  );
}

const isAccepted = ({ state, isKeptLonger }: HeadItem) => state === 'accepted' && !isKeptLonger;

/** A waiting item that is due before the sweeper's next run: it is enqueued now, delayed to the second. */
export function dueSoonOf(
  { eventName, dynamodb }: DynamoDBRecord,
  nowMs: number,
): { pk: string; dueAtMs: number } | undefined {
  const image = dynamodb?.NewImage;
  const pk = image?.pk?.S;
  if (eventName === 'REMOVE' || !image || !pk) return undefined;
  if (mayStartNextStep(image)) return { pk, dueAtMs: nowMs };
  const isWaiting = image.duePk?.S?.startsWith(DUE_PK_PREFIX);
  const dueAtMs = timeOfIndexSk(image.dueSk?.S ?? 'never');
  if (!isWaiting || Number.isNaN(dueAtMs)) return undefined;
  return dueAtMs <= nowMs + DUE_SOON_MS ? { pk, dueAtMs } : undefined;
}

/** A step that depends on earlier deliveries starts as soon as they have all failed. */
function mayStartNextStep({
  next,
  sk,
  f,
  d,
}: NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>): boolean {
  const { stage } = readEventSk(sk?.S ?? '') ?? {};
  if (next?.BOOL !== true || !stage || stage === 'skipped') return false;
  const code = (fields: typeof f) =>
    ({
      call_delivered_code: fields?.M?.call_delivered_code?.S,
      call_answered_by: fields?.M?.call_answered_by?.S,
    }) as LogFields;
  const outcome = { stage, fields: code(f), ...(d?.M ? { delivered: code(d) } : {}) };
  return isMiss(outcome) || isOfMachine(outcome);
}

/** Minimum number of heads in a batch without usage before the rate is counted: low traffic must not cost a write. */
const LOAD = 20;

/** The usage that a batch adds to accounts, in the order of its records. */
export function countedOf(
  reads: readonly { record: DynamoDBRecord; item: HeadItem | EventItem | undefined }[],
): CountedSend[] {
  const counted = reads.flatMap(({ record, item }) => [
    ...countedSendsOf(item, record.dynamodb?.SequenceNumber),
    ...countedHeadsOf(item, record),
  ]);
  const byAccount = Map.groupBy(counted, ({ accountId }) => accountId);
  const isCounted = (list: readonly CountedSend[]) =>
    list.some(({ channel }) => channel !== undefined) || list.length >= LOAD;
  return counted.filter(({ accountId }) => isCounted(byAccount.get(accountId) ?? []));
}

function countedHeadsOf(
  item: HeadItem | EventItem | undefined,
  { eventName, dynamodb }: DynamoDBRecord,
): CountedSend[] {
  if (item?.kind !== 'head' || eventName !== 'INSERT' || !dynamodb?.SequenceNumber) return [];
  const { accountId, receivedAtMs: atMs } = item;
  return [{ accountId, count: 0, costUsd: 0, accepted: 1, atMs, sequenceNumber: dynamodb.SequenceNumber }];
}

/** The usage that an event adds: one message per sent stage, and the cost of a cost event. */
export function countedSendsOf(
  item: HeadItem | EventItem | undefined,
  sequenceNumber: string | undefined,
): CountedSend[] {
  if (item?.kind !== 'event' || !sequenceNumber) return [];
  const { accountId, channel, stage, atMs, fields } = item;
  if (stage !== 'sent' && stage !== 'cost') return [];
  const costUsd = Number(fields.sms_sent_cost ?? fields.call_delivered_cost ?? 0);
  const counted = { accountId, channel, count: 0, costUsd: 0, atMs, sequenceNumber };
  if (stage === 'sent') return [{ ...counted, count: 1, ...heldOf(item) }];
  return [{ ...counted, costUsd, ...pricedOf(item, costUsd) }, ...releasedOf(item, counted)];
}

type Amounts = Pick<CountedSend, 'amounts'>;

/** The estimate of a sent message, which counts until its cost is reported. It ends the message's part of a reserve. */
function heldOf({ channel, estimate, fields }: EventItem): Amounts {
  const isPriced = fields.sms_sent_cost !== undefined || fields.call_delivered_cost !== undefined;
  if (!isPhone(channel) || !estimate) return {};
  const { estimatedMicros } = estimate;
  const held = isPriced ? {} : { [heldName(channel)]: estimatedMicros };
  return { amounts: { [settledName(channel)]: estimatedMicros, ...held } };
}

/** Returns the cost of a message for its units; later estimates follow it. */
function pricedOf({ channel, estimate }: EventItem, costUsd: number): Amounts {
  if (!isPhone(channel) || !estimate) return {};
  const { code, units } = estimate;
  return { amounts: { [unitsName(channel, code)]: units, [costName(channel, code)]: microsOf(costUsd) } };
}

/** Ends the estimate of a message with a known cost, on the day when it was sent. */
function releasedOf({ channel, estimate }: EventItem, counted: CountedSend): CountedSend[] {
  if (!isPhone(channel) || !estimate?.estimatedMicros || estimate.sentAtMs === undefined) return [];
  const amounts = { [heldName(channel)]: -estimate.estimatedMicros };
  return [{ ...counted, atMs: estimate.sentAtMs, amounts }];
}

const isPhone = (channel: Channel): channel is PhoneChannel => channel === 'SMS' || channel === 'CALL';

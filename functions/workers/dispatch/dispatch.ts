import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { accountGrowth } from '../../../shared/database/entities/accounts/account-growth.ts';
import {
  type EventItem,
  type HeadItem,
  readStreamRecord,
} from '../../../shared/database/entities/logs/log-items.ts';
import { turnClocks } from '../../../shared/database/entities/sending/turn-clocks.ts';
import { usageCounters } from '../../../shared/database/entities/usage/usage-counters.ts';
import { webhooks } from '../../../shared/database/entities/webhooks/webhooks.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { dueMessage } from '../../../shared/messaging/due-messages.ts';
import { hasEventBus } from '../../../shared/messaging/event-bus.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import {
  DISPATCH_FAILURES_QUEUE,
  DUE_QUEUE,
  EVENTS_QUEUE,
  TEXT_ANSWER_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import {
  deploymentOrder,
  entriesOf,
  REPORTING_PROVIDERS,
} from '../../../shared/providers/order/provider-order.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { type MetricName, recordMetrics } from '../../../shared/runtime/metrics.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { Stage } from '../../../shared/schemas/logs/stage.ts';
import { turnMessage } from '../delivery/waiting/postpone.ts';
import { type ReadyChannel, readyMessage } from '../delivery/waiting/ready-message.ts';
import { shares } from '../delivery/waiting/shares.ts';
import { textAnswerOf } from '../inbound/text-to-answer.ts';
import { callMessage, raisedCallsOf } from '../webhooks/raised-calls.ts';
import {
  countedOf,
  countedSendsOf,
  dueSoonOf,
  readyChannelsOf,
  withheldChannelsOf,
} from './stream-record.ts';

/** Fields that Lambda adds to a stream event if the event source has a window (ADR 4). */
type WindowedStreamEvent = DynamoDBStreamEvent & { shardId?: string };
type WindowedResponse = DynamoDBBatchResponse & { state: Record<string, never> };

/** A record and its content; `isBroken` if it cannot be read. */
type Read = { record: DynamoDBRecord; item: HeadItem | EventItem | undefined; isBroken: boolean };
type Outgoing = { queue: string; message: QueueMessage; recordIndex: number };

const DEPENDENCIES = { accountGrowth, queues, shares, turnClocks, usageCounters, webhooks };
type Deps = Resolved<typeof DEPENDENCIES>;

/**
 * The stream's only consumer: enqueues a message per channel of every ready notification and one per event
 * that a webhook waits for, and counts usage. A failed record and all after it are redelivered; queues drop
 * the duplicates, and counters store how far they have counted. Only a record that can never be read goes to
 * the failure queue.
 */
export const handler = eventWorker(
  { name: 'dispatch', failed: 'a batch of the stream was not dispatched' },
  DEPENDENCIES,
  async (event: WindowedStreamEvent, { clock, timeLeftMs: _, ...deps }): Promise<WindowedResponse> => {
    const reads = (event.Records ?? []).map(read);
    const failedFrom = await enqueue(deps, reads, clock.now());
    const done = failedFrom === undefined ? reads : reads.slice(0, failedFrom);
    await count(deps, event.shardId ?? 'unknown', done, clock.now());
    recordStreamMetrics(done.map(({ item }) => item));
    const failed = failedFrom === undefined ? undefined : reads[failedFrom]?.record.dynamodb?.SequenceNumber;
    if (failed !== undefined) recordMetrics({ MessageFault: 1 }, { operation: 'dispatch' });
    return { state: {}, batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  },
);

/** Counts usage; spreads accounts that have become busy over more partitions. */
async function count(
  { accountGrowth, usageCounters }: Deps,
  streamShard: string,
  reads: readonly Read[],
  nowMs: number,
): Promise<void> {
  const counted = countedOf(reads);
  if (counted.length === 0) return;
  for (const accountId of await usageCounters.count(streamShard, counted, nowMs)) {
    try {
      const perSecond = await usageCounters.acceptedPerSecond(accountId, nowMs);
      await accountGrowth.grow(accountId, perSecond, nowMs);
    } catch (error) {
      // The usage is already counted: the next window grows the account.
      log.error('an account did not grow', { worker: 'dispatch' }, error);
    }
  }
}

function read(record: DynamoDBRecord): Read {
  try {
    return { record, item: readStreamRecord(record), isBroken: false };
  } catch (error) {
    log.error('a stream record cannot be read', { worker: 'dispatch' }, error);
    return { record, item: undefined, isBroken: true };
  }
}

/**
 * Sends every record's messages; returns the index of the first record with a message that was not accepted.
 */
async function enqueue(deps: Deps, reads: readonly Read[], nowMs: number): Promise<number | undefined> {
  const outgoing = [
    ...reads.flatMap((each, recordIndex) =>
      messagesOf(each, nowMs).map((message) => ({ ...message, recordIndex })),
    ),
    ...(await listReady(deps, reads, nowMs)),
    ...(await listEventMessages(deps, reads)),
  ];
  const failed = await Promise.all(
    [...Map.groupBy(outgoing, (each) => each.queue)].map(async ([queue, list]) => {
      const refused = await deps.queues.send(
        queue,
        list.map((each) => each.message),
      );
      return refused.map((index) => list[index]?.recordIndex ?? 0);
    }),
  );
  const indexes = failed.flat();
  return indexes.length === 0 ? undefined : Math.min(...indexes);
}

function messagesOf({ record, item, isBroken }: Read, nowMs: number): Omit<Outgoing, 'recordIndex'>[] {
  if (isBroken) {
    const { Keys, SequenceNumber } = record.dynamodb ?? {};
    return [{ queue: DISPATCH_FAILURES_QUEUE, message: { body: messageBody({ Keys, SequenceNumber }) } }];
  }
  const due = dueSoonOf(record, nowMs);
  const answer = textAnswerOf(item);
  return [
    ...(due ? [{ queue: DUE_QUEUE, message: dueMessage(due.pk, due.dueAtMs, nowMs) }] : []),
    ...(answer ? [{ queue: TEXT_ANSWER_QUEUE, message: answer }] : []),
    ...withheldChannelsOf(item).map(readyMessage),
  ];
}

type Ready = { ready: ReadyChannel; recordIndex: number };

/** Returns a message per ready channel: for its queue, or until its account's turn for the due queue. */
async function listReady(deps: Deps, reads: readonly Read[], nowMs: number): Promise<Outgoing[]> {
  const all = reads.flatMap(({ item, isBroken }, recordIndex): Ready[] =>
    isBroken ? [] : readyChannelsOf(item).map((ready) => ({ ready, recordIndex })),
  );
  const byChannel = Map.groupBy(all, ({ ready: { channel, routing } }) =>
    routing === 'SEND' ? channel : undefined,
  );
  const listed = [...byChannel].map(async ([channel, list]): Promise<Outgoing[]> => {
    const owners = list.map(({ ready: { accountId = '', isUrgent = false } }) => ({ accountId, isUrgent }));
    const turns = channel ? await deps.shares.turnsOf(deps, channel, owners, nowMs) : [];
    return list.map(({ ready, recordIndex }, index) => {
      const turnMs = turns[index];
      const message = turnMs === undefined ? readyMessage(ready) : turnMessage(ready, turnMs, nowMs);
      return { ...message, recordIndex };
    });
  });
  return (await Promise.all(listed)).flat();
}

/** Returns a message per event for the environment's webhook, and a message per event for the bus. */
async function listEventMessages({ webhooks }: Deps, reads: readonly Read[]): Promise<Outgoing[]> {
  const raised = reads.flatMap(({ item }, recordIndex) =>
    raisedCallsOf(item).map((call) => ({ call, recordIndex })),
  );
  const subscribedEvents = await Promise.all(
    raised.map(({ call }) => webhooks.wantedEvents(call.environmentId)),
  );
  const isPublished = hasEventBus();
  return raised.flatMap(({ call, recordIndex }, index) => [
    ...(subscribedEvents[index]?.has(call.eventType) ? [{ ...callMessage(call), recordIndex }] : []),
    ...(isPublished ? [{ queue: EVENTS_QUEUE, message: { body: messageBody(call) }, recordIndex }] : []),
  ]);
}

type Value = { channel: Channel; name: MetricName; value: number; provider?: string | undefined };

const METRIC_OF_STAGE: Readonly<Partial<Record<Stage, MetricName>>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

/**
 * Counts the events of a batch of stream records, a line per channel and reporting provider; a redelivered batch is counted
 * again.
 */
function recordStreamMetrics(items: readonly (HeadItem | EventItem | undefined)[]): void {
  const values = items.flatMap((item): Value[] => [
    ...readyChannelsOf(item).map(({ channel }): Value => ({ channel, name: 'Accepted', value: 1 })),
    ...stagesOf(item),
    ...countedSendsOf(item, '0').flatMap(({ channel, costUsd }): Value[] =>
      channel && costUsd > 0 ? [{ channel, name: 'PhoneCost', value: costUsd }] : [],
    ),
  ]);
  for (const [channel, ofChannel] of Map.groupBy(values, (each) => each.channel)) {
    // What has no provider is counted on the line of one.
    const [some] = ofChannel.flatMap(({ provider }) => provider ?? []);
    for (const [provider, list] of Map.groupBy(ofChannel, (each) => each.provider ?? some)) {
      const sums: Partial<Record<MetricName, number>> = {};
      for (const { name, value } of list) sums[name] = (sums[name] ?? 0) + value;
      recordMetrics(sums, { channel, ...defined({ provider }) });
    }
  }
}

/** Events are appended once, so each insertion is one message that reached a stage. */
function stagesOf(item: HeadItem | EventItem | undefined): Value[] {
  if (item?.kind !== 'event') return [];
  const { channel, stage, delivered } = item;
  const provider = reportingProviderOf(item);
  const isReport = item.provider !== undefined && (stage === 'delivered' || stage === 'failed');
  const names = [
    METRIC_OF_STAGE[stage],
    delivered && METRIC_OF_STAGE.delivered,
    isReport || (delivered && provider) ? ('Receipt' as const) : undefined,
  ];
  return names.flatMap((name) => (name ? [{ channel, name, value: 1, provider }] : []));
}

/** The kind of provider that has sent or reported a message; undefined for one that never reports. */
function reportingProviderOf({ channel, stage, provider, fields }: EventItem): string | undefined {
  if (provider !== undefined || stage !== 'sent') return provider;
  if (channel !== 'EMAIL' && channel !== 'SMS' && channel !== 'CALL') return undefined;
  // A single provider's log does not name it.
  const sentBy = fields[`${LOG_PREFIX[channel]}_sent_provider`] ?? deploymentOrder(channel)[0].text;
  const [entry] = entriesOf([String(sentBy)]);
  return REPORTING_PROVIDERS.find((name) => name === entry?.provider);
}

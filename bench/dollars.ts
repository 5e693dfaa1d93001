import { WORKERS } from '../functions/workers.ts';
import { BULK_ENTRIES, type HandlerCpu } from './cpu.ts';
import type { Figure } from './report.ts';
import type { Burst } from './units.ts';

/** List prices, us-east-1, dollars per million (or per GB-month and GB as in the formula). */
const PRICE = {
  http: 1,
  invocation: 0.2,
  gbSecond: 13.33,
  writeUnit: 0.625,
  readUnit: 0.125,
  fifo: 0.5,
  sns: 0.5,
  storedKbMonth: 0.238,
} as const;
/**
 * A vCPU comes with this much memory, so that a second of CPU costs this many GB-seconds whatever the memory.
 */
const GB_PER_VCPU = 1769 / 1024;
/** DynamoDB and SQS in the same region. */
const CALL_WAIT_SECONDS = 0.004;
const PROVIDER_WAIT_SECONDS = 0.05;
const API_MEMORY_GB = 0.5;
const RETENTION_MONTHS = 1;
const PART = 'Dollars per million one-channel emails, without the provider';
const TARGET = 6;
const ONE_BY_ONE_TARGET = 7;
const BULK_TARGET = 4.4;

/** What one email consumes. */
type Flow = {
  requests: number;
  invocations: number;
  gbSeconds: number;
  fifoRequests: number;
  published: number;
  writeUnits: number;
  readUnits: number;
};

/**
 * The formula on the measured counts: in a burst, as measured; and one by one, each record an invocation of its own. SES
 * publishes each receipt to its topic, which invokes `ingest-ses`.
 */
export function dollarsPerMillion(burst: Burst, handlers: readonly HandlerCpu[]): Figure[] {
  const send = handlers.find(({ id }) => id === 'send');
  if (!send) throw new Error('the CPU of send was not measured');
  const bulk = handlers.find(({ id }) => id === 'sendBulk');
  if (!bulk) throw new Error('the CPU of sendBulk was not measured');
  const inBurst = flowOf(burst, send, ({ events }) => events);
  const oneByOne = alone(
    burst,
    flowOf(burst, send, ({ records }) => records),
  );
  const rows: { name: string; flow: Flow; target?: number; more?: Record<string, number> }[] = [
    { name: 'in a burst, with SES receipts', flow: inBurst, target: TARGET },
    { name: 'one by one, with SES receipts', flow: oneByOne, target: ONE_BY_ONE_TARGET },
    { name: 'one by one, with SES receipts, everything counted', flow: oneByOne, more: BESIDES },
    {
      name: 'one by one, with SES receipts, everything counted, with tracing',
      flow: oneByOne,
      more: { ...BESIDES, tracing: tracesOf(oneByOne) },
    },
    {
      name: 'one by one, without delivery receipts',
      flow: withoutReceipt(burst, send, oneByOne),
    },
    {
      name: 'through bulk requests, in a burst',
      flow: flowOf(burst, send, ({ events }) => events, { handler: bulk, entries: BULK_ENTRIES }),
      target: BULK_TARGET,
    },
  ];
  return rows.map(({ name, flow, target, more = {} }) => {
    const parts = { ...partsOf(burst, flow), ...more };
    const value = Object.values(parts).reduce((sum, dollars) => sum + dollars, 0);
    const note = Object.entries(parts)
      .map(([part, dollars]) => `${part} ${dollars.toFixed(2)}`)
      .join(', ');
    const figure = { part: PART, name, value, unit: 'USD', note };
    return target === undefined ? figure : { ...figure, target };
  });
}

/** Dollars per GB of logs, and per GB-month of point-in-time recovery. */
const LOGS_PER_GB = 0.5;
const RECOVERY_PER_GB_MONTH = 0.2;
/** One line of the access log and one of metrics per email, and what a notification stores, KB. */
const ACCESS_LOG_KB = 0.35;
const METRICS_KB = 0.6;
const STORED_KB = 1.6;
const PRICE_PER_MILLION_TRACES = 5;

/** The additional costs of every email, dollars per million: a KB each is a GB per million. */
const BESIDES = {
  'access log': ACCESS_LOG_KB * LOGS_PER_GB,
  metrics: METRICS_KB * LOGS_PER_GB,
  recovery: STORED_KB * RECOVERY_PER_GB_MONTH,
};

/** The worker that records receipts of the sandbox here takes the part of `ingest-ses`. */
const RECEIPTS_HERE = 'follow-up';
const RECEIPT_MEMORY_GB = 0.25;

/** One by one, every sent message is counted with a read and a write of its own: a burst counts a batch at a time. */
function alone(burst: Burst, flow: Flow): Flow {
  const counted = burst.steps.filter(({ name }) => / usage /.test(name));
  const write = counted.reduce((sum, step) => sum + step.write, 0);
  const read = counted.reduce((sum, step) => sum + step.read, 0);
  return { ...flow, writeUnits: flow.writeUnits + 1 - write, readUnits: flow.readUnits + 1 - read };
}

/** With `emailReceipts` set to `failures`: no topic, no `ingest-ses`, no event of it in the log and in the stream. */
function withoutReceipt(burst: Burst, send: HandlerCpu, flow: Flow): Flow {
  const step = (name: string) => burst.steps.find((each) => each.name === name);
  const dispatch = WORKERS.find(({ name }) => name === 'dispatch');
  return {
    ...flow,
    invocations: flow.invocations - 2,
    gbSeconds:
      flow.gbSeconds -
      receiptGbSeconds(burst, cpuPerCallOf(send)) -
      gbSecondsOfCalls(1, cpuPerCallOf(send), (dispatch?.memoryMb ?? 0) / 1024),
    published: 0,
    writeUnits: flow.writeUnits - (step('put log event delivered')?.write ?? 0),
    readUnits: flow.readUnits - (step('get log head')?.read ?? 0),
  };
}

const cpuPerCallOf = ({ cpuMs, sdkCalls }: HandlerCpu) => cpuMs / sdkCalls.length / 1000;

/** GB-seconds of calls one after the other: their CPU, and waiting for each. */
function gbSecondsOfCalls(calls: number, cpuPerCallSeconds: number, memoryGb: number): number {
  return calls * (cpuPerCallSeconds * GB_PER_VCPU + CALL_WAIT_SECONDS * memoryGb);
}

function receiptGbSeconds(burst: Burst, cpuPerCallSeconds: number): number {
  return gbSecondsOfCalls(callsOf(RECEIPTS_HERE, burst, 1), cpuPerCallSeconds, RECEIPT_MEMORY_GB);
}

/** A steady trickle is below one trace per second, so that every invocation is traced; a burst is sampled. */
function tracesOf({ invocations }: Flow): number {
  return invocations * PRICE_PER_MILLION_TRACES;
}

type EventsOf = (invocations: { events: number; records: number }) => number;

function flowOf(
  burst: Burst,
  send: HandlerCpu,
  eventsOf: EventsOf,
  accepting: { handler: HandlerCpu; entries: number } = { handler: send, entries: 1 },
): Flow {
  const { handler, entries } = accepting;
  const cpuPerCallSeconds = cpuPerCallOf(send);
  const flow: Flow = {
    requests: 1 / entries,
    // A receipt is an invocation of its own, however many come at once.
    invocations: 1 / entries + 1,
    gbSeconds: gbSecondsOf(handler) / entries + receiptGbSeconds(burst, cpuPerCallSeconds),
    fifoRequests: 0,
    published: 1,
    writeUnits: burst.writeUnits,
    readUnits: burst.readUnits,
  };
  for (const { name, trigger, memoryMb } of WORKERS) {
    const counted = burst.invocations[name];
    // What runs each minute costs the same whatever is sent.
    if (!counted || trigger.kind === 'schedule' || name === RECEIPTS_HERE) continue;
    const events = eventsOf(counted);
    const memoryGb = memoryMb / 1024;
    flow.invocations += events;
    flow.gbSeconds += gbSecondsOfCalls(callsOf(name, burst, events), cpuPerCallSeconds, 0);
    if (trigger.kind === 'stream') {
      flow.gbSeconds += callsOf(name, burst, events) * CALL_WAIT_SECONDS * memoryGb;
      // What dispatch sends is one batch per notification, fewer in a burst.
      flow.fifoRequests += Math.min(1, events);
    } else {
      // A batch waits once, for the slowest of it; Lambda receives and deletes it.
      flow.gbSeconds += events * (PROVIDER_WAIT_SECONDS + 4 * CALL_WAIT_SECONDS) * memoryGb;
      flow.fifoRequests += 2 * events;
    }
  }
  return flow;
}

function gbSecondsOf({ cpuMs, sdkCalls }: HandlerCpu): number {
  return (cpuMs / 1000) * GB_PER_VCPU + sdkCalls.length * CALL_WAIT_SECONDS * API_MEMORY_GB;
}

/** SDK calls of a worker per notification, from the steps that are its own. */
function callsOf(name: string, burst: Burst, events: number): number {
  const callsOfSteps = (pattern: RegExp) =>
    burst.steps.filter((step) => pattern.test(step.name)).reduce((sum, { calls }) => sum + calls, 0);
  // Per event a message or a look at the webhook; one by one, a message sent is counted with two calls.
  if (name === 'dispatch') return events + Math.min(2, events);
  if (name === RECEIPTS_HERE) return callsOfSteps(/^get log head|^put log event delivered/);
  return 1 + callsOfSteps(/^query log|^get user|^get account account|^put log event sent/) / burst.channels;
}

function partsOf(burst: Burst, flow: Flow): Record<string, number> {
  const storedKb = burst.steps.reduce((sum, { storedBytes }) => sum + storedBytes, 0) / 1000;
  return {
    http: flow.requests * PRICE.http,
    invocations: flow.invocations * PRICE.invocation,
    'GB-s': flow.gbSeconds * PRICE.gbSecond,
    writes: flow.writeUnits * PRICE.writeUnit,
    reads: flow.readUnits * PRICE.readUnit,
    sqs: flow.fifoRequests * PRICE.fifo,
    sns: flow.published * PRICE.sns,
    stored: storedKb * RETENTION_MONTHS * PRICE.storedKbMonth,
  };
}

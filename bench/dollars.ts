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
  sqs: 0.4,
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
const BULK_TARGET = 4.4;

/** The consumption of one email outside of the table. */
type Flow = { requests: number; invocations: number; gbSeconds: number; sqsRequests: number };

/**
 * The formula on the measured counts: in a burst, as measured; and one by one, with an invocation per record.
 */
export function dollarsPerMillion(burst: Burst, handlers: readonly HandlerCpu[]): Figure[] {
  const send = handlers.find(({ id }) => id === 'send');
  if (!send) throw new Error('the CPU of send was not measured');
  const bulk = handlers.find(({ id }) => id === 'sendBulk');
  if (!bulk) throw new Error('the CPU of sendBulk was not measured');
  const asMeasured: EventsOf = ({ events }) => events;
  const oneByOne = flowOf(burst, send, ({ records }) => records);
  const rows: { name: string; flow: Flow; target?: number; more?: Record<string, number> }[] = [
    { name: 'in a burst, as measured', flow: flowOf(burst, send, asMeasured), target: TARGET },
    { name: 'one by one, each record alone', flow: oneByOne },
    { name: 'one by one, everything counted', flow: oneByOne, more: { ...BESIDES, ...RECEIPT } },
    {
      name: 'one by one, everything counted, with tracing',
      flow: oneByOne,
      more: { ...BESIDES, ...RECEIPT, tracing: tracesOf(oneByOne) },
    },
    {
      name: 'through bulk requests, in a burst',
      flow: flowOf(burst, send, asMeasured, { handler: bulk, entries: BULK_ENTRIES }),
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

/** The topic of SES sends each receipt to its queue; publishing is in the formula, reading it is measured. */
const RECEIPT = { 'receipt sent to its queue': PRICE.sqs };

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
  const flow: Flow = {
    requests: 1 / entries,
    invocations: 1 / entries,
    gbSeconds: gbSecondsOf(handler) / entries,
    sqsRequests: 0,
  };
  const cpuPerCallSeconds = send.cpuMs / send.sdkCalls.length / 1000;
  for (const worker of WORKERS) {
    const counted = burst.invocations[worker.name];
    // Work that runs each minute costs the same whatever is sent.
    if (!counted || worker.trigger.kind === 'schedule') continue;
    const events = eventsOf(counted);
    const isDeliverer = worker.name.startsWith('deliver-');
    const calls = callsOf(worker.name, burst, events);
    const waitSeconds =
      events * (isDeliverer ? PROVIDER_WAIT_SECONDS + 4 * CALL_WAIT_SECONDS : 2 * CALL_WAIT_SECONDS);
    flow.invocations += events;
    flow.gbSeconds += calls * cpuPerCallSeconds * GB_PER_VCPU + waitSeconds * (worker.memoryMb / 1024);
    // Received and deleted by Lambda, a batch each; dispatch sends one batch per event.
    flow.sqsRequests += worker.trigger.kind === 'stream' ? Math.min(1, events) : 2 * events;
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
  if (name === 'dispatch') return events + callsOfSteps(/^(get|put) usage/);
  if (name === 'ingest-receipts') return callsOfSteps(/^get log head|^put log event delivered/);
  return 1 + callsOfSteps(/^query log|^get user|^get account account|^put log event sent/) / burst.channels;
}

function partsOf(burst: Burst, flow: Flow): Record<string, number> {
  const storedKb = burst.steps.reduce((sum, { storedBytes }) => sum + storedBytes, 0) / 1000;
  return {
    http: flow.requests * PRICE.http,
    invocations: flow.invocations * PRICE.invocation,
    'GB-s': flow.gbSeconds * PRICE.gbSecond,
    writes: burst.writeUnits * PRICE.writeUnit,
    reads: burst.readUnits * PRICE.readUnit,
    sqs: flow.sqsRequests * PRICE.sqs,
    sns: PRICE.sns,
    stored: storedKb * RETENTION_MONTHS * PRICE.storedKbMonth,
  };
}

import { WORKERS } from '../functions/workers.ts';
import { BULK_ENTRIES, type HandlerCpu } from './cpu.ts';
import type { Figure } from './report.ts';
import { type Burst, EMAIL_BURSTS } from './units.ts';

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
/** A vCPU comes with this much memory, so that a second of CPU costs this many GB-seconds at any memory size. */
const GB_PER_VCPU = 1769 / 1024;
/** DynamoDB and SQS in the same region. */
export const CALL_WAIT_SECONDS = 0.004;
const PROVIDER_WAIT_SECONDS = 0.05;
const API_MEMORY_GB = 0.5;
const RETENTION_MONTHS = 1;
const PART = 'Dollars per million one-channel emails, without the provider';
/** Set without the receipts that SES publishes, and without logs and recovery. */
const TARGET = 6;
const BULK_TARGET = 4.4;
/** Set with the receipts. */
const ONE_BY_ONE_TARGET = 7;

type Flow = {
  burst: Burst;
  requests: number;
  invocations: number;
  gbSeconds: number;
  fifoRequests: number;
  published: number;
  writeUnits: number;
  readUnits: number;
};

type Row = { name: string; flow: Flow; target?: number; more?: Record<string, number> };

/**
 * The formula on the measured counts: in a burst, with single notifications, and in bulk requests. SES publishes each receipt to
 * its topic, which invokes `ingest-ses`. Targets are compared on their original basis; each is followed by the sum of everything.
 */
export function dollarsPerMillion(bursts: readonly Burst[], handlers: readonly HandlerCpu[]): Figure[] {
  const send = handlerOf(handlers, 'send');
  const flow = (name: string, accepting: HandlerCpu, entries: number) =>
    flowOf(burstOf(bursts, name), cpuPerCallOf(send), accepting, entries);
  const atOnce = flow(EMAIL_BURSTS.atOnce, send, 1);
  const alone = flow(EMAIL_BURSTS.alone, send, 1);
  const bulk = flow(EMAIL_BURSTS.bulk, handlerOf(handlers, 'sendBulk'), BULK_ENTRIES);
  const rows: Row[] = [
    { name: 'in a burst, without receipts published by SES', flow: unpublished(atOnce), target: TARGET },
    { name: 'in a burst, everything', flow: atOnce, more: besidesOf(atOnce) },
    {
      name: 'bulk requests, without receipts published by SES',
      flow: unpublished(bulk),
      target: BULK_TARGET,
    },
    { name: 'bulk requests, everything', flow: bulk, more: besidesOf(bulk) },
    { name: 'one at a time, with receipts published by SES', flow: alone, target: ONE_BY_ONE_TARGET },
    { name: 'one at a time, everything', flow: alone, more: besidesOf(alone) },
    {
      name: 'one at a time, everything, with tracing',
      flow: alone,
      more: { ...besidesOf(alone), tracing: tracesOf(alone) },
    },
    { name: 'one at a time, without delivery receipts', flow: withoutReceipt(alone, cpuPerCallOf(send)) },
  ];
  return rows.map(figureOf);
}

function figureOf({ name, flow, target, more = {} }: Row): Figure {
  const parts = { ...partsOf(flow), ...more };
  const value = Object.values(parts).reduce((sum, dollars) => sum + dollars, 0);
  const note = Object.entries(parts)
    .map(([part, dollars]) => `${part} ${dollars.toFixed(2)}`)
    .join(', ');
  const figure = { part: PART, name, value, unit: 'USD', note };
  return target === undefined ? figure : { ...figure, target };
}

function handlerOf(handlers: readonly HandlerCpu[], handlerName: string): HandlerCpu {
  const handler = handlers.find(({ id }) => id === handlerName);
  if (!handler) throw new Error(`the CPU of ${handlerName} was not measured`);
  return handler;
}

function burstOf(bursts: readonly Burst[], burstName: string): Burst {
  const burst = bursts.find(({ name }) => name === burstName);
  if (!burst) throw new Error(`${burstName} was not measured`);
  return burst;
}

/** Dollars per GB of logs, and per GB-month of point-in-time recovery. */
const LOGS_PER_GB = 0.5;
const RECOVERY_PER_GB_MONTH = 0.2;
/** One line of the access log per request and one of metrics per email, and what a notification stores, KB. */
const ACCESS_LOG_KB = 0.35;
const METRICS_KB = 0.6;
const STORED_KB = 1.6;
const PRICE_PER_MILLION_TRACES = 5;

/** The additional costs of every email, dollars per million: a KB each is a GB per million. */
function besidesOf({ requests }: Flow): Record<string, number> {
  return {
    'access log': requests * ACCESS_LOG_KB * LOGS_PER_GB,
    metrics: METRICS_KB * LOGS_PER_GB,
    recovery: STORED_KB * RECOVERY_PER_GB_MONTH,
  };
}

/** The worker that records receipts of the sandbox here replaces `ingest-ses`. */
const RECEIPTS_HERE = 'follow-up';
const RECEIPT_MEMORY_GB = 0.25;

const unpublished = (flow: Flow): Flow => ({ ...flow, published: 0 });

/** With `emailReceipts` set to `failures`: no topic, no `ingest-ses`, no event of it in the log and in the stream. */
function withoutReceipt(flow: Flow, cpuPerCallSeconds: number): Flow {
  const step = (name: string) => flow.burst.steps.find((each) => each.name === name);
  return {
    ...flow,
    invocations: flow.invocations - 2,
    gbSeconds:
      flow.gbSeconds - receiptGbSeconds(flow.burst, cpuPerCallSeconds) - cpuPerCallSeconds * GB_PER_VCPU,
    published: 0,
    writeUnits: flow.writeUnits - (step('put log event delivered')?.write ?? 0),
    readUnits: flow.readUnits - (step('get log head')?.read ?? 0),
  };
}

/** The CPU of a call with what a function does around it. */
export const cpuPerCallOf = ({ cpuMs, sdkCalls }: HandlerCpu) => cpuMs / sdkCalls.length / 1000;

/** GB-seconds of calls one after the other: their CPU, and waiting for each. */
function gbSecondsOfCalls(calls: number, cpuPerCallSeconds: number, memoryGb: number): number {
  return calls * (cpuPerCallSeconds * GB_PER_VCPU + CALL_WAIT_SECONDS * memoryGb);
}

function receiptGbSeconds(burst: Burst, cpuPerCallSeconds: number): number {
  const calls = callsOfSteps(burst, /^get log head|^put log event delivered/);
  return gbSecondsOfCalls(calls, cpuPerCallSeconds, RECEIPT_MEMORY_GB);
}

/** A steady trickle is below one trace per second, so that every invocation is traced; a burst is sampled. */
function tracesOf({ invocations }: Flow): number {
  return invocations * PRICE_PER_MILLION_TRACES;
}

function flowOf(burst: Burst, cpuPerCallSeconds: number, accepting: HandlerCpu, entries: number): Flow {
  const flow: Flow = {
    burst,
    requests: 1 / entries,
    // Each receipt is a separate invocation, even if many arrive together.
    invocations: 1 / entries + 1,
    gbSeconds: gbSecondsOf(accepting) / entries + receiptGbSeconds(burst, cpuPerCallSeconds),
    fifoRequests: 0,
    published: 1,
    writeUnits: burst.writeUnits,
    readUnits: burst.readUnits,
  };
  for (const { name, trigger, memoryMb } of WORKERS) {
    const counted = burst.invocations[name];
    // Work that runs every minute costs the same at any traffic.
    if (!counted || trigger.kind === 'schedule' || name === RECEIPTS_HERE) continue;
    const { events } = counted;
    const memoryGb = memoryMb / 1024;
    flow.invocations += events;
    if (trigger.kind === 'stream') {
      // One message per email in batches, as many as have accepted notifications; usage and webhooks as measured. An
      // invocation without a call costs as much CPU as one with a call.
      const sends = Math.min(1, events);
      const calls = sends + callsOfSteps(burst, /^(get|put|update) usage|^get env webhook/);
      flow.gbSeconds += gbSecondsOfCalls(calls, cpuPerCallSeconds, memoryGb);
      flow.gbSeconds += events * cpuPerCallSeconds * GB_PER_VCPU;
      flow.fifoRequests += sends;
    } else {
      // A batch waits once, for the slowest of it; Lambda receives and deletes it.
      const calls = 1 + callsOfSteps(burst, DELIVERY_STEPS);
      flow.gbSeconds += gbSecondsOfCalls(calls, cpuPerCallSeconds, 0);
      flow.gbSeconds += events * (PROVIDER_WAIT_SECONDS + 4 * CALL_WAIT_SECONDS) * memoryGb;
      flow.fifoRequests += 2 * events;
    }
  }
  return flow;
}

const DELIVERY_STEPS = /^query log|^get user|^get suppression|^get account account|^put log event sent/;

function gbSecondsOf({ cpuMs, sdkCalls }: HandlerCpu): number {
  return (cpuMs / 1000) * GB_PER_VCPU + sdkCalls.length * CALL_WAIT_SECONDS * API_MEMORY_GB;
}

const callsOfSteps = (burst: Burst, pattern: RegExp) =>
  burst.steps.filter((step) => pattern.test(step.name)).reduce((sum, { calls }) => sum + calls, 0);

function partsOf({ burst, ...flow }: Flow): Record<string, number> {
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

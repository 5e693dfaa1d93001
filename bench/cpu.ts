import { execFile, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from '../infra/bundle/bundle.ts';
import { LAMBDA_NODE_FLAGS } from '../infra/bundle/node-flags.ts';
import type { Bundles } from './bundles.ts';
import { CONTENT, type MeasuredService, sendBody, sendEvent } from './measured-service.ts';
import { startRecordingProxy, type WireCall } from './recording-proxy.ts';
import type { Figure } from './report.ts';

/** CPU of one warm call of a handler, and of its SDK calls alone. */
export type HandlerCpu = { id: string; cpuMs: number; bareMs: number; sdkCalls: string[] };

const PART = 'CPU of a warm call against its bare SDK calls';
const RATIO_MAX = 1.2;
const SDK_CALLS_MAX = 3;
/** The compiler's own work is on the same account: it is over by then. */
const WARM_UP = 1500;
/** Has no channel but email: a chat token would be decrypted with each send. */
const UNSEEN_USER = 1_000_000;
/** A loop of requests exceeds any rate limit, but counting them there is not part of a usual call. */
const UNLIMITED = { CREDENTIAL_REQUESTS_PER_SECOND: '0', ACCOUNT_REQUESTS_PER_SECOND: '0' };
const CHILD = join(import.meta.dirname, 'cpu-child.ts');
const run = promisify(execFile);

const { parameters, ...PLAIN } = Object(sendBody(['email'], UNSEEN_USER));
/** Without braces; and on two channels, with parameters, a step. */
const FIRST_REQUESTS: Readonly<Record<string, object>> = {
  'send, one email without braces': { ...PLAIN, type: 'first', email: { subject: 'Hi', html: '<p>Hi</p>' } },
  'send, email and a step, in Liquid': {
    ...{ ...PLAIN, type: 'first-full', parameters, inapp: CONTENT.inapp },
    options: {
      steps: [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT10M', when: 'unseen' }],
    },
  },
};

/** Entries of the bulk request that is measured: as many as one may have. */
export const BULK_ENTRIES = 100;
const BULK_RATIO_MAX = 0.5;

/** Amount of work measured: fresh processes per handler, and calls in each. */
export type CpuEffort = { rounds: number; calls: number };

/**
 * Measures POST /send and GET /logs/{trackingIds}, bundled as for AWS, against recorded DynamoDB responses.
 */
export async function measureCpu(
  service: MeasuredService,
  bundles: Bundles,
  folder: string,
  effort: CpuEffort,
): Promise<{ figures: Figure[]; handlers: HandlerCpu[] }> {
  const { secretKey } = service.account;
  const { trackingId } = await service.send(sendBody(['email'], UNSEEN_USER));
  const entries = Array.from({ length: BULK_ENTRIES }, (_, index) =>
    sendBody(['email'], UNSEEN_USER + 1 + index),
  );
  for (const entry of entries) await service.send(entry);
  const authorization = { headers: { authorization: `Bearer ${secretKey}` } };
  const events: Record<string, unknown> = {
    send: sendEvent(secretKey, sendBody(['email'], UNSEEN_USER)),
    sendBulk: sendEvent(secretKey, { notifications: entries }),
    getLogs: { ...authorization, pathParameters: { trackingIds: trackingId } },
  };
  const handlers: HandlerCpu[] = [];
  for (const [id, event] of Object.entries(events)) {
    const bundle = bundles.all.find((each) => each.id === id);
    if (!bundle) throw new Error(`there is no bundle ${id}`);
    const eventFile = join(folder, `${id}-event.json`);
    writeFileSync(eventFile, JSON.stringify(event));
    const recorded = await record(service.endpoint, bundle, eventFile);
    const share = id === 'sendBulk' ? BULK_ENTRIES / 5 : 1;
    const calls = Math.ceil(effort.calls / share);
    const warmUp = Math.ceil(WARM_UP / share);
    const known = { bundle, bare: bundles.calls, eventFile, recorded, folder };
    handlers.push(await compare({ ...known, effort: { ...effort, calls, warmUp } }));
  }
  return { figures: [...handlers.flatMap(figuresOf), ...bulkFigures(handlers)], handlers };
}

type Recorded = { before: WireCall[]; after: WireCall[] };

/** The calls of a first and of a second, warm, invocation. */
async function record(endpoint: string, bundle: Bundle, eventFile: string): Promise<Recorded> {
  const proxy = await startRecordingProxy(endpoint);
  try {
    await runChild(bundle, eventFile, proxy.endpoint, []);
    return proxy.recorded();
  } finally {
    proxy.close();
  }
}

type Known = { bundle: Bundle; eventFile: string; recorded: Recorded; folder: string };

/** Serves the recorded answers to `measure`. */
async function withResponses<T>(
  { bundle, recorded, folder }: Known,
  measure: (endpoint: string) => Promise<T>,
): Promise<T> {
  const responses = join(folder, `${bundle.id}-answers.json`);
  const calls = [...recorded.before, ...recorded.after];
  // A busy machine measures for longer than a key's use is recent: each call would then write the next one.
  const inUse = (response: string) => response.replace(/(?<="lastUsedAtMs":\{"N":")\d+/g, '9999999999999');
  writeFileSync(
    responses,
    JSON.stringify(calls.map((call) => ({ ...call, response: inUse(call.response) }))),
  );
  const server = fork(join(import.meta.dirname, 'canned-server.ts'), [responses], {
    silent: true,
    execArgv: [...LAMBDA_NODE_FLAGS],
  });
  try {
    const port = await new Promise<string>((listening) =>
      server.stdout?.once('data', (chunk: Buffer) => listening(chunk.toString().trim())),
    );
    return await measure(`http://127.0.0.1:${port}`);
  } finally {
    server.disconnect();
  }
}

// Other work on the machine only adds time: the minimum of some rounds is closest to the work itself.
async function compare(
  known: Known & { bare: Bundle; effort: CpuEffort & { warmUp: number } },
): Promise<HandlerCpu> {
  const { bundle, bare, eventFile, recorded, folder, effort } = known;
  const calls = join(folder, `${bundle.id}-calls.json`);
  const inputs = recorded.after.map(({ operation, request }) => ({ operation, input: JSON.parse(request) }));
  writeFileSync(calls, JSON.stringify(inputs));
  return withResponses(known, async (endpoint) => {
    const effortOf = [String(effort.warmUp), String(effort.calls)];
    const full: number[] = [];
    const alone: number[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      full.push(await runChild(bundle, eventFile, endpoint, effortOf));
      alone.push(await runChild(bare, eventFile, endpoint, effortOf, { BENCH_CALLS: calls }));
    }
    const sdkCalls = recorded.after.map(({ operation }) => operation);
    return { id: bundle.id, cpuMs: Math.min(...full), bareMs: Math.min(...alone), sdkCalls };
  });
}

/** CPU of the first request that a new process of `send` gets, after its start. */
export async function measureFirstRequests(
  service: MeasuredService,
  { all }: Bundles,
  folder: string,
  rounds: number,
): Promise<Figure[]> {
  const bundle = all.find(({ id }) => id === 'send');
  if (!bundle) throw new Error('there is no bundle send');
  const figures: Figure[] = [];
  for (const [name, body] of Object.entries(FIRST_REQUESTS)) {
    await service.send(body);
    const eventFile = join(folder, 'first-event.json');
    writeFileSync(eventFile, JSON.stringify(sendEvent(service.account.secretKey, body)));
    const recorded = await record(service.endpoint, bundle, eventFile);
    const value = await withResponses({ bundle, eventFile, recorded, folder }, async (endpoint) => {
      const runs: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        runs.push(await runChild(bundle, eventFile, endpoint, ['0', '1']));
      return Math.min(...runs);
    });
    figures.push({ part: 'CPU of the first request of a process, after its start', name, value, unit: 'ms' });
  }
  return figures;
}

async function runChild(
  bundle: Bundle,
  eventFile: string,
  endpoint: string,
  effort: readonly string[],
  settings: Record<string, string> = {},
): Promise<number> {
  const { stdout } = await run(
    process.execPath,
    [...LAMBDA_NODE_FLAGS, CHILD, join(bundle.folder, bundle.entryFile), eventFile, ...effort],
    { env: { ...process.env, ...settings, ...UNLIMITED, DYNAMODB_ENDPOINT: endpoint } },
  );
  const measured: { cpuMs: number } = stdout === '' ? { cpuMs: Number.NaN } : JSON.parse(stdout);
  return measured.cpuMs;
}

/** CPU of an entry of a bulk request compared with a separate request. */
function bulkFigures(handlers: readonly HandlerCpu[]): Figure[] {
  const cpuOf = (id: string) => handlers.find((each) => each.id === id)?.cpuMs ?? Number.NaN;
  const ratio = cpuOf('sendBulk') / BULK_ENTRIES / cpuOf('send');
  return [
    {
      part: PART,
      name: 'sendBulk: CPU of an entry against send',
      value: ratio,
      unit: 'x',
      target: BULK_RATIO_MAX,
    },
  ];
}

function figuresOf({ id, cpuMs, bareMs, sdkCalls }: HandlerCpu): Figure[] {
  const note = `${cpuMs.toFixed(2)} ms against ${bareMs.toFixed(2)} ms`;
  const calls = {
    part: PART,
    name: `${id}: SDK calls`,
    value: sdkCalls.length,
    unit: '',
    note: sdkCalls.join(', '),
  };
  return [
    id === 'send' ? { ...calls, target: SDK_CALLS_MAX } : calls,
    {
      part: PART,
      name: id,
      value: cpuMs / bareMs,
      unit: 'x',
      note,
      ...(id === 'sendBulk' ? {} : { target: RATIO_MAX }),
    },
  ];
}

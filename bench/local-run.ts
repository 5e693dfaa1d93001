import { mkdtempSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { DatabaseKind } from '../infra/local/database/data-folder.ts';
import { chunksOf } from '../shared/runtime/async/chunks.ts';
import { cpuByPart } from './cpu-profile.ts';
import { type Reached, timesBesideTopic } from './fairness.ts';
import { inParallel, sendBody } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';
import { type StartedService, startService } from './started-service.ts';

const CONCURRENCY = 16;
const LOOK_MS = 20;
const WAIT_MS_MAX = 600_000;
/** Targets of the embedded table, for two quiet cores. */
const START_MS_MAX = 800;
const RESIDENT_MB_MAX = 250;
const PER_SECOND_MIN = 300;
const P99_MS_MAX = 60;
const RATIO_MIN = 5;
const TOPIC_SECONDS_MAX = 20;
const SINGLE_MS_MAX = 200;
const BULK_MS_MAX = 1000;

const RATE = 'end to end, emails';
type Effort = { sends: number; members: number; starts: number };
type Measured = Omit<Figure, 'part'>;

/** `npm start` on the embedded table and, in the same run, on DynamoDB Local; then where its CPU goes. */
export async function measureLocalRun(folder: string, effort: Effort): Promise<Figure[]> {
  const load = loadavg()[0]?.toFixed(1);
  const embedded = await measureDatabase(folder, 'embedded', effort);
  const other = await measureDatabase(folder, 'dynamodb-local', effort).catch(reasonOf);
  const parts = await cpuOf(folder, effort.sends);
  const part = `npm start, begun at a load of ${load}`;
  const own = embedded.map((each) => ({ part, ...each }));
  if (typeof other === 'string')
    return [...own, { part, ...figure('on DynamoDB Local', Number.NaN, ''), note: other }, ...parts];
  const [rate, beside] = [embedded, other].map(
    (all) => all.find(({ name }) => name === RATE)?.value ?? Number.NaN,
  );
  const ratio = figure('rate, times that on DynamoDB Local', (rate ?? 0) / (beside ?? 0), '');
  const theirs = other.map(({ target: _, least: __, ...each }) => ({
    part: `${part}, on DynamoDB Local`,
    ...each,
  }));
  return [...own, { part, ...ratio, least: RATIO_MIN }, ...theirs, ...parts];
}

function figure(name: string, value: number, unit: string): Measured {
  return { name, value, unit };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'it could not be measured');

async function measureDatabase(folder: string, database: DatabaseKind, effort: Effort): Promise<Measured[]> {
  const { sends, members, starts } = effort;
  const startMs: number[] = [];
  for (let left = starts - 1; left > 0; left -= 1) {
    const service = await startService(folder, database);
    startMs.push(service.startMs);
    await service.stop();
  }
  const service = await startService(folder, database);
  startMs.push(service.startMs);
  try {
    const firstMs = await timedSend(service, 0);
    // Its delivery loads functions too: they are loaded once per process.
    await untilAtProvider(service, 1);
    await untilQuiet(service);
    const { durations, seconds, withReceipts } = await sendAll(service, sends, 1);
    const residentMb = service.residentMb();
    const bulk = await measureBulk(service);
    const topic = database === 'embedded' ? await measureTopic(service, members) : [];
    return [
      { ...figure('start to ready', percentileOf(startMs, 50), 'ms'), target: START_MS_MAX },
      { ...figure(`resident after ${sends} sends`, residentMb, 'MB'), target: RESIDENT_MB_MAX },
      { ...figure(RATE, sends / seconds, '/s'), least: PER_SECOND_MIN },
      figure('the same until the last receipt, which the sandbox delays by 1 s', sends / withReceipts, '/s'),
      figure('accept the first, which loads its function', firstMs, 'ms'),
      figure('accept, p50', percentileOf(durations, 50), 'ms'),
      { ...figure('accept, p99', percentileOf(durations, 99), 'ms'), target: P99_MS_MAX },
      ...bulk,
      ...topic,
    ];
  } finally {
    await service.stop();
  }
}

/** Requests as `sendMany` of the client makes them, one after the other, until they are accepted. */
async function measureBulk(service: StartedService): Promise<Measured[]> {
  const figures: Measured[] = [];
  for (const [name, block, count] of [
    ['in-app notifications', 'inapp', 150],
    ['emails', 'email', 100],
  ] as const) {
    const all = Array.from({ length: count }, (_, position) => sendBody([block], position));
    const beganAtMs = performance.now();
    for (const notifications of chunksOf(all, 100))
      await responseOf(service, 'POST', '/send/bulk', { notifications });
    const ms = performance.now() - beganAtMs;
    figures.push({ ...figure(`accept ${count} ${name} in bulk`, ms, 'ms'), target: BULK_MS_MAX });
  }
  return figures;
}

/** DynamoDB Local needs minutes for it. */
async function measureTopic(service: StartedService, members: number): Promise<Measured[]> {
  const { during, seconds } = await timesBesideTopic(reachedBehind(service), members);
  return [
    { ...figure(`a topic of ${members} members`, seconds, 's'), target: TOPIC_SECONDS_MAX },
    { ...figure('a single email meanwhile, p50', percentileOf(during, 50), 'ms'), target: SINGLE_MS_MAX },
  ];
}

/** Sends `count` emails behind those that were sent `before`, and waits until the last has its receipt. */
async function sendAll(service: StartedService, count: number, before = 0) {
  const beganAtMs = performance.now();
  const secondsSince = () => (performance.now() - beganAtMs) / 1000;
  const durations = await inParallel(count, CONCURRENCY, (position) => timedSend(service, position));
  await untilAtProvider(service, before + count);
  const seconds = secondsSince();
  await untilQuiet(service);
  return { durations, seconds, withReceipts: secondsSince() };
}

/** Messages are numbered from 1 on. */
async function untilAtProvider(service: StartedService, count: number): Promise<void> {
  await until(async () =>
    (await textOf(service, `/_sandbox/messages?after=${count - 1}&limit=1`)).includes('"id":'),
  );
}

/** A receipt is queued before its message is done, so nothing is on its way once all is quiet. */
async function untilQuiet(service: StartedService): Promise<void> {
  await until(
    async () => !/"(?:visible|inFlight|delayed)":[1-9]/.test(await textOf(service, '/_sandbox/queues')),
  );
}

async function timedSend(service: StartedService, position: number): Promise<number> {
  const sentAtMs = performance.now();
  await responseOf(service, 'POST', '/send', sendBody(['email'], position));
  return performance.now() - sentAtMs;
}

const textOf = (service: StartedService, path: string) => responseOf(service, 'GET', path);

async function responseOf(
  service: StartedService,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const response = await service.call(method, path, body);
  if (response.status !== 200)
    throw new Error(`${method} ${path} returned ${response.status}: ${response.body}`);
  return response.body;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + WAIT_MS_MAX;
  while (!(await isDone())) {
    if (performance.now() > untilMs) throw new Error('the emails were not delivered in ten minutes');
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
}

function reachedBehind(service: StartedService): Reached {
  return {
    send: async (body) => JSON.parse(await responseOf(service, 'POST', '/send', body)),
    async addToTopic(topicId, userIds) {
      await responseOf(service, 'PUT', `/topics/${topicId}/users`, { userIds });
    },
    readLog: async (trackingId) => JSON.parse(await textOf(service, `/logs/${trackingId}`)).logs[0] ?? {},
  };
}

/** CPU of a run of its own: a profile costs some. */
async function cpuOf(folder: string, sends: number): Promise<Figure[]> {
  const profiles = mkdtempSync(join(folder, 'profile-'));
  const service = await startService(folder, 'embedded', ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
  try {
    await sendAll(service, sends);
  } finally {
    await service.stop();
  }
  const [name = ''] = readdirSync(profiles);
  return cpuByPart(join(profiles, name)).map(({ name, ms }) => ({
    part: 'CPU of one email in npm start, by the part that called',
    ...figure(name, ms / sends, 'ms'),
  }));
}

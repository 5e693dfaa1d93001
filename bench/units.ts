import type { LocalStreamEvent } from '../infra/local/database/stream/stream-event.ts';
import { BULK_ENTRIES } from './cpu.ts';
import { isTick, type Ledger, type Step } from './ledger.ts';
import {
  allDelivered,
  type CONTENT,
  inParallel,
  type MeasuredService,
  sendBody,
  skipTime,
} from './measured-service.ts';
import type { Figure } from './report.ts';

/** The consumption of one burst of equal notifications, per notification. */
export type Burst = {
  name: string;
  writeUnits: number;
  readUnits: number;
  steps: Step[];
  /** Per notification, by worker. */
  invocations: Record<string, { events: number; records: number }>;
};

type Block = keyof typeof CONTENT;

type Kind = {
  name: string;
  blocks: readonly Block[];
  target?: number;
  /** Time from one to the next, each alone; otherwise as many concurrently as the service accepts. */
  everyMs?: number;
  /** Entries of a request. */
  entries?: number;
};

/** Names of the bursts that `dollarsPerMillion` compares. */
export const EMAIL_BURSTS = {
  atOnce: 'one email',
  alone: 'one email at a time',
  bulk: 'one email of a bulk request',
} as const;

const KINDS: readonly Kind[] = [
  { name: EMAIL_BURSTS.atOnce, blocks: ['email'], target: 4.5 },
  // A million per month.
  { name: EMAIL_BURSTS.alone, blocks: ['email'], everyMs: 2600 },
  { name: EMAIL_BURSTS.bulk, blocks: ['email'], entries: BULK_ENTRIES },
  { name: 'three channels', blocks: ['email', 'inapp', 'mobile_push'] },
  {
    name: 'seven channels',
    blocks: ['email', 'inapp', 'mobile_push', 'sms', 'call', 'web_push', 'chat'],
    target: 18.5,
  },
];
const PART = 'Units per notification, from accept to delivered';
const CONCURRENCY = 16;
const KNOWN_USERS = 16;
/** Notifications of a burst with one notification at a time. */
const ALONE = 10;
/** Longer than the stream and the queues let anything wait. */
const SETTLED_MS = 1500;

const STEPPED: readonly Block[] = ['inapp', 'email', 'sms'];
const STEPS = [
  { channels: ['INAPP_WEB'] },
  { channels: ['EMAIL'], after: 'PT30M', when: 'always' },
  { channels: ['SMS'], after: 'PT30M', when: 'always' },
];
/** Write units that three steps may add to a notification. */
const STEPS_TARGET = 3;
/** Past the time of one step. */
const STEP_MS = 35 * 60_000;

/** Sends bursts of one, three and seven channels to existing users, and reads their consumption. */
export async function measureUnits(
  service: MeasuredService,
  count: number,
): Promise<{ figures: Figure[]; bursts: Burst[]; streamEvents: LocalStreamEvent[] }> {
  const figures: Figure[] = [];
  let streamEvents: LocalStreamEvent[] = [];
  const bursts: Burst[] = [];
  service.pace.isAsLambda = true;
  for (const kind of KINDS) {
    const { name, blocks, target } = kind;
    await knowUsers(service, blocks, kind.entries ?? KNOWN_USERS);
    const burst = await runBurst(service, kind, count);
    bursts.push(burst);
    if (name === EMAIL_BURSTS.atOnce) streamEvents = [...service.streamEvents];
    const write = { part: PART, name: `${name}: write units`, value: burst.writeUnits, unit: 'WU' };
    figures.push(target === undefined ? write : { ...write, target });
    figures.push({ part: PART, name: `${name}: read units`, value: burst.readUnits, unit: 'RU' });
    const shown = burst.steps.filter(
      (step) => blocks.length !== 3 && (blocks.length === 1 || step.write > 0),
    );
    figures.push(...shown.map(figureOfStep));
  }
  figures.push(...(await measureSteps(service, count)));
  service.pace.isAsLambda = false;
  return { figures, bursts, streamEvents };
}

/** The same three channels together and in three steps; the clock moves past the last step. */
async function measureSteps(service: MeasuredService, count: number): Promise<Figure[]> {
  const atOnce = await measureWriteUnits(service, count, {});
  const inSteps = await measureWriteUnits(service, count, { options: { steps: STEPS } });
  return [
    { part: PART, name: 'three channels in three steps: write units', value: inSteps / count, unit: 'WU' },
    {
      part: PART,
      name: 'three channels in three steps: write units added',
      value: (inSteps - atOnce) / count,
      unit: 'WU',
      target: STEPS_TARGET,
      note: 'usage and requests are counted once per batch, and not here',
    },
  ];
}

async function measureWriteUnits(service: MeasuredService, count: number, more: object): Promise<number> {
  await knowUsers(service, STEPPED);
  service.ledger.reset();
  await inParallel(count, CONCURRENCY, (position) =>
    service.send({ ...sendBody(STEPPED, (position % KNOWN_USERS) + 1), ...more }),
  );
  for (const _ of STEPS) await skipTime(service, STEP_MS);
  await allDelivered(service, count, STEPPED);
  await service.machine.settle();
  await settled(service.ledger);
  const steps = ticklessSteps(service.ledger).filter(({ name }) => !/ (usage|rate) /.test(name));
  return steps.reduce((sum, { write }) => sum + write, 0);
}

/** The first notification creates its user and type: that is paid once. */
async function knowUsers(
  service: MeasuredService,
  blocks: readonly Block[],
  users = KNOWN_USERS,
): Promise<void> {
  service.ledger.reset();
  await inParallel(users, 1, (position) => service.send(sendBody(blocks, position)));
  await allDelivered(service, users, blocks);
  await settled(service.ledger);
}

async function runBurst(service: MeasuredService, kind: Kind, atOnce: number): Promise<Burst> {
  service.ledger.reset();
  service.takeInvocations();
  const count = await sendAll(service, kind, atOnce);
  await allDelivered(service, count, kind.blocks);
  await settled(service.ledger);
  const steps = ticklessSteps(service.ledger).map((step) => ({
    ...step,
    calls: step.calls / count,
    write: step.write / count,
    read: step.read / count,
    storedBytes: step.storedBytes / count,
  }));
  const invocations = [...service.takeInvocations()].map(([worker, { events, records }]) => [
    worker,
    { events: events / count, records: records / count },
  ]);
  return {
    name: kind.name,
    writeUnits: steps.reduce((sum, { write }) => sum + write, 0),
    readUnits: steps.reduce((sum, { read }) => sum + read, 0),
    steps: steps.sort((left, right) => right.write - left.write || right.read - left.read),
    invocations: Object.fromEntries(invocations),
  };
}

/** Work that runs every minute costs the same at any traffic. */
function ticklessSteps(ledger: Ledger): Step[] {
  return ledger.steps().filter(({ name }) => !isTick(name));
}

async function sendAll(
  service: MeasuredService,
  { blocks, everyMs, entries }: Kind,
  atOnce: number,
): Promise<number> {
  const body = (position: number, users: number) => sendBody(blocks, (position % users) + 1);
  if (entries !== undefined) {
    const requests = Math.ceil(atOnce / entries);
    const notifications = Array.from({ length: entries }, (_, position) => body(position, entries));
    await inParallel(requests, CONCURRENCY, () => service.sendBulk(notifications));
    return requests * entries;
  }
  if (everyMs === undefined) {
    await inParallel(atOnce, CONCURRENCY, (position) => service.send(body(position, KNOWN_USERS)));
    return atOnce;
  }
  for (let position = 0; position < ALONE; position += 1) {
    await service.send(body(position, KNOWN_USERS));
    await new Promise((resume) => setTimeout(resume, everyMs));
  }
  return ALONE;
}

/** Usage is counted a moment after the last event: waits until the counts no longer change. */
async function settled(ledger: Ledger): Promise<void> {
  let before = -1;
  for (;;) {
    const calls = ledger.steps().reduce((sum, step) => sum + step.calls, 0);
    if (calls === before) return;
    before = calls;
    await new Promise((resume) => setTimeout(resume, SETTLED_MS));
  }
}

function figureOfStep({ name, write, read, calls }: Step): Figure {
  const isWrite = write > 0;
  const note = isWrite && read > 0 ? `and ${read.toFixed(2)} RU` : '';
  return {
    part: PART,
    name: `    ${name}`,
    value: isWrite ? write : read,
    unit: isWrite ? 'WU' : 'RU',
    note: [note, `${calls.toFixed(2)} calls`].filter((text) => text !== '').join(', '),
  };
}

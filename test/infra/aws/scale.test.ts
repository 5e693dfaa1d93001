import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { growthFigures, partitionOf } from '../../../bench/growth.ts';
import {
  eventsPerSecond,
  secondsInFlight,
  simulateSilentWebhook,
  simulateTypeLimit,
} from '../../../bench/neighbours.ts';
import { simulateShares } from '../../../bench/shares.ts';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { readParameters } from '../../../infra/aws/parameters/parameters.ts';
import { isSourceUsed } from '../../../infra/aws/triggers/used-sources.ts';
import { startOf } from '../../../scripts/restore/carry-over.ts';
import { copiesFor, shardsFor } from '../../../shared/database/entities/accounts/account-growth.ts';
import { DUE_SHARDS } from '../../../shared/database/keys/indexes.ts';
import { AHEAD_MS } from '../../../shared/messaging/due-messages.ts';
import { SETTINGS } from '../../../shared/runtime/settings.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { isFew, partOf } from '../../support/cases.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TEXT = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8');
const POLLS_A_MONTH = (5 * 3 * 60 * 24 * 30) / 1_000_000;
const DOLLARS = { standard: 0.4, fifo: 0.5 };

describe('the page on cost and scale', () => {
  // Every channel, and receiving email. Queues of failures are not polled, nor is the queue of the bus without one.
  const given = { ...readParameters({}), sesReceiving: true };
  const queues = WORKERS.filter(({ name }) => isSourceUsed(name, given))
    .map(({ trigger }) => trigger)
    .filter(({ kind }) => kind === 'queue' || kind === 'events');
  const fifo = queues.filter((trigger) => trigger.kind === 'queue' && trigger.fifo).length;

  it('counts the queues that Lambda polls', () => {
    expect(TEXT).toContain(`${queues.length} queues, ${fifo} of them FIFO`);
  });

  it("adds up the cost of polling them, minus an account's first million requests", () => {
    const standard = queues.length - fifo;
    const dollars =
      standard * POLLS_A_MONTH * DOLLARS.standard + fifo * POLLS_A_MONTH * DOLLARS.fifo - DOLLARS.standard;
    const sum = `${standard} × 0.648 × 0.40 + ${fifo} × 0.648 × 0.50 − 0.40`;
    expect(TEXT.replaceAll(/\s+/g, ' ')).toContain(`The sum is $${dollars.toFixed(2)} (${sum})`);
    expect(TEXT).toContain(`up to $${dollars.toFixed(2)}`);
  });

  it('states how many shards a tick queries', () => {
    expect(TEXT).toContain(`queries ${DUE_SHARDS} shards`);
  });
});

/** The number that a file gives a name, in its units. */
function constantOf(file: string, name: string): number {
  const [, text = ''] =
    new RegExp(`const ${name} = ([\\d_.]+);`).exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  if (text === '') throw new Error(`${file} has no number ${name}`);
  return Number(text.replaceAll('_', ''));
}

const shown = (value: number) => value.toLocaleString('en-US');
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five'];
const concurrencyOf = (worker: string) => {
  const trigger = WORKERS.find(({ name }) => name === worker)?.trigger;
  return trigger && 'concurrencyMax' in trigger ? (trigger.concurrencyMax ?? 0) : 0;
};
const ERASURE = 'functions/users/erasure/erasure-pass.ts';
const entriesPerMinute =
  (constantOf(ERASURE, 'ENTRIES_PER_STEP') * 60_000) / constantOf(ERASURE, 'STEP_EVERY_MS');
const stream = WORKERS.find(({ trigger }) => trigger.kind === 'stream')?.trigger;
const deliverers = WORKERS.filter(({ name }) => name.startsWith('deliver-')).length;
const { requestsPerSecond, requestBurst } = readParameters({});
const memoryOf = (extreme: (...values: number[]) => number) =>
  extreme(...WORKERS.flatMap(({ name, memoryMb }) => (name.startsWith('deliver-') ? [] : [memoryMb])));
const THROTTLE = 'shared/domain/timing/throttling.ts';
const WEBHOOKS = 'shared/database/entities/webhooks/webhooks.ts';
const GROWTH = 'shared/database/entities/accounts/account-growth.ts';

/** What the page says, with the numbers that the code has. */
const CLAIMS: Readonly<Record<string, string>> = {
  'functions of the API': `| API (${ROUTES.length}) |`,
  deliverers: `| deliverers (${deliverers}) |`,
  'other workers': `| other workers (${WORKERS.length - deliverers}) |`,
  'the gateway': `\`requestsPerSecond\` ${shown(requestsPerSecond)}, \`requestBurst\` ${shown(requestBurst)}`,
  'rates of a key': `\`CREDENTIAL_REQUESTS_PER_SECOND\` ${shown(SETTINGS.CREDENTIAL_REQUESTS_PER_SECOND.integer)}`,
  'rates of an account': `\`ACCOUNT_REQUESTS_PER_SECOND\` (${shown(SETTINGS.ACCOUNT_REQUESTS_PER_SECOND.integer)})`,
  'rate of SES': `sends ${SETTINGS.EMAIL_PER_SECOND.integer}/s, which is the default of \`EMAIL_PER_SECOND\``,
  'memory of the API': `58 to 96 MB | ${readParameters({}).apiMemoryMb} MB |`,
  'memory of other workers': `| ${memoryOf(Math.min)} to ${shown(memoryOf(Math.max))} MB |`,
  'a sweep': `reads ${WORDS[AHEAD_MS / 60_000]} minutes ahead`,
  'workers at once': `in-app ${concurrencyOf('deliver-inapp')}, push ${concurrencyOf('deliver-push')}, \`call-webhooks\` ${concurrencyOf('call-webhooks')}, \`make-ready\` ${concurrencyOf('make-ready')}`,
  'waits in flight': `only waits of up to a ${constantOf('shared/http/workers/queue-worker.ts', 'IN_FLIGHT_SECONDS_MAX') === 60 ? 'minute' : '?'} keep a message in flight, or of up to ${constantOf('functions/workers/delivery/outcome/try-later.ts', 'ASKED_IN_FLIGHT_SECONDS_MAX')} seconds if the provider asks for`,
  'a batch of the stream': `one batch of up to ${stream?.kind === 'stream' ? stream.batchSize : 0} records per shard`,
  'shards of the due index': `The index \`due\` has ${DUE_SHARDS} shards, so up to ${shown(1000 * DUE_SHARDS)} can be written per second`,
  'growth of shards': `a shard per ${constantOf(GROWTH, 'ROWS_PER_SHARD')} notifications per second (a power of two, at most ${constantOf(GROWTH, 'SHARDS_MAX')})`,
  'growth of keys': `a copy per ${constantOf(GROWTH, 'READS_PER_COPY')} requests per second (at most ${constantOf(GROWTH, 'COPIES_MAX')})`,
  'shards of a limit': `one per ten of \`max\`, at most ${constantOf(THROTTLE, 'SHARDS_MAX')}`,
  'slices of a limit': `counted in ${constantOf('shared/domain/timing/throttle-slices.ts', 'SLICES')} slices of the window`,
  'shares of a rate': `(${100 * constantOf('functions/workers/delivery/waiting/shares.ts', 'SMALL_PART')} % of the rate)`,
  'half a second of a rate': `While ${constantOf('functions/workers/delivery/waiting/shares.ts', 'AHEAD_MS') === 500 ? 'half a second' : '?'} of it waits`,
  'late work of a sweep': `at most ${shown(constantOf('shared/database/entities/sending/due-items.ts', 'ROUND_ITEMS'))} per shard and sweep`,
  'make-ready at once': `\`make-ready\` runs at most ${concurrencyOf('make-ready')} times at once`,
  'webhooks at once': `\`call-webhooks\` runs at most ${concurrencyOf('call-webhooks')} times at once`,
  'time of a webhook': `A webhook may take ${constantOf('functions/workers/webhooks/make-call.ts', 'TIMEOUT_MS') / 1000} seconds`,
  'rest of a webhook': `fter ${WORDS[constantOf(WEBHOOKS, 'STRIKES_MAX')]} calls without a response it rests`,
  'rate of an erasure': `At ${shown(entriesPerMinute)} entries a minute, 37 million take ${WORDS[Math.round(37e6 / entriesPerMinute / 60)]} hours`,
  'segments of a restore': `in ${startOf(6e11).segments} segments by one process`,
};

describe('figures of the page on cost and scale', () => {
  const text = TEXT.replaceAll(/\s+/g, ' ');
  it.each(Object.entries(CLAIMS))('states %s as the code has it', (_, claim) => {
    expect(text.includes(claim), claim).toBe(true);
  });

  it('has the shards and copies of each load as they grow', () => {
    const rows = [...TEXT.matchAll(/^\| ([\d,]+)\/s \|.*\| (\d+) \| (\d+) \|$/gm)];
    expect(rows.length).toBe(5);
    for (const [, load = '', shards, copies] of rows) {
      const perSecond = Number(load.replace(',', ''));
      expect([load, shardsFor(perSecond), copiesFor(perSecond)]).toEqual([
        load,
        Number(shards),
        Number(copies),
      ]);
    }
  });

  it('adds up what an email needs', () => {
    const table = TEXT.split('| line | | derivation |')[1]?.split('| usage count')[0] ?? '';
    const lines = [...table.matchAll(/^\| [^|]+ \| (\*\*)?([\d.]+)/gm)].map(([, isSum, value]) => ({
      isSum: isSum !== undefined,
      value: Number(value),
    }));
    const sum = lines.filter(({ isSum }) => !isSum).reduce((total, { value }) => total + value, 0);
    expect(lines.find(({ isSum }) => isSum)?.value).toBeCloseTo(sum, 5);
  });

  it.skipIf(isFew)('lets an email of another account pass a busy one within its step', async () => {
    const load = { busy: { perSecond: 1000, count: 10_000 }, single: { perSecond: 0.2, count: 30 } };
    const times = (await simulateShares(60, load, 150)).get('single') ?? [];
    expect(text).toContain("reaches the provider within 100 ms, which is the simulation's step");
    expect(Math.max(...times)).toBeLessThanOrEqual(100);
  });

  it.skipIf(isFew)('lets a webhook that hangs take all functions for one call, once', async () => {
    const { waitedMs, silentCalls } = await simulateSilentWebhook({ silent: 100, other: 2 }, 30);
    const [, heldSeconds = ''] = /can hold all functions for (\d+) seconds, once/.exec(text) ?? [];
    expect(Math.max(...waitedMs)).toBeLessThanOrEqual(Number(heldSeconds) * 1000);
    expect(waitedMs.filter((ms) => ms > 100).length).toBeLessThan(waitedMs.length / 2);
    // What had begun, and one after each rest.
    expect(silentCalls).toBeGreaterThan(100);
    expect(silentCalls).toBeLessThanOrEqual(10 * concurrencyOf('call-webhooks') + 3);
  });

  it.each<[RegExp, () => number | Promise<number>]>([
    [/hold about ([\d,]+) places/, async () => 1000 * (await secondsInFlight())],
    [
      /at most ([\d,]+) with a provider that asks for 10 seconds/,
      async () => 1000 * (await secondsInFlight(10)),
    ],
    [/about ([\d,]+) events a second of one webhook/, eventsPerSecond],
  ])('states what the simulation has: %s', async (sentence, simulate) => {
    const [, stated = ''] = sentence.exec(text) ?? [];
    const share = (await simulate()) / Number(stated.replace(',', ''));
    expect(Math.abs(share - 1)).toBeLessThan(0.07);
  });

  it('names the outage that fires `in-flight` in the runbook', async () => {
    const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
    const [, places = ''] = /A queue has ([\d,]+) of the 120,000 messages in flight/.exec(runbook) ?? [];
    const seconds = await secondsInFlight();
    expect(runbook).toContain('An outage at over a thousand messages a second');
    expect(Math.floor(Number(places.replace(',', '')) / seconds / 1000)).toBe(1);
    expect(Math.abs(seconds - 90)).toBeLessThan(10);
  });

  it.each([9, 10, 11, 30, 60, 900])(
    'keeps less in flight than a queue has places while a provider asks for %i seconds, at 1,000 a second',
    async (asked) => {
      expect(1000 * (await secondsInFlight(asked))).toBeLessThan(120_000);
    },
  );

  const loads = [
    [1, 600],
    [100, 10],
    [1000, 2],
  ] as const;
  it.each(partOf(loads))(
    'takes the write units that it states for a limit of a type, exactly, at %i a second',
    async (...load) => {
      const [, units, repeated] =
        /counts ([\d.]+) write units a send, at 1, 100 and 1,000 .* about (\d+) of all until a limit/.exec(
          text,
        ) ?? [];
      const found = await simulateTypeLimit(...load);
      expect(found).toMatchObject({ units: Number(units), refusedWrongly: 0, over: 0 });
      expect(found.repeated).toBeLessThan(10 * Number(repeated));
    },
  );

  it('adds up the dollars of each million emails, and what is compared with the target', () => {
    const rows = [...TEXT.matchAll(/^\| [^|]+ \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| (requests [^|]+) \|$/gm)];
    expect(rows.length).toBe(3);
    for (const [, comparable, everything, derivation = ''] of rows) {
      const parts = [...derivation.matchAll(/([a-zA-Z-]+) ([\d.]+)/g)];
      const sumOf = (isCounted: (name: string) => boolean) =>
        parts.reduce((sum, [, name = '', value]) => sum + (isCounted(name) ? Number(value) : 0), 0);
      expect(Math.abs(sumOf(() => true) - Number(everything))).toBeLessThan(0.06);
      // A single email needs its receipt.
      const isOne = Number(comparable) > 6;
      const besides = ['log', 'metrics', 'recovery', ...(isOne ? [] : ['SNS'])];
      expect(Math.abs(sumOf((name) => !besides.includes(name)) - Number(comparable))).toBeLessThan(0.06);
    }
  });

  it('has the formula with the prices of the bench, and the further costs of an email from its sizes', () => {
    const price = (name: string) =>
      new RegExp(`\\b${name}: ([\\d.]+),`).exec(readFileSync(join(ROOT, 'bench/dollars.ts'), 'utf8'))?.[1];
    const prices = ['http', 'invocation', 'gbSecond', 'writeUnit', 'readUnit', 'storedKbMonth'].map(price);
    const formula = TEXT.split('The formula:')[1]?.split('Then comes')[0] ?? '';
    for (const each of prices) expect(formula, each).toMatch(new RegExp(`\\b${each}(0)*\\b`));
    const perGb = constantOf('bench/dollars.ts', 'LOGS_PER_GB');
    const metrics = constantOf('bench/dollars.ts', 'METRICS_KB') * perGb;
    const recovery =
      constantOf('bench/dollars.ts', 'STORED_KB') * constantOf('bench/dollars.ts', 'RECOVERY_PER_GB_MONTH');
    expect(text).toContain(
      `metric lines ${metrics.toFixed(2)}, point-in-time recovery ${recovery.toFixed(2)}`,
    );
  });

  it('states the throttled writes and reads of a growing account as the simulation has them', () => {
    const figures = growthFigures(8);
    const rows = [...TEXT.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| \d+ \| \d+ \|$/gm)].filter(
      ([, load = '']) => /\d\/s|second minute/.test(load),
    );
    // The sudden load begins with a minute at 10/s.
    const found = figures.filter(({ part, name }) => part.startsWith('Growth') || !name.endsWith(' 10/s'));
    expect(rows.map(([, load]) => load)).toHaveLength(found.length);
    const percentOf = (cell = '') => (cell === 'none' ? 0 : Number.parseFloat(cell));
    for (const [index, { value, note = '' }] of found.entries()) {
      const [, load, writes, reads] = rows[index] ?? [];
      expect(Math.abs(value - percentOf(writes)), `${load}: ${value}`).toBeLessThan(1.5);
      expect(Math.abs(Number.parseFloat(note) - percentOf(reads)), `${load}: ${note}`).toBeLessThan(3);
    }
  });

  it('states how often shards of a feed share a partition, with an equal part of the rows in each', () => {
    const environments = Array.from({ length: 200 }, () => newId());
    const percentOf = (cell: string) => ({ all: 100, none: 0 })[cell] ?? Number.parseFloat(cell);
    const rows = [...TEXT.matchAll(/^\| (\d+) \| ([^|]+) \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)];
    expect(rows.length).toBe(5);
    for (const [, shards, ...cells] of rows)
      for (const [index, partitions] of [20, 40].entries()) {
        const list = [...Array(Number(shards)).keys()];
        const throttled = environments.filter((id) => {
          const places = Map.groupBy(list, (shard) => partitionOf(id, shard, partitions));
          const most = Math.max(...[...places.values()].map((each) => each.length));
          return (most * 10_000) / list.length > 1000;
        });
        const share = (100 * throttled.length) / environments.length;
        const stated = percentOf(cells[index] ?? '');
        expect(Math.abs(share - stated), `${shards} on ${partitions}: ${share}`).toBeLessThanOrEqual(20);
      }
  });

  it('calculates the hours of a restore from its rate', () => {
    const [, rate = '', alone, four] =
      /about ([\d,]+) items a second .* takes ([\d.]+) hours on one core and ([\d.]+) hours on four/.exec(
        text,
      ) ?? [];
    const hours = 1.5e9 / Number(rate.replace(',', '')) / 3600;
    expect(Math.abs(hours - Number(alone))).toBeLessThan(0.1);
    expect(Math.abs(hours / 4 - Number(four))).toBeLessThan(0.1);
  });
});

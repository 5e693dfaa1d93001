import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBulk } from './bulk.ts';
import { buildBundles, bundleSizes, measureInit } from './bundles.ts';
import { probeCapacity } from './capacity-probe.ts';
import { measureCpu } from './cpu.ts';
import { dollarsPerMillion } from './dollars.ts';
import { measureDue } from './due.ts';
import { measureFailover } from './failover.ts';
import { growthFigures } from './growth.ts';
import { startMeasuredService } from './measured-service.ts';
import { simulatePartitions } from './partitions.ts';
import { measureRealtime } from './realtime.ts';
import { type Figure, isMissed, tableOf } from './report.ts';
import { END_TO_END, measureThroughput } from './throughput.ts';
import { type Burst, measureUnits } from './units.ts';
import { measureWindow } from './window.ts';

const HELP = `Measures what DESIGN section 7 sets targets for, and exits 1 where one is missed.

npm run bench -- [options]
  --quick   fewer repeats: about a third of the time, noisier ratios`;

const EFFORT = {
  full: {
    notifications: 200,
    throughput: 400,
    initRounds: 11,
    cpu: { rounds: 5, calls: 800 },
    environments: 60,
    rounds: 20,
  },
  quick: {
    notifications: 100,
    throughput: 150,
    initRounds: 5,
    cpu: { rounds: 3, calls: 500 },
    environments: 15,
    rounds: 8,
  },
} as const;
const RESULTS = join(import.meta.dirname, 'results');

/** Every part, one after the other: they would disturb each other's times. */
async function measure(
  effort: (typeof EFFORT)[keyof typeof EFFORT],
  folder: string,
): Promise<{ figures: Figure[]; bursts: Burst[] }> {
  report('bundles and their start');
  const bundles = await buildBundles(folder);
  const sizes = [...bundleSizes(bundles), ...measureInit(bundles, effort.initRounds)];
  const service = await startMeasuredService();
  try {
    report('units');
    const deviations = await probeCapacity(service.endpoint);
    const { figures: units, bursts } = await measureUnits(service, effort.notifications);
    report('CPU');
    const { figures: cpu, handlers } = await measureCpu(service, bundles, folder, effort.cpu);
    report('throughput');
    const throughput = await measureThroughput(service, effort.throughput);
    report('bulk requests and failover');
    throughput.push(...(await measureBulk(service, effort.rounds)));
    throughput.push(...(await measureFailover(service, effort.rounds)));
    const plain = throughput.find(({ name }) => name === END_TO_END)?.value ?? Number.NaN;
    report('due work');
    throughput.push(...(await measureDue(service, effort.throughput, plain)));
    report('window');
    const window = await measureWindow(service, effort.throughput);
    const [email] = bursts;
    if (!email) throw new Error('no burst was measured');
    const corrected = deviations.map(({ rule, expected, found }) => ({
      part: 'Units that DynamoDB Local counts otherwise than AWS, corrected above',
      name: rule,
      value: expected,
      unit: '',
      note: `DynamoDB Local: ${found}`,
    }));
    const dollars = dollarsPerMillion(email, handlers);
    const partitions = [...simulatePartitions(effort.environments), ...growthFigures(effort.environments)];
    report('connections');
    const realtime = await measureRealtime(folder);
    const figures = [
      ...units,
      ...corrected,
      ...cpu,
      ...sizes,
      ...dollars,
      ...throughput,
      ...window,
      ...realtime,
      ...partitions,
    ];
    return { figures, bursts };
  } finally {
    await service.stop();
  }
}

/** Prints to stderr what is being measured: it takes minutes. */
function report(part: string): void {
  console.error(`measuring ${part} …`);
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const beganAtMs = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const { figures, bursts } = await measure(values.quick ? EFFORT.quick : EFFORT.full, folder);
    const missed = figures.filter(isMissed);
    const seconds = Math.round((Date.now() - beganAtMs) / 1000);
    mkdirSync(RESULTS, { recursive: true });
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
    const result = {
      measuredAt: new Date().toISOString(),
      seconds,
      machine,
      missed: missed.length,
      figures,
      bursts,
    };
    writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`);
    console.log(tableOf(figures));
    console.log(`\n${seconds} s; written to bench/results/latest.json`);
    for (const { part, name } of missed) console.log(`MISSED  ${part}: ${name.trim()}`);
    return missed.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (good) => process.exit(good ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

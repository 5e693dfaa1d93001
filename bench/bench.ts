import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { showProgress, withSeconds } from '../infra/progress.ts';
import { EXIT, option, runCommand } from '../scripts/frame/command.ts';
import { measureBulk } from './bulk.ts';
import { buildBundles, bundleSizes, measureInit } from './bundles.ts';
import { probeCapacity } from './capacity-probe.ts';
import { measureCpu, measureFirstRequests } from './cpu.ts';
import { measureDispatch } from './dispatch.ts';
import { dollarsPerMillion } from './dollars.ts';
import { measureDue } from './due.ts';
import { measureFailover } from './failover.ts';
import { measureFairness } from './fairness.ts';
import { growthFigures } from './growth.ts';
import { measureLocalRun } from './local-run.ts';
import { startMeasuredService } from './measured-service.ts';
import { measureNeighbours } from './neighbours.ts';
import { simulatePartitions } from './partitions.ts';
import { measureRealtime } from './realtime.ts';
import { type Figure, isMissed, tableOf } from './report.ts';
import { measureRestore } from './restore.ts';
import { measureShares } from './shares.ts';
import { END_TO_END, measureThroughput } from './throughput.ts';
import { type Burst, measureUnits } from './units.ts';
import { measureWindow } from './window.ts';

const ABOUT = `Measures costs and speed against their targets (docs/scale.md), and exits with 1 if one is missed.

npm run bench -- [options]`;

const OPTIONS = {
  start: option.flag('only npm start, beside npm start on DynamoDB Local if there is Java'),
  quick: option.flag('fewer repeats: about a third of the time, noisier ratios'),
  json: option.flag('print the result as one JSON object, and no progress'),
  help: option.flag('this text'),
};

const EFFORT = {
  full: {
    notifications: 200,
    throughput: 400,
    initRounds: 15,
    cpu: { rounds: 5, calls: 800 },
    environments: 60,
    rounds: 20,
    members: 10_000,
    localRun: { sends: 1500, members: 10_000, starts: 5 },
  },
  quick: {
    notifications: 100,
    throughput: 150,
    initRounds: 9,
    cpu: { rounds: 3, calls: 500 },
    environments: 15,
    rounds: 8,
    members: 500,
    localRun: { sends: 500, members: 1000, starts: 3 },
  },
} as const;
const RESULTS = join(import.meta.dirname, 'results');

const PARTS = 11;

/** Every part, one after the other: they would disturb each other's times. `begin` gets the part that begins. */
async function measure(
  effort: (typeof EFFORT)[keyof typeof EFFORT],
  folder: string,
  begin: (part: string) => void,
): Promise<{ figures: Figure[]; bursts: Burst[] }> {
  begin('npm start');
  const localRun = await measureLocalRun(folder, effort.localRun);
  begin('bundles and their start');
  const bundles = await buildBundles(folder);
  const sizes = [...bundleSizes(bundles), ...measureInit(bundles, effort.initRounds)];
  const service = await startMeasuredService();
  try {
    begin('units');
    const deviations = await probeCapacity(service.endpoint);
    const { figures: units, bursts, streamEvents } = await measureUnits(service, effort.notifications);
    begin('CPU');
    const { figures: cpu, handlers } = await measureCpu(service, bundles, folder, effort.cpu);
    cpu.push(...(await measureFirstRequests(service, bundles, folder, effort.initRounds)));
    begin('the stream');
    cpu.push(...(await measureDispatch(folder, streamEvents, handlers, effort.cpu.rounds)));
    begin('throughput');
    const throughput = await measureThroughput(service, effort.throughput);
    begin('bulk requests and failover');
    throughput.push(...(await measureBulk(service, effort.rounds)));
    throughput.push(...(await measureFailover(service, effort.rounds)));
    const plain = throughput.find(({ name }) => name === END_TO_END)?.value ?? Number.NaN;
    begin('due work');
    throughput.push(...(await measureDue(service, effort.throughput, plain)));
    begin('fairness');
    const fairness = await measureFairness(service, effort.members);
    begin('window');
    const window = await measureWindow(service, effort.throughput);
    const corrected = deviations.map(({ rule, expected, found }) => ({
      part: 'Units that DynamoDB Local counts otherwise than AWS, corrected above',
      name: rule,
      value: expected,
      unit: '',
      note: `DynamoDB Local: ${found}`,
    }));
    const dollars = dollarsPerMillion(bursts, handlers);
    const partitions = [
      ...simulatePartitions(effort.environments),
      ...growthFigures(effort.environments),
      ...(await measureShares()),
      ...(await measureNeighbours()),
      ...(await measureRestore()),
    ];
    begin('connections');
    const realtime = await measureRealtime(folder);
    const figures = [
      ...units,
      ...corrected,
      ...cpu,
      ...sizes,
      ...dollars,
      ...throughput,
      ...fairness,
      ...window,
      ...realtime,
      ...partitions,
      ...localRun,
    ];
    return { figures, bursts };
  } finally {
    await service.stop();
  }
}

runCommand({ about: ABOUT, options: OPTIONS }, async ({ quick, start: isStart, json: isJson = false }) => {
  const beganAtMs = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const resume = 'Nothing was written: a bench cannot be resumed. --quick takes a third of the time.';
  const progress = showProgress({ isJson, resume });
  let begun = 0;
  const begin = (part: string) => {
    begun += 1;
    const place = `part ${begun} of ${PARTS}: ${part}`;
    progress.show(withSeconds(() => place));
  };
  try {
    const effort = quick ? EFFORT.quick : EFFORT.full;
    const { figures, bursts } = isStart
      ? { figures: await measureLocalRun(folder, effort.localRun), bursts: [] }
      : await measure(effort, folder, begin);
    progress.end();
    const missed = figures.filter(isMissed);
    const seconds = Math.round((Date.now() - beganAtMs) / 1000);
    mkdirSync(RESULTS, { recursive: true });
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
    const measuredAt = new Date().toISOString();
    const result = { measuredAt, seconds, machine, missed: missed.length, figures, bursts };
    writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`);
    if (isJson) console.log(JSON.stringify(result));
    else {
      console.log(tableOf(figures));
      console.log(`\n${seconds} s; written to bench/results/latest.json`);
      for (const { part, name } of missed) console.log(`MISSED  ${part}: ${name.trim()}`);
    }
    return missed.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    progress.end();
    rmSync(folder, { recursive: true, force: true });
  }
});

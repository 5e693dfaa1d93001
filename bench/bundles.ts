import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Bundle, bundleAll, entriesOf, findMissingEntries } from '../infra/bundle/bundle.ts';
import { LAMBDA_NODE_FLAGS } from '../infra/bundle/node-flags.ts';
import { applyLocalSettings } from '../infra/local/start/local-settings.ts';
import { type Figure, medianOf, percentileOf } from './report.ts';

/** Limits by kind of function. */
const LIMITS = { route: { kb: 350, ratio: 1.15 }, worker: { kb: 600, ratio: 1.7 } } as const;
const PART_SIZES = 'Bundles (entry file, minified)';
const PART_INIT = 'Init against a bare GetItem handler built the same way';
/** A sample of every kind: the busiest, the leanest, and those with the most behind them. */
const SAMPLE = [
  'send',
  'getLogs',
  'listLogs',
  'saveUser',
  'listApiKeys',
  'createTemplate',
  'saveBilling',
  'dispatch',
  'deliver-email',
  'deliver-sms',
  'deliver-push',
  'ingest-ses',
];
const CHILD = join(import.meta.dirname, 'init-child.ts');

/** All functions and the bare handler, bundled. */
export type Bundles = { all: Bundle[]; missing: string[]; bare: Bundle; calls: Bundle };

/** Bundles every function there is, and the bench's own handlers the same way. */
export async function buildBundles(folder: string): Promise<Bundles> {
  const entries = entriesOf();
  const missing = findMissingEntries(entries);
  const all = await bundleAll({
    outputFolder: join(folder, 'functions'),
    entries: entries.filter((entry) => !missing.includes(entry)),
  });
  const [bare, calls] = await bundleAll({
    outputFolder: join(folder, 'bare'),
    entries: [
      { id: 'bareGetItem', kind: 'route', source: 'bench/bare/get-item.ts' },
      { id: 'bareCalls', kind: 'route', source: 'bench/bare/calls.ts' },
    ],
  });
  if (!bare || !calls) throw new Error('the bare handlers were not bundled');
  return { all, missing: missing.map(({ id }) => id), bare, calls };
}

/** The largest functions of each kind, and every function over its limit. */
export function bundleSizes({ all, missing, bare }: Bundles): Figure[] {
  const figures: Figure[] = [figureOfSize(bare, undefined)];
  for (const kind of ['route', 'worker'] as const) {
    const ofKind = all.filter((bundle) => bundle.kind === kind).sort((a, b) => b.sizeBytes - a.sizeBytes);
    const limit = LIMITS[kind].kb;
    const shown = ofKind.filter((bundle, rank) => rank < 3 || bundle.sizeBytes > limit * 1024);
    figures.push(...shown.map((bundle) => figureOfSize(bundle, limit)));
    const median = medianOf(ofKind.map((bundle) => bundle.sizeBytes / 1024));
    figures.push({
      part: PART_SIZES,
      name: `median of ${ofKind.length} ${kind}s`,
      value: median,
      unit: 'KB',
    });
  }
  if (missing.length === 0) return figures;
  const note = missing.join(', ');
  return [
    ...figures,
    { part: PART_SIZES, name: 'handlers not there', value: missing.length, unit: '', note },
  ];
}

function figureOfSize(bundle: Bundle, target: number | undefined): Figure {
  const figure = { part: PART_SIZES, name: bundle.id, value: bundle.sizeBytes / 1024, unit: 'KB' };
  return target === undefined ? figure : { ...figure, target };
}

/** Other work on the machine only adds time: the faster runs are closest to the work itself, and several agree. */
const quietOf = (times: readonly number[]) => percentileOf(times, 25);

/**
 * CPU time of each function's init, as a multiple of the bare handler's: fresh processes, in turn.
 */
export function measureInit({ all, bare }: Bundles, rounds: number): Figure[] {
  const sampled = all.filter((bundle) => SAMPLE.includes(bundle.id));
  const measured = [bare, ...sampled].map((bundle) => ({ bundle, runs: [] as InitRun[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { bundle, runs } of measured) runs.push(initOnce(bundle));
  }
  const [base, ...others] = measured.map(({ bundle, runs }) => ({
    bundle,
    cpuMs: quietOf(runs.map(({ cpuMs }) => cpuMs)),
    wallMs: quietOf(runs.map(({ wallMs }) => wallMs)),
  }));
  if (!base) return [];
  const figures: Figure[] = [
    {
      part: PART_INIT,
      name: base.bundle.id,
      value: base.wallMs,
      unit: 'ms',
      note: `${base.cpuMs.toFixed(0)} ms CPU`,
    },
  ];
  for (const { bundle, cpuMs, wallMs } of others) {
    figures.push({
      part: PART_INIT,
      name: bundle.id,
      value: cpuMs / base.cpuMs,
      unit: 'x',
      target: LIMITS[bundle.kind].ratio,
      note: `${(wallMs / base.wallMs).toFixed(2)}x of the time`,
    });
  }
  return figures;
}

type InitRun = { wallMs: number; cpuMs: number };

function initOnce(bundle: Bundle): InitRun {
  applyLocalSettings();
  const output = execFileSync(
    process.execPath,
    [...LAMBDA_NODE_FLAGS, CHILD, join(bundle.folder, bundle.entryFile)],
    {
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
      encoding: 'utf8',
    },
  );
  return JSON.parse(output);
}

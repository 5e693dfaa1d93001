import { ROUTES } from '../../functions/routes.ts';
import { WORKERS } from '../../functions/workers.ts';
import { fileNameOf, RESPONSE_STATUS } from '../../shared/http/rows/route.ts';
import type { Trigger, Worker } from '../../shared/http/rows/worker.ts';
import type { Observation } from './emulator.ts';
import { hasPages } from './routes.ts';

type Invocation = Extract<Observation, { kind: 'invocation' }>;

/** The invocations of a function, and its starts, by the ID of its row. */
function byFunction(observations: readonly Observation[], prefix: string) {
  const runs = observations.filter(
    (each) => (each.kind === 'invocation' || each.kind === 'start') && each.function.startsWith(`${prefix}-`),
  );
  return Map.groupBy(runs, (each) => ('function' in each ? each.function.slice(prefix.length + 1) : ''));
}

const invocationsOf = (runs: readonly Observation[] = []): Invocation[] =>
  runs.filter((each) => each.kind === 'invocation');

/** Routes without a success, lists without a second page, and workers that their own event source has not invoked. */
export function uncovered(observations: readonly Observation[], prefix: string): string[] {
  const runs = byFunction(observations, prefix);
  const missing: string[] = [];
  for (const row of ROUTES) {
    const { id, response } = row;
    const successes = invocationsOf(runs.get(fileNameOf(id))).filter(
      ({ status }) => status === RESPONSE_STATUS[response.kind],
    );
    if (successes.length === 0) missing.push(`${id}: no success`);
    if (hasPages(row) && !successes.some(({ isLaterPage }) => isLaterPage))
      missing.push(`${id}: no second page`);
  }
  for (const { name, trigger } of WORKERS) {
    const isOwn = SOURCES[trigger.kind](trigger as never, name);
    if (!invocationsOf(runs.get(name)).some((each) => isOwn(each) && !each.error))
      missing.push(`${name}: not invoked by its ${trigger.kind}`);
  }
  return missing;
}

type Of<K> = Extract<Trigger, { kind: K }>;

const ofQueue =
  (_: unknown, name: string) =>
  ({ source, origin }: Invocation) =>
    source === 'aws:sqs' && new RegExp(`-${name}(\\.fifo)?$`).test(origin);

const SOURCES: {
  [K in Worker['trigger']['kind']]: (trigger: Of<K>, name: string) => (each: Invocation) => boolean;
} = {
  stream: () => (each) => each.source === 'aws:dynamodb',
  queue: ofQueue,
  events: ofQueue,
  topic: () => (each) => each.source === 'aws:sns',
  schedule: () => (each) => each.source === 'aws.events',
  websocket:
    ({ route }) =>
    (each) =>
      each.source === route,
  manual: () => (each) => each.source === null,
};

export function denials(observations: readonly Observation[]): string[] {
  const all = observations.flatMap((each) =>
    each.kind === 'denied' ? [`${each.function}: ${each.action} on ${each.resource}`] : [],
  );
  return [...new Set(all)];
}

/** Failed invocations and lines with level ERROR, without a story's expected errors. */
export function errors(observations: readonly Observation[], expected: readonly RegExp[]): string[] {
  return observations
    .flatMap((each) =>
      each.kind === 'invocation'
        ? [...each.errors, ...(each.error ? [JSON.stringify(each.error)] : [])].map(
            (line) => `${each.function}: ${line.slice(0, 600)}`,
          )
        : [],
    )
    .filter((line) => !expected.some((each) => each.test(line)));
}

/** What the run covered, was denied and logged as errors, and each function's figures. */
export function report(observations: readonly Observation[], prefix: string): string {
  const missing = uncovered(observations, prefix);
  const lists = ROUTES.filter(hasPages).length;
  const found = {
    denied: denials(observations),
    errors: errors(observations, []),
    uncovered: missing,
  };
  return [
    figures(observations, prefix),
    `${ROUTES.length} routes, second pages of ${lists} lists, ${WORKERS.length} workers by their own event sources`,
    ...Object.entries(found).map(([name, lines]) => [`${name}: ${lines.length}`, ...lines].join('\n  ')),
  ].join('\n');
}

/** A table of each function's starts and calls, with the slowest first. */
function figures(observations: readonly Observation[], prefix: string): string {
  const rows = [...byFunction(observations, prefix)].map(([name, runs]) => {
    const starts = runs.flatMap((each) => (each.kind === 'start' ? [each.ms] : []));
    const calls = invocationsOf(runs).map(({ ms }) => ms);
    return { name, start: Math.max(0, ...starts), longest: Math.max(0, ...calls), calls: calls.length };
  });
  const cells = (...values: (string | number)[]) =>
    values
      .map((value, index) => (index === 0 ? String(value).padEnd(34) : String(value).padStart(10)))
      .join('');
  return [
    cells('function', 'start ms', 'longest ms', 'calls'),
    ...rows
      .sort((left, right) => right.longest - left.longest)
      .map(({ name, start, longest, calls }) => cells(name, start, longest, calls)),
  ].join('\n');
}

import type { Worker } from '../../../shared/http/rows/worker.ts';

type Reader = Pick<Worker, 'name' | 'grants' | 'returns'> & { queue: string };

/**
 * The workers whose messages can return to them through queues, by name. Lambda stops such a chain after sixteen rounds unless
 * its functions allow recursion, so each cycle must have an end of its own: throws if a row does not state it.
 */
export function workersOnCycles(workers: readonly Worker[]): ReadonlySet<string> {
  const cycles = cyclesOf(readersOf(workers));
  const ended = new Map(workers.flatMap((worker) => declaredOf(worker)));
  for (const [key, cycle] of cycles) {
    if (!ended.delete(key))
      throw new Error(
        `Messages can go around ${[...cycle, cycle[0]].join(' -> ')} for ever: name the end in \`returns\` of a row`,
      );
  }
  const [stale] = ended.values();
  if (stale) throw new Error(`${stale}: its queues are no cycle`);
  return new Set([...cycles.values()].flat());
}

function readersOf(workers: readonly Worker[]): Reader[] {
  return workers.flatMap((worker) =>
    'queue' in worker.trigger ? [{ ...worker, queue: worker.trigger.queue }] : [],
  );
}

/** The cycles that a row declares, by their key. */
function declaredOf({ name, trigger, returns = [] }: Worker): [string, string][] {
  const queue = 'queue' in trigger ? trigger.queue : name;
  return returns.map(({ by }) => [
    keyOf([queue, ...by]),
    `\`returns\` of worker ${name} by ${by.join(', ')}`,
  ]);
}

/** The same for a cycle wherever it begins. */
function keyOf(queues: readonly string[]): string {
  const first = queues.indexOf([...queues].sort()[0] ?? '');
  return [...queues.slice(first), ...queues.slice(0, first)].join(' ');
}

/** Every cycle that passes each of its queues once: the names of its workers, by its key. */
function cyclesOf(readers: readonly Reader[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const follow = (path: readonly Reader[], start: number): void => {
    for (const queue of path.at(-1)?.grants.sendsTo ?? []) {
      const next = readers.findIndex((reader) => reader.queue === queue);
      const reader = readers[next];
      if (!reader || next < start) continue;
      if (next === start)
        found.set(
          keyOf(path.map((each) => each.queue)),
          path.map(({ name }) => name),
        );
      else if (!path.includes(reader)) follow([...path, reader], start);
    }
  };
  for (const [index, reader] of readers.entries()) follow([reader], index);
  return found;
}

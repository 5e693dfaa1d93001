import { dirname, join } from 'node:path';

/** The relative imports of each file, as paths from the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const SPECIFIER = /\b(?:from|import)\s*\(?\s*(['"`])(\.[^'"`]+)\1/g;

/** Returns what `code` imports by a relative path: values, types, lazy imports and re-exports alike. */
export function importsOf(file: string, code: string): string[] {
  return [...code.matchAll(SPECIFIER)].map(([, , specifier = '']) => join(dirname(file), specifier));
}

/** Returns the imports that point to a later room, as `file -> imported`. `rooms` are folders from the bottom up. */
export function findUpwardImports(graph: ImportGraph, rooms: readonly string[]): string[] {
  const heightOf = (file: string) => rooms.findIndex((room) => file.startsWith(`${room}/`));
  return [...graph].flatMap(([file, imports]) =>
    imports
      .filter((imported) => heightOf(imported) > heightOf(file))
      .map((imported) => `${file} -> ${imported}`),
  );
}

/** Returns the groups of files that import each other in a circle (strongly connected components), each sorted. */
export function findCycles(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(file: string): number {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    const reached = (graph.get(file) ?? [])
      .filter((imported) => graph.has(imported))
      .map((imported) => {
        if (!order.has(imported)) return visit(imported);
        return stack.includes(imported) ? (order.get(imported) ?? index) : index;
      });
    const low = Math.min(index, ...reached);
    if (low === index) {
      const members = stack.splice(stack.indexOf(file));
      if (members.length > 1 || graph.get(file)?.includes(file)) cycles.push(members.sort());
    }
    return low;
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

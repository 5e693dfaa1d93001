import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { LINES_EXTENSION, type StackLines } from '../../shared/runtime/readable-stack.ts';

const SOURCE_MAP_FOLDER = 'source-maps';

/** Moves the source maps of `outputs` out of the zipped folders; the parts that stack traces need stay. */
export async function moveSourceMaps(
  outputs: readonly string[],
  root: string,
  outputFolder: string,
): Promise<void> {
  const maps = outputs.filter((path) => path.endsWith('.map')).map((path) => join(root, path));
  await Promise.all(
    maps.map(async (from) => {
      await writeStackLines(from.slice(0, -'.map'.length), from, root);
      const to = join(outputFolder, SOURCE_MAP_FOLDER, relative(outputFolder, from));
      await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
    }),
  );
}

/**
 * Writes next to a bundled file what `readableStack` needs of its source map: files and lines of this
 * project's code, and for packages only which file begins where. A tenth of the map, and read only when an
 * error is logged.
 */
async function writeStackLines(file: string, mapFile: string, root: string): Promise<void> {
  const { sources, mappings }: { sources: string[]; mappings: string } = JSON.parse(
    await readFile(mapFile, 'utf8'),
  );
  const names = sources.map((source) => relative(root, resolve(dirname(mapFile), source)));
  const lines: StackLines = { sources: names, lines: packed(mappings, names) };
  await writeFile(file + LINES_EXTENSION, JSON.stringify(lines));
}

/** Per generated line, from 1: `column source line` of each place where the line of the source changes, as differences. */
function packed(mappings: string, names: readonly string[]): StackLines['lines'] {
  const lines: StackLines['lines'] = {};
  let [source, line] = [0, 0];
  for (const [index, segments] of mappings.split(';').entries()) {
    const readable: string[] = [];
    let column = 0;
    let [keptColumn, keptSource, keptLine] = [0, 0, 0];
    for (const segment of segments ? segments.split(',') : []) {
      const [columnBy = 0, sourceBy, lineBy = 0] = decoded(segment);
      column += columnBy;
      if (sourceBy === undefined) continue;
      source += sourceBy;
      line += lineBy;
      const shown = names[source]?.includes('node_modules') ? 0 : line + 1;
      if (readable.length > 0 && source === keptSource && shown === keptLine) continue;
      readable.push([column - keptColumn, source - keptSource, shown - keptLine].join(' '));
      [keptColumn, keptSource, keptLine] = [column, source, shown];
    }
    if (readable.length > 0) lines[index + 1] = readable.join(',');
  }
  return lines;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of a segment: base 64, five bits a digit, the sign in the lowest bit. */
function decoded(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

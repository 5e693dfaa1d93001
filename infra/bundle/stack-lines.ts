import type { StackLines } from '../../shared/runtime/readable-stack.ts';

type SourceMap = { sources: string[]; mappings: string };

/** The way from a bundled file to the repository's root, or to the packages if they are outside of it. */
const BEFORE_NAME = /^(\.\.\/)+(.*?(?=node_modules\/)|)/;

/** Parses a source map of esbuild. Its sources are then relative to the repository's root. */
export function parseSourceMap(text: string): SourceMap {
  const map: SourceMap = JSON.parse(text);
  return { ...map, sources: map.sources.map((source) => source.replace(BEFORE_NAME, '')) };
}

/**
 * Returns what `readableStack` needs of a source map: files and lines of this project's code, and for packages only which
 * file begins where. A tenth of the map, and read only when an error is logged.
 */
export function stackLinesOf({ sources, mappings }: SourceMap): StackLines {
  return { sources, lines: packed(mappings, sources) };
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

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Ending of the source map next to a bundled file. */
export const LINES_EXTENSION = '.lines';

/** The source of a bundled file's code: by generated line, `column source line` as differences. */
export type StackLines = { sources: string[]; lines: Record<string, string> };

const WORD = /[^\s()]+/g;
const PLACE = /^(.*\.[cm]js):(\d+):(\d+)/;
const known = new Map<string, StackLines | undefined>();

/**
 * Returns a stack with the source file and line of each frame in bundled code; every other frame is
 * unchanged.
 */
export function readableStack(stack: string): string {
  return stack.replace(WORD, (word) => {
    const slash = word.indexOf('/');
    const start = word.startsWith('file:///', slash - 5) ? slash - 5 : slash;
    // Anchored: a search would try every slash, in quadratic time.
    const [frame = '', file = '', line = '', column] = (slash >= 0 && PLACE.exec(word.slice(start))) || [];
    const place = frame && findPlace(linesOf(file), line, Number(column) - 1);
    return place ? word.slice(0, start) + place + word.slice(start + frame.length) : word;
  });
}

function linesOf(file: string): StackLines | undefined {
  if (!known.has(file)) known.set(file, read(file));
  return known.get(file);
}

/** Read with the first error only; undefined for code that is not bundled. */
function read(file: string): StackLines | undefined {
  try {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return JSON.parse(readFileSync(path + LINES_EXTENSION, 'utf8'));
  } catch {
    return undefined;
  }
}

function findPlace(found: StackLines | undefined, generated: string, column: number): string | undefined {
  const segments = found?.lines[generated]?.split(',') ?? [];
  let [at, source, line] = [0, 0, 0];
  let place: { source: number; line: number } | undefined;
  for (const segment of segments) {
    const [columnBy = 0, sourceBy = 0, lineBy = 0] = segment.split(' ').map(Number);
    at += columnBy;
    if (at > column) break;
    source += sourceBy;
    line += lineBy;
    place = { source, line };
  }
  const name = place && found?.sources[place.source];
  return name && place ? `${name}${place.line > 0 ? `:${place.line}` : ''}` : undefined;
}

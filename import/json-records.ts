import { findJson } from '../shared/runtime/values/find-json.ts';

/** The wrappers of records in AWS commands' output. */
const WRAPPERS = [
  'EndpointsResponse',
  'EndpointResponse',
  'Item',
  'SuppressedDestinationSummaries',
  'SuppressedDestination',
  'EmailTemplateResponse',
  'Template',
];

/**
 * Returns the records in a JSON value: the value itself, the entries of a list, or the entries inside the response of a command.
 */
export function recordsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  const fields: Record<string, unknown> = Object(value);
  const wrapper = WRAPPERS.find((name) => typeof fields[name] === 'object' && fields[name] !== null);
  return wrapper === undefined ? [value] : recordsIn(fields[wrapper]);
}

/** True if a JSON file that begins so has one value per line. Others are indented, or have a list over many lines. */
export function isOnePerLine(start: string): boolean {
  const first = start.split('\n').find((line) => line.trim() !== '');
  return first !== undefined && !/[[{,:]\s*$/.test(first);
}

/**
 * Yields the JSON values that follow each other in a text; undefined for an invalid part, which is the last.
 */
export function* documentsIn(text: string): Generator<unknown> {
  let depth = 0;
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth > 0) continue;
      const value = depth === 0 ? findJson(text.slice(start, at + 1)) : undefined;
      yield value;
      if (value === undefined) return;
      start = at + 1;
    }
  }
  if (text.slice(start).trim() !== '') yield undefined;
}

import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../table.ts';

/** False for an addition that its condition does not keep from being made again. */
export function isRepeatable(input: object): boolean {
  const expression = 'UpdateExpression' in input ? String(input.UpdateExpression) : '';
  const condition = 'ConditionExpression' in input ? String(input.ConditionExpression) : '';
  if (!/\bADD\b|[+-] *:/.test(expression)) return true;
  const named = new Set(condition.match(PATHS));
  return assignmentsOf(expression).some(({ path }) => named.has(path));
}

const PATHS = /[#\w]+(?:\.[#\w]+)*/g;

/** The plain assignments of an update, `path = :value`, without computed values. */
function assignmentsOf(expression: string): { path: string; value: string }[] {
  const found = expression.matchAll(
    /(?:\bSET|,)\s*([#\w.]+)\s*=\s*(:\w+)\s*(?=,|$|\b(?:ADD|REMOVE|DELETE)\b)/g,
  );
  return [...found].map(([, path = '', value = '']) => ({ path, value }));
}

/** A conditional write, by what it leaves behind. */
export type Intended =
  | { kind: 'put'; item: Item }
  | {
      kind: 'update';
      expression: string;
      names?: Record<string, string>;
      values?: Record<string, unknown>;
    }
  | { kind: 'delete' };

/** True if the item is as the write leaves it: this write, or another write with the same effect, was made. */
export function isDone(intended: Intended, current: Item | undefined): boolean {
  if (intended.kind === 'delete') return current === undefined;
  if (current === undefined) return false;
  if (intended.kind === 'put') return isSame(current, intended.item);
  const { expression, names, values } = intended;
  const assignments = assignmentsOf(expression);
  return (
    assignments.length > 0 &&
    assignments.every(({ path, value }) => isSame(at(current, path, names), values?.[value]))
  );
}

function at(item: Item, path: string, names: Record<string, string> = {}): unknown {
  return path.split('.').reduce<unknown>((value, part) => Object(value)[names[part] ?? part], item);
}

const isSame = (stored: unknown, given: unknown) => isDeepStrictEqual(plain(stored), plain(given));

/** As the table stores it: without undefined, bytes without their class. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value instanceof Set || typeof value !== 'object' || value === null) return value;
  const isStored = (each: unknown) => each !== undefined;
  if (Array.isArray(value)) return value.filter(isStored).map(plain);
  const entries = Object.entries(value).filter(([, each]) => isStored(each));
  return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]));
}

import * as v from 'valibot';
import { LogFields } from '../../schemas/logs/log-record.ts';

/** The types whose values are known in advance. Any text may name a person, an ID included. */
const KNOWN_TYPES: readonly string[] = ['picklist', 'number', 'boolean'];
const TIME_NAME = /_(at|until)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns what stays of the fields of an erased log: known codes, numbers, flags and times. */
export function anonymousFields(fields: object): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isAnonymous(name, value)));
}

function isAnonymous(name: string, value: unknown): boolean {
  if (!Object.hasOwn(LogFields.entries, name)) return false;
  const { wrapped } = LogFields.entries[name as keyof typeof LogFields.entries];
  if (KNOWN_TYPES.includes(wrapped.type)) return v.is(wrapped, value);
  return TIME_NAME.test(name) && typeof value === 'string' && TIME.test(value);
}

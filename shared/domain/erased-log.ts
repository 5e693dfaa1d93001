import * as v from 'valibot';
import { LogFields } from '../schemas/log-record.ts';
import type { EmailSuppressionStatus } from '../schemas/user.ts';

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

const KNOWN_DETAILS = /^(bounce|complaint)(Type|SubType|FeedbackType)$/;

/** Returns the reason of a suppression without the words of a server, which may contain the address. */
export function anonymousStatus({ reason, details }: EmailSuppressionStatus): EmailSuppressionStatus {
  const kept = Object.entries(details).filter(
    ([name, value]) =>
      (KNOWN_DETAILS.test(name) && /^[A-Za-z-]{1,40}$/.test(String(value))) || TIME.test(String(value)),
  );
  return { reason, details: Object.fromEntries(kept) };
}

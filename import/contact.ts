import * as v from 'valibot';
import { normalizeNumber } from '../shared/channels/phone/numbers/phone-number.ts';
import { mailboxOf } from '../shared/domain/users/mailbox.ts';
import { addressIn, Id, isEmailAddress } from '../shared/schemas/fields/text.ts';
import { canonicalLocale } from '../shared/schemas/users/locale.ts';
import { Preference } from '../shared/schemas/users/preference.ts';
import { isTimezone } from '../shared/schemas/users/timezone.ts';
import { Attributes, PushToken, WebPushToken } from '../shared/schemas/users/user.ts';

/** A line of an export: one address of a user, with its other data. */
export type Contact = {
  /** Number of the line or record in the file, from 1. */
  line: number;
  userId: string;
  email?: string;
  number?: string;
  pushTokens?: PushToken[];
  webPushTokens?: WebPushToken[];
  /** Choices for types and channels. One that is off for email is an opt-out of the address too. */
  preferences?: Preference[];
  timezone?: string;
  locale?: string;
  attributes?: Record<string, unknown>;
  /** The person opted out of marketing by email; the value names the source. */
  optOut?: string;
  /** Email to the address is suppressed, for this reason. */
  suppression?: { reason: 'Bounce' | 'Complaint'; details: Record<string, string> };
};

/** The outcome of a line: a contact, or why it is not imported. `notes` lists omitted values. */
export type Line =
  | { kind: 'contact'; contact: Contact; notes: string[] }
  | { kind: 'rejected'; line: number; because: string };

/** A list of the file, unchecked. */
type Lists = { [L in 'pushTokens' | 'webPushTokens' | 'preferences']?: readonly unknown[] };
type Raw = Partial<Omit<Contact, 'line' | keyof Lists>> & Lists;

/** The form of each list's entries, and the note on entries of another. */
const LISTS = {
  pushTokens: [PushToken, 'push tokens without type FCM or APN, or without token'],
  webPushTokens: [WebPushToken, 'web push subscriptions without sub.endpoint and sub.keys'],
  preferences: [Preference, 'preferences without a type, a channel and a delivery option'],
} as const;

/** Checks a line by the rules of POST /users/{userId}; an invalid value is omitted with a note. */
export function checkedLine(
  line: number,
  raw: { [K in keyof Raw]?: Raw[K] | undefined },
  notes: string[] = [],
): Line {
  const contact: Contact = { line, userId: '' };
  const email = raw.email && addressIn(raw.email.trim());
  const number = raw.number?.trim();
  if (email && !isEmailAddress(email))
    return { kind: 'rejected', line, because: 'the email address is not valid' };
  const normalized = number ? normalizeNumber(number) : undefined;
  if (number && !normalized) return { kind: 'rejected', line, because: 'the phone number is not valid' };
  const userId = raw.userId?.trim() || (email && mailboxOf(email)) || normalized;
  if (!userId || !v.is(Id, userId)) {
    const because = userId
      ? 'the user ID is longer than 256 bytes or has control characters'
      : 'it has no user ID and no address';
    return { kind: 'rejected', line, because };
  }
  contact.userId = userId;
  if (email) contact.email = email;
  if (normalized) contact.number = normalized;
  for (const [name, [schema, note]] of Object.entries(LISTS)) {
    const given = raw[name as keyof Lists] ?? [];
    const valid = given.filter((each) => v.is(schema, each));
    if (valid.length < given.length) notes.push(note);
    if (valid.length > 0) Object.assign(contact, { [name]: valid });
  }
  if (raw.optOut && email) contact.optOut = raw.optOut;
  if (raw.suppression && email) contact.suppression = raw.suppression;
  const zone = raw.timezone?.trim();
  if (zone && isTimezone(zone)) contact.timezone = zone;
  else if (zone) notes.push('timezones that are not IANA names');
  // Java writes en_US, and en_US.UTF-8 is a locale of the operating system.
  const [tag = ''] = raw.locale?.trim().replaceAll('_', '-').split(/[.@]/) ?? [];
  const locale = tag === '' ? undefined : canonicalLocale(tag);
  if (locale) contact.locale = locale;
  else if (raw.locale?.trim()) notes.push('locales that are not language tags');
  const attributes = v.safeParse(Attributes, raw.attributes);
  if (attributes.success && Object.keys(attributes.output).length > 0) contact.attributes = attributes.output;
  else if (raw.attributes && !attributes.success) notes.push('attributes over 8 KB or 5 levels');
  return { kind: 'contact', contact, notes };
}

export function suppressedLine(line: Line): Line {
  if (line.kind === 'rejected') return line;
  const { suppression = { reason: 'Complaint', details: {} }, ...contact } = line.contact;
  if (!contact.email) return { kind: 'rejected', line: contact.line, because: 'it has no email address' };
  return { ...line, contact: { ...contact, suppression } };
}

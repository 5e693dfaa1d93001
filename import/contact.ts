import * as v from 'valibot';
import { normalizeNumber } from '../shared/channels/phone/phone-number.ts';
import { mailboxOf } from '../shared/domain/mailbox.ts';
import { canonicalLocale } from '../shared/schemas/locale.ts';
import { Id, isEmailAddress } from '../shared/schemas/text.ts';
import { isTimezone } from '../shared/schemas/timezone.ts';
import { Attributes } from '../shared/schemas/user.ts';

/** A line of an export: one address of a user, with its other data. */
export type Contact = {
  /** Number of the line or record in the file, from 1. */
  line: number;
  userId: string;
  email?: string;
  number?: string;
  pushToken?: { type: 'FCM' | 'APN'; token: string; environment?: string };
  timezone?: string;
  locale?: string;
  attributes?: Record<string, unknown>;
  /** The person opted out of marketing by email; the value names the source. */
  optOut?: string;
  /** Nothing may be sent to the email address, with the reason. */
  suppression?: { reason: 'Bounce' | 'Complaint'; details: Record<string, string> };
};

/** The outcome of a line: a contact, or why it is not imported. `notes` lists omitted values. */
export type Line =
  | { kind: 'contact'; contact: Contact; notes: string[] }
  | { kind: 'rejected'; line: number; because: string };

type Raw = Partial<Omit<Contact, 'line' | 'pushToken'>> & { pushToken?: Contact['pushToken'] | undefined };

/** Checks a line by the rules of POST /users/{userId}; an invalid value is omitted with a note. */
export function checkedLine(
  line: number,
  raw: { [K in keyof Raw]?: Raw[K] | undefined },
  notes: string[] = [],
): Line {
  const contact: Contact = { line, userId: '' };
  const email = raw.email?.trim();
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
  if (raw.pushToken) contact.pushToken = raw.pushToken;
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

/** A line of a file of suppressed addresses: whatever its reason, the address is suppressed. */
export function suppressedLine(line: Line): Line {
  if (line.kind === 'rejected') return line;
  const { suppression = { reason: 'Complaint', details: {} }, ...contact } = line.contact;
  if (!contact.email) return { kind: 'rejected', line: contact.line, because: 'it has no email address' };
  return { ...line, contact: { ...contact, suppression } };
}

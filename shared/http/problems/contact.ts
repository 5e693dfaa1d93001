import { normalizeNumber } from '../../channels/phone/numbers/phone-number.ts';
import type { ProfileChange } from '../../domain/users/profile.ts';
import { isTimezone, isUnknownZone } from '../../schemas/users/timezone.ts';
import type { UserChange } from '../../schemas/users/user.ts';
import type { Problem } from './problems.ts';

/** Contact data as it is stored: the number in E.164. Its values must have been checked. */
export function normalizeContact(contact: UserChange): ProfileChange {
  const { id: _, number, timezone, pausedUntil, ...rest } = contact;
  const change: ProfileChange = { ...rest };
  if (pausedUntil !== undefined) change.pausedUntilMs = pausedUntil ? Date.parse(pausedUntil) : null;
  if (number !== undefined) change.number = number && normalizeNumber(number);
  // A browser without a zone is no reason to refuse its user.
  if (timezone !== undefined && !isUnknown(timezone)) change.timezone = timezone;
  return change;
}

/** The impossible values in a contact of any shape, under `where`. */
export function contactProblemsAt(
  where: string,
  contact: { number?: unknown; timezone?: unknown },
): Problem[] {
  return contactProblems(contact).map(({ name, must }) => ({ where: `${where}.${name}`, must }));
}

/** The impossible values in a contact of any shape, except values that its schema reports. */
function contactProblems({ number, timezone }: { number?: unknown; timezone?: unknown }): {
  name: 'number' | 'timezone';
  must: string;
}[] {
  const isNumberWrong = typeof number === 'string' && normalizeNumber(number) === undefined;
  const isZoneWrong = typeof timezone === 'string' && !isUnknown(timezone) && !isTimezone(timezone);
  return [
    ...(isNumberWrong ? [{ name: 'number', must: MUST_BE_NUMBER } as const] : []),
    ...(isZoneWrong ? [{ name: 'timezone', must: MUST_BE_ZONE } as const] : []),
  ];
}

const isUnknown = (timezone: string | null) => timezone !== null && isUnknownZone(timezone);

const MUST_BE_NUMBER = 'must be a possible phone number, such as +14155550123';
const MUST_BE_ZONE = 'must be an IANA timezone, such as Europe/Berlin';

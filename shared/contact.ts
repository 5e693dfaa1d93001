import { normalizeNumber } from './channels/phone/phone-number.ts';
import { isTimezone } from './domain/timezone.ts';
import type { ProfileChange } from './domain/user-merge.ts';
import type { Problem } from './http/parse.ts';
import type { UserChange } from './schemas/user.ts';

/**
 * Contact data as it is stored: the number in E.164, the timezone checked. What is impossible is added to `problems`
 * under `where` (API 6).
 */
export function normalizeContact(contact: UserChange, where: string, problems: Problem[]): ProfileChange {
  const { id: _, number, timezone, ...rest } = contact;
  const change: ProfileChange = { ...rest };
  if (number === null) change.number = null;
  else if (number !== undefined) {
    const normalized = normalizeNumber(number);
    if (normalized === undefined) {
      problems.push({
        where: `${where}.number`,
        must: 'must be a possible phone number, such as +14155550123',
      });
    } else change.number = normalized;
  }
  if (timezone === null) change.timezone = null;
  else if (timezone !== undefined) {
    if (!isTimezone(timezone)) {
      problems.push({ where: `${where}.timezone`, must: 'must be an IANA timezone, such as Europe/Berlin' });
    } else change.timezone = timezone;
  }
  return change;
}

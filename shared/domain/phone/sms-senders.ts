import { isSenderId, type PhoneNumbers } from '../../schemas/account/phone-numbers.ts';

export const SENDER_SETTINGS = ['SMS_PROVIDER', 'PHONE_NUMBERS', 'PHONE_ORIGINATION_IDENTITY'] as const;

/**
 * Countries that deliver no text message from a sender ID, with any provider. AWS's tables by continent, read in November 2026:
 * https://docs.aws.amazon.com/end-user-messaging/latest/userguide/nx-supported-countries.html
 * Where AWS alone offers none (Bahamas, Cayman Islands, Paraguay), its answer to the first text message says so.
 */
const WITHOUT_SENDER_IDS: ReadonlySet<string> = new Set(
  'AR AS BE BR CA CL CN CO CR DO EC GT GU HN HU KR MP MX MY NI NZ PA PR SV TW US UY VE ZA'.split(' '),
);

/** Why a text message from `from` does not reach a number of these countries, as a requirement of the field. */
export function senderProblem(
  from: string,
  countries: readonly string[],
  numbers: PhoneNumbers = [],
): string | undefined {
  if (countries.length === 0) return undefined;
  if (isSenderId(from) && countries.every((country) => WITHOUT_SENDER_IDS.has(country)))
    return `must be a phone number: ${countries.join(', ')} delivers no text message from a sender ID`;
  const entries = numbers.filter(({ number }) => number === from);
  return entries.length === 0 || entries.some((entry) => reaches(entry, countries))
    ? undefined
    : `must be one of the phoneNumbers of the account for ${countries.join(', ')}`;
}

/**
 * The account's first number for one of these countries, then its first number for all countries, then undefined for the
 * provider's default.
 */
export function senderFor(countries: readonly string[], numbers: PhoneNumbers = []): string | undefined {
  const usable = numbers.filter(
    (entry) => reaches(entry, countries) && !senderProblem(entry.number, countries),
  );
  return (usable.find((entry) => entry.countries) ?? usable[0])?.number;
}

const reaches = ({ countries: own }: PhoneNumbers[number], countries: readonly string[]) =>
  own === undefined || countries.some((country) => own.includes(country));

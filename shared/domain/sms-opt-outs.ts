import { isSameNumber } from './number-spellings.ts';
import type { Profile } from './profile.ts';
import type { SmsOptOut } from './sms-opt-out.ts';

const KEPT_MAX = 20;

/** `optOuts` with `change` added, the latest last; the same list if it already has a later one. */
export function withOptOut(optOuts: readonly SmsOptOut[] = [], change: SmsOptOut): readonly SmsOptOut[] {
  const isSamePair = ({ number, serviceNumber }: SmsOptOut) =>
    isSameNumber(number, change.number) && serviceNumber === change.serviceNumber;
  if (optOuts.some((each) => isSamePair(each) && each.atMs >= change.atMs)) return optOuts;
  return [...optOuts.filter((each) => !isSamePair(each)), change].slice(-KEPT_MAX);
}

/**
 * True if the user opted out of text messages from `from`; of any number if it is not known which one will
 * send.
 */
export function isOptedOutOf(user: Partial<Profile>, from: string | undefined): boolean {
  const optOuts = user.smsOptOuts ?? [];
  return optOuts.some(
    ({ number, serviceNumber, isOptedOut }) =>
      isOptedOut && isSameNumber(number, user.number) && (from === undefined || from === serviceNumber),
  );
}

import type { Profile } from './profile.ts';
import type { SmsOptOut } from './sms-opt-out.ts';

const KEPT_MAX = 20;

/** `optOuts` with `said` in it, the latest last; the same list when something later was said already. */
export function withOptOut(optOuts: readonly SmsOptOut[] = [], said: SmsOptOut): readonly SmsOptOut[] {
  const isSamePair = ({ number, serviceNumber }: SmsOptOut) =>
    number === said.number && serviceNumber === said.serviceNumber;
  if (optOuts.some((each) => isSamePair(each) && each.atMs >= said.atMs)) return optOuts;
  return [...optOuts.filter((each) => !isSamePair(each)), said].slice(-KEPT_MAX);
}

/** Whether the user opted out of texts from `from`; of any of ours when it is not known which number will send. */
export function isOptedOutOf(user: Partial<Profile>, from: string | undefined): boolean {
  const optOuts = user.smsOptOuts ?? [];
  return optOuts.some(
    ({ number, serviceNumber, isOptedOut }) =>
      isOptedOut && number === user.number && (from === undefined || from === serviceNumber),
  );
}

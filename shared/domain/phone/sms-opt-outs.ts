import { isSenderId } from '../../schemas/account/phone-numbers.ts';

/**
 * A person's last opt-out or opt-in for text messages from one of the deployment's numbers to one of theirs.
 */
export type SmsOptOut = { number: string; serviceNumber: string; isOptedOut: boolean; atMs: number };

/**
 * True if the person opted out of text messages from `from`. Also true for any number if the sending number is unknown or is a
 * sender ID, because nobody can reply to that.
 */
export function isOptedOutOf(decisions: readonly SmsOptOut[], from: string | undefined): boolean {
  return decisions.some(
    ({ serviceNumber, isOptedOut }) =>
      isOptedOut && (from === undefined || isSenderId(from) || from === serviceNumber),
  );
}

import type { EmailSuppressionStatus } from '../schemas/user.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KNOWN_DETAILS = /^(bounce|complaint)(Type|SubType|FeedbackType)$/;

/** Returns the reason of a suppression without the words of a server, which may contain the address. */
export function anonymousStatus({ reason, details }: EmailSuppressionStatus): EmailSuppressionStatus {
  const kept = Object.entries(details).filter(
    ([name, value]) =>
      (KNOWN_DETAILS.test(name) && /^[A-Za-z-]{1,40}$/.test(String(value))) ||
      (name === 'status' && /^[245]\.\d{1,3}\.\d{1,3}$/.test(String(value))) ||
      TIME.test(String(value)),
  );
  return { reason, details: Object.fromEntries(kept) };
}

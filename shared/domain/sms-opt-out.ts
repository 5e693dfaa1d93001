/**
 * A person's last opt-out or opt-in for text messages from one of the deployment's numbers to one of theirs.
 */
export type SmsOptOut = { number: string; serviceNumber: string; isOptedOut: boolean; atMs: number };

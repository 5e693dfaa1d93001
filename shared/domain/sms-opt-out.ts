/** What a person last said about texts from one of our numbers to one of theirs. */
export type SmsOptOut = { number: string; serviceNumber: string; isOptedOut: boolean; atMs: number };

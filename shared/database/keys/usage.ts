import { type Key, part } from './key.ts';

/** `PHONECOUNT#q3… / 2026-11-10`: text messages and calls sent in the billing period that starts then, and their cost. */
export const phoneCountKey = (accountId: string, startDate: string): Key => ({
  pk: `PHONECOUNT#${part(accountId)}`,
  sk: startDate,
});
/** `USAGE#q3…#2026-11 / DAY#21#SHARD#07`: by day, because billing periods begin on any day of the month. */
export const usageKey = (accountId: string, date: string, shard: number): Key => ({
  pk: usagePk(accountId, date.slice(0, 7)),
  sk: `${usageDayPrefix(date.slice(8))}SHARD#${String(shard).padStart(2, '0')}`,
});
/** `USAGE#q3…#2026-11 / DAY#21#RECOUNT`: what a recount of the day found beyond its counters. */
export const usageRecountKey = (accountId: string, date: string): Key => ({
  pk: usagePk(accountId, date.slice(0, 7)),
  sk: `${usageDayPrefix(date.slice(8))}RECOUNT`,
});
/** `TURNS#EMAIL / q3…`: until when an account's messages have turns on a channel whose rate is scarce. */
export const turnClockKey = (channel: string, accountId: string): Key => ({
  pk: turnClocksPk(channel),
  sk: part(accountId),
});
/** `TURNS#EMAIL` */
export const turnClocksPk = (channel: string) => `TURNS#${channel}`;
/** `COSTWATCH#q3… / DAY`: what the usual day costs, and whether today was stopped. */
export const costWatchKey = (accountId: string): Key => ({ pk: `COSTWATCH#${part(accountId)}`, sk: 'DAY' });
/** `DAY#21#`: start of the sort keys of a day's usage; without one, of all days. */
export const usageDayPrefix = (day?: string) => (day === undefined ? 'DAY#' : `DAY#${day}#`);
/** `USAGE#q3…#2026-11` */
export const usagePk = (accountId: string, yearMonth: string) =>
  `${USAGE_PREFIX}${part(accountId)}#${yearMonth}`;
/** `USAGE#`: start of the partition keys of usage. */
export const USAGE_PREFIX = 'USAGE#';

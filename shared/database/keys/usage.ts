import { type Key, part } from './key.ts';

/** `RESERVE#q3…#smsCap / WINDOW`: what may still be accepted or sent under a cap in the latest window of seconds. */
export const reserveKey = (accountId: string, cap: string): Key => ({
  pk: `RESERVE#${part(accountId)}#${cap}`,
  sk: 'WINDOW',
});
/** `RESERVE#q3…#smsCap#018f… / TAKEN`: a notification has its part of a reserve. */
export const reservePartKey = (accountId: string, cap: string, name: string): Key => ({
  pk: `RESERVE#${part(accountId)}#${cap}#${part(name)}`,
  sk: 'TAKEN',
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
/** `DAY#21#`: start of the sort keys of a day's usage; without one, of all days. */
export const usageDayPrefix = (day?: string) => (day === undefined ? 'DAY#' : `DAY#${day}#`);
/** `USAGE#q3…#2026-11` */
export const usagePk = (accountId: string, yearMonth: string) =>
  `${USAGE_PREFIX}${part(accountId)}#${yearMonth}`;
/** `USAGE#`: start of the partition keys of usage. */
export const USAGE_PREFIX = 'USAGE#';

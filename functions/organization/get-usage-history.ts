import { usageCounters } from '../../shared/database/entities/usage/usage-counters.ts';
import { monthsOfRange, USAGE_MONTHS_MAX } from '../../shared/domain/costs/usage-months.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { getUsageHistoryRoute } from './routes.ts';

const PROBLEMS = {
  malformed: 'must be two calendar dates, YYYY-MM-DD',
  reversed: 'must not end before they start',
  too_long: `must be within ${USAGE_MONTHS_MAX} months`,
} as const;

export const handler = endpoint(
  getUsageHistoryRoute,
  { usageCounters },
  async ({ usageCounters, caller, query }) => {
    const range = monthsOfRange(query.startDate, query.endDate);
    const items = (range.ok ? range.months : []).map(async (yearMonth) => ({
      yearMonth,
      ...(await usageCounters.daysOfMonth(caller.accountId, yearMonth)),
    }));
    return { items: await Promise.all(items) };
  },
  ({ query: { startDate, endDate } }) => {
    if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
    const range = monthsOfRange(startDate, endDate);
    if (range.ok) return [];
    const where = 'query.startDate and query.endDate';
    const must = PROBLEMS[range.problem];
    const error = new AppError('INVALID_REQUEST', {
      message: `${where} ${must}.`,
      fix: 'Send a range such as startDate=2026-01-01&endDate=2026-12-31.',
    });
    return [{ where, must, error }];
  },
);

import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { textOf } from '../../shared/http/problems/check.ts';
import { findLogs, tooManyProblems } from './find-logs.ts';
import { getLogsRoute } from './routes.ts';

export const handler = endpoint(
  getLogsRoute,
  { logs, retentions },
  async ({ caller, path, request, ...deps }) => ({
    logs: await findLogs(deps, caller, idsIn(path.trackingIds), request.receivedAtMs),
  }),
  ({ path }) => {
    const trackingIds = idsIn(textOf(path.trackingIds) ?? '');
    const must = 'must list tracking IDs of at least one character, separated by commas';
    if (trackingIds.includes('')) return [{ where: 'path.trackingIds', must }];
    return tooManyProblems('path', trackingIds);
  },
);

function idsIn(trackingIds: string): string[] {
  return trackingIds.split(/,|%2C/i);
}

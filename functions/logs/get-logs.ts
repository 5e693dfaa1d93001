import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { findLogs } from './find-logs.ts';
import { getLogsRoute } from './routes.ts';

export const handler = endpoint(
  getLogsRoute,
  { logs, retentions },
  async ({ caller, path, request, ...deps }) => ({
    logs: await findLogs(deps, caller, path.trackingIds.split(/,|%2C/i), request.receivedAtMs),
  }),
);

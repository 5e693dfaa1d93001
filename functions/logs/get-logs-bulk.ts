import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { findLogs } from './find-logs.ts';
import { getLogsBulkRoute } from './routes.ts';

export const handler = endpoint(
  getLogsBulkRoute,
  { logs, retentions },
  async ({ caller, body, request, ...deps }) => ({
    logs: await findLogs(deps, caller, body.trackingIds, request.receivedAtMs),
  }),
);

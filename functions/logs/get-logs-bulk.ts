import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import { findLogs, tooManyProblems } from './find-logs.ts';
import { getLogsBulkRoute } from './routes.ts';

export const handler = endpoint(
  getLogsBulkRoute,
  { logs, retentions },
  async ({ caller, body, request, ...deps }) => ({
    logs: await findLogs(deps, caller, body.trackingIds, request.receivedAtMs),
  }),
  ({ body }) => {
    const { trackingIds } = fieldsOf(body);
    return Array.isArray(trackingIds) ? tooManyProblems('body', trackingIds) : [];
  },
);

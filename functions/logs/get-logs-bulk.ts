import { logs } from '../../shared/database/entities/logs.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { findLogs } from './find-logs.ts';
import { getLogsBulkRoute } from './routes.ts';

export const handler = endpoint(getLogsBulkRoute, { logs }, async ({ logs, caller, body, request }) => ({
  logs: await findLogs(logs, caller, body.trackingIds, request.receivedAtMs),
}));

import { logs } from '../../shared/database/entities/logs.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { findLogs } from './find-logs.ts';
import { getLogsRoute } from './routes.ts';

export const handler = endpoint(getLogsRoute, { logs }, async ({ logs, caller, path, request }) => ({
  logs: await findLogs(logs, caller, path.trackingIds.split(/,|%2C/i), request.receivedAtMs),
}));

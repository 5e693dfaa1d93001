import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type AppError, ERRORS } from '../../runtime/errors.ts';
import { type LogLine, log } from '../../runtime/logger.ts';
import { recordMetrics } from '../../runtime/metrics.ts';
import { defined } from '../../runtime/values/defined.ts';
import { parseKeyText } from '../../tokens/api-key-text.ts';
import type { Caller, Person } from '../access/caller.ts';
import type { Route } from '../rows/route.ts';
import type { EndpointEvent } from './event.ts';

type Failed = { event: EndpointEvent; requestId: string; caller?: Caller | Person | undefined };

/** Writes the line of a request that a fault of this service ended, and counts it. */
export function recordFault(row: Route, failed: Failed, error: unknown): void {
  log.error('operation failed', lineOf(row, failed), error);
  recordMetrics({ EndpointFault: 1 }, { operation: row.id });
}

/** Writes the line of a refused request, which `npm run explain` reads. */
export function recordRefusal(row: Route, failed: Failed, { code }: AppError): void {
  log.info('a request was refused', { ...lineOf(row, failed), code, status: ERRORS[code].status });
}

/** Who called: as the credential names them, which need not be valid. */
function lineOf({ id: operation }: Route, { event, requestId, caller }: Failed): LogLine {
  const header = Object.entries(event.headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  const named = parseKeyText(header?.[1]?.replace(/^Bearer +/i, '').trim() ?? '');
  const known = caller && 'accountId' in caller ? caller : named;
  const { requestContext } = event as Partial<APIGatewayProxyEventV2>;
  return {
    ...{ requestId, operation },
    ...defined({
      accountId: known?.accountId,
      keyId: known?.keyId,
      gatewayRequestId: requestContext?.requestId,
    }),
  };
}

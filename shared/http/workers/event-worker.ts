import type { Context } from 'aws-lambda';
import { type Dependencies, resolveAll } from '../../runtime/dependency.ts';
import { log } from '../../runtime/logger.ts';
import { type Invocation, invocationOf } from '../endpoint/invocation.ts';

/**
 * The handler of a worker without a queue (stream, objects, WebSocket, manual): `operation` gets the event
 * and the dependencies it lists. Errors are logged as `failed` and rethrown, so that Lambda retries or
 * reports them.
 */
export function eventWorker<E, D extends object, R>(
  row: { name: string; failed: string },
  dependencies: Dependencies<D>,
  operation: (event: E, input: D & Invocation) => Promise<R>,
): (event: E, context?: Context) => Promise<R> {
  return async (event, context) => {
    try {
      return await operation(event, { ...resolveAll(dependencies), ...invocationOf(context) });
    } catch (error) {
      log.error(row.failed, { worker: row.name }, error);
      throw error;
    }
  };
}

/** As `eventWorker`, for a schedule, whose event is empty. */
export function scheduledWorker<D extends object, R>(
  row: { name: string; failed: string },
  dependencies: Dependencies<D>,
  operation: (input: D & Invocation) => Promise<R>,
): (event?: unknown, context?: Context) => Promise<R> {
  return eventWorker(row, dependencies, (_event: unknown, input) => operation(input));
}

import { onlyFilled } from '../../shared/channels/email/only-filled.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import type { RequestFacts } from '../../shared/http/endpoint/endpoint.ts';
import { type ReceiptEvent, recordReceipt } from '../../shared/receipts/receipts.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { log } from '../../shared/runtime/logger.ts';

/**
 * Records an open or a click in the log. A failure does not change the response to the person who opened or
 * followed.
 */
export async function recordVisit(
  logs: Logs,
  request: RequestFacts,
  visit: Pick<ReceiptEvent, 'trackingId' | 'stage' | 'seq' | 'fields'>,
): Promise<void> {
  // Scanners of links ask for headers; no person saw anything.
  if (request.isHead) return;
  const { receivedAtMs: atMs } = request;
  const fields = onlyFilled(visit.fields);
  try {
    await recordReceipt(logs, { ...visit, channel: 'EMAIL', atMs, fields }, atMs);
  } catch (error) {
    const { trackingId } = visit;
    log.error('an open or a click was not recorded', { requestId: request.id, trackingId }, error);
  }
}

export function wrongToken(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: 'The link is not valid.',
    path: 'path.token',
    fix: 'Open the complete link from the message.',
  });
}

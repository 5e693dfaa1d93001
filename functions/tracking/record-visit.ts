import { onlyFilled } from '../../shared/channels/email/only-filled.ts';
import type { Logs } from '../../shared/database/entities/logs.ts';
import type { RequestFacts } from '../../shared/http/endpoint.ts';
import { type ReceiptEvent, recordReceipt } from '../../shared/receipts/receipts.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { log } from '../../shared/runtime/logger.ts';

/** Takes an open or a click into the log. The person who opened or followed gets what they asked for all the same. */
export async function recordVisit(
  logs: Logs,
  request: RequestFacts,
  visit: Pick<ReceiptEvent, 'trackingId' | 'stage' | 'seq' | 'fields'>,
): Promise<void> {
  const { receivedAtMs: atMs } = request;
  const fields = onlyFilled(visit.fields);
  try {
    await recordReceipt(logs, { ...visit, channel: 'EMAIL', atMs, fields }, atMs);
  } catch (error) {
    const { trackingId } = visit;
    log.error('an open or a click is not in the log', { requestId: request.id, trackingId }, error);
  }
}

/** The refusal of a token that we did not sign. */
export function wrongToken(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: 'The link is not valid.',
    fix: 'Open the whole link as it stands in the message.',
  });
}

import type { Texts } from '../database/entities/incoming/texts.ts';
import type { Logs } from '../database/entities/logs/logs.ts';

/** Represents the number of a sent text message until its provider reports the chosen one. */
export const UNCHOSEN_NUMBER = 'unchosen';

/** The number that a text message was sent from; with `accountId`, only if the number belongs to that account. */
type SentFrom = { trackingId: string; accountId?: string | undefined; serviceNumber: string };

/**
 * Stores a text message under the number that its provider chose from a pool or a messaging service and
 * reports in its receipt: replies are sent to that number. Does nothing if the number was known when it was
 * sent.
 */
export async function storeChosenNumber(
  deps: { logs: Logs; texts: Texts },
  { trackingId, accountId, serviceNumber }: SentFrom,
  nowMs: number,
): Promise<void> {
  const found = await deps.logs.find(trackingId, nowMs);
  const sent = found?.events.find(({ channel, stage }) => channel === 'SMS' && stage === 'sent');
  const number = found?.head.number;
  if (!sent || !number || (accountId !== undefined && accountId !== found.head.accountId)) return;
  const sentFrom = sent.fields.sms_sent_from ?? UNCHOSEN_NUMBER;
  if (sentFrom === serviceNumber) return;
  const threads = await deps.texts.listThreads({ serviceNumber: sentFrom, number });
  const thread = threads.find((each) => each.trackingId === trackingId);
  if (thread) await deps.texts.storeSent({ serviceNumber, number }, thread);
}

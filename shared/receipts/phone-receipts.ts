import type { PhoneReceipt } from '../channels/phone/receipt.ts';
import { accounts } from '../database/entities/accounts.ts';
import { logs } from '../database/entities/logs.ts';
import { texts } from '../database/entities/texts.ts';
import { users } from '../database/entities/users.ts';
import { storeChosenNumber } from './chosen-number.ts';
import { type InboundTextDependencies, ingestInboundText } from './inbound-texts.ts';
import { type Ingested, recordReceipt } from './receipts.ts';

/** Dependencies of recording a provider's report. */
export type PhoneReceiptDependencies = InboundTextDependencies;

/**
 * Records a provider's report about a message or call, or an inbound text message, in its log; `unknown` also
 * if it names none. Final stages are recorded once, updates of the sent stage any number of times. Safe to
 * call twice.
 *
 * `ownerId`: the account whose own provider signed the report. An account can sign anything with that key, so it
 * proves the outcome of the account's own messages only: no inbound message, and no number, which may be another
 * account's.
 */
export async function ingestPhoneReceipt(
  deps: PhoneReceiptDependencies,
  receipt: PhoneReceipt,
  nowMs: number,
  ownerId?: string,
): Promise<Ingested> {
  const isOwn = ownerId !== undefined;
  if (receipt.kind === 'inbound') return isOwn ? 'unknown' : ingestInboundText(deps, receipt);
  if (receipt.kind === 'ignored' || !receipt.trackingId) return 'unknown';
  const { kind, channel, trackingId, accountId, atMs, fields, eventId } = receipt;
  if (isOwn && accountId !== ownerId) return 'unknown';
  const serviceNumber = channel === 'SMS' && !isOwn ? fields.sms_sent_from : undefined;
  if (serviceNumber) await storeChosenNumber(deps, { trackingId, accountId, serviceNumber }, nowMs);
  return recordReceipt(
    deps.logs,
    {
      trackingId,
      accountId,
      channel,
      stage: kind,
      seq: kind === 'sent_update' ? eventId : undefined,
      atMs,
      fields,
    },
    nowMs,
  );
}

/** The dependencies of `ingestPhoneReceipt`, by name. */
export const phoneReceiptDependencies = { logs, users, texts, accounts };

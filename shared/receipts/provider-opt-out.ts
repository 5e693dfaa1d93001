import type { StatusReceipt } from '../channels/phone/outcome/receipt.ts';
import type { NumberPair, Texts } from '../database/entities/incoming/texts.ts';
import type { EventOwner } from '../database/entities/logs/log-items.ts';
import { type Logs, ownerOf } from '../database/entities/logs/logs.ts';
import { UNCHOSEN_NUMBER } from './chosen-number.ts';

/** True if the provider knows that the person opted out of the number: Twilio and AWS, Telnyx. */
export const isProviderOptOut = (code: string | undefined) => code === '21610' || code === '40300';

/**
 * Keeps what the provider knows, so that it is not asked again until START, and reports it as an opt-out. It is dated with the
 * attempt, so that a START after it wins. Safe to call twice.
 */
export async function keepOptOut(
  { logs, texts }: { logs: Logs; texts: Texts },
  owner: EventOwner & { trackingId: string },
  {
    serviceNumber = UNCHOSEN_NUMBER,
    number,
    atMs,
  }: { [K in keyof NumberPair]: NumberPair[K] | undefined } & { atMs: number },
): Promise<void> {
  if (serviceNumber === UNCHOSEN_NUMBER || number === undefined) return;
  await texts.setOptOut({ serviceNumber, number }, true, atMs);
  const fields = { sms_unsubscribe_from: number };
  await logs.append(owner.trackingId, owner, {
    channel: 'SMS',
    stage: 'unsubscribe',
    seq: 'provider',
    atMs,
    fields,
  });
}

/** Keeps an opt-out that a provider reports by failing a text message after accepting it. */
export async function keepLateOptOut(
  deps: { logs: Logs; texts: Texts },
  { trackingId = '', accountId, fields, code }: StatusReceipt,
  nowMs: number,
): Promise<void> {
  if (!isProviderOptOut(code)) return;
  const { head, events = [] } = { ...(await deps.logs.find(trackingId, nowMs)) };
  if (!head || (accountId !== undefined && accountId !== head.accountId)) return;
  const sent = events.find(({ channel, stage }) => channel === 'SMS' && stage === 'sent');
  const serviceNumber = fields.sms_sent_from ?? sent?.fields.sms_sent_from;
  await keepOptOut(
    deps,
    { trackingId, ...ownerOf(head) },
    { serviceNumber, number: head.number, atMs: sent?.atMs ?? nowMs },
  );
}

import type { PhoneReceipt } from '../channels/phone/receipt.ts';
import { accounts } from '../database/entities/accounts.ts';
import { type Logs, logs } from '../database/entities/logs.ts';
import { texts } from '../database/entities/texts.ts';
import type { PhoneChannel } from '../domain/phone-costs.ts';
import type { LogFields } from '../schemas/log-record.ts';
import { storeChosenNumber } from './chosen-number.ts';
import { type InboundTextDependencies, ingestInboundText } from './inbound-texts.ts';
import { keepLateOptOut } from './provider-opt-out.ts';
import { type Ingested, recordReceipt } from './receipts.ts';

/** An account and the entry of its own provider, such as `twilio:mine`. */
export type ProviderOwner = { accountId: string; provider: string };

/** Dependencies of recording a provider's report. */
export type PhoneReceiptDependencies = InboundTextDependencies;

/**
 * Records a provider's report about a message or call, or an inbound text message, in its log; `unknown` also
 * if it names none. Final stages are recorded once, updates of the sent stage any number of times. Safe to
 * call twice.
 *
 * `owner`: the account and its own provider that signed the report. An account can sign anything with that key, so it
 * proves the outcome of the account's own messages only: no inbound message, and no number, which may be another
 * account's; and no price of a message that this deployment's provider sent and pays for.
 */
export async function ingestPhoneReceipt(
  deps: PhoneReceiptDependencies,
  receipt: PhoneReceipt,
  nowMs: number,
  owner?: ProviderOwner,
): Promise<Ingested> {
  const isOwn = owner !== undefined;
  if (receipt.kind === 'inbound') return isOwn ? 'unknown' : ingestInboundText(deps, receipt);
  if (receipt.kind === 'ignored' || !receipt.trackingId) return 'unknown';
  const { kind, channel, trackingId, accountId, atMs, eventId } = receipt;
  if (isOwn && accountId !== owner.accountId) return 'unknown';
  const isPriced = !isOwn || (await hasSent(deps.logs, owner.provider, { trackingId, channel, nowMs }));
  const fields = isPriced ? receipt.fields : withoutPrices(receipt.fields);
  const serviceNumber = channel === 'SMS' && !isOwn ? fields.sms_sent_from : undefined;
  if (channel === 'SMS' && !isOwn) await keepLateOptOut(deps, receipt, nowMs);
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

/** True if the log states that this provider sent the message. */
async function hasSent(
  logs: Logs,
  provider: string,
  { trackingId, channel, nowMs }: { trackingId: string; channel: PhoneChannel; nowMs: number },
): Promise<boolean> {
  const sent = (await logs.find(trackingId, nowMs))?.events.find(
    (event) => event.channel === channel && event.stage === 'sent',
  );
  const field = channel === 'SMS' ? 'sms_sent_provider' : 'call_sent_provider';
  return sent?.fields[field] === provider;
}

function withoutPrices(fields: LogFields): LogFields {
  const {
    sms_sent_cost: _sent,
    sms_delivered_cost_internal: _text,
    call_delivered_cost: _call,
    call_delivered_cost_internal: _internal,
    ...rest
  } = fields;
  return rest;
}

/** The dependencies of `ingestPhoneReceipt`, by name. */
export const phoneReceiptDependencies = { logs, texts, accounts };

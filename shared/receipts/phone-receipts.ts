import type { PhoneReceipt } from '../channels/phone/outcome/receipt.ts';
import { accounts } from '../database/entities/accounts/accounts.ts';
import { texts } from '../database/entities/incoming/texts.ts';
import { type Logs, logs } from '../database/entities/logs/logs.ts';
import { consents } from '../database/entities/users/consents.ts';
import type { PhoneChannel } from '../domain/costs/phone-costs.ts';
import { defined } from '../runtime/values/defined.ts';
import type { LogFields } from '../schemas/logs/log-record.ts';
import { storeChosenNumber } from './chosen-number.ts';
import { type InboundTextDependencies, ingestInboundText } from './inbound-texts.ts';
import { keepLateOptOut } from './provider-opt-out.ts';
import { type Ingested, recordReceipt } from './receipts.ts';

/** An account and the entry of its own provider, such as `twilio:mine`. */
export type ProviderOwner = { accountId: string; provider: string };

/** The kind of provider that reports without being asked, and the account whose own provider it is. */
type Reporter = { reportedBy?: 'aws' | 'twilio' | 'telnyx'; owner?: ProviderOwner | undefined };

export type PhoneReceiptDependencies = InboundTextDependencies;

/**
 * Records a provider's report about a message or call, or an inbound text message, in its log; `unknown` also if it has no log.
 * Final stages are recorded once, updates of the sent stage any number of times. Safe to call twice.
 *
 * `owner`: the account whose own provider signed the report. An account can sign anything with that key, so it proves the outcome
 * of the account's own messages only: no inbound message, no number, which can belong to another account, and no price of a
 * message that this deployment's provider sent and pays for.
 */
export async function ingestPhoneReceipt(
  deps: PhoneReceiptDependencies,
  receipt: PhoneReceipt,
  nowMs: number,
  { reportedBy: provider, owner }: Reporter = {},
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
      ...defined({ provider }),
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
export const phoneReceiptDependencies = { consents, logs, texts, accounts };

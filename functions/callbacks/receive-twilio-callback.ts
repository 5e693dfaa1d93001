import { parseCallbackTags } from '../../shared/channels/phone/callback-url.ts';
import { type FormParams, parseForm } from '../../shared/channels/phone/form.ts';
import type { PhoneReceipt } from '../../shared/channels/phone/outcome/receipt.ts';
import { buildReplyXml } from '../../shared/channels/phone/speech/speech.ts';
import {
  isTwilioSignatureValid,
  parseTwilioInbound,
  parseTwilioStatus,
} from '../../shared/channels/phone/twilio/twilio-callback.ts';
import { ownProviders } from '../../shared/database/entities/settings/own-providers.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { suffixOf } from '../../shared/providers/order/provider-order.ts';
import type { EntrySource } from '../../shared/providers/settings/provider-source.ts';
import { askForPrice } from '../../shared/receipts/ask-for-price.ts';
import type { PriceQuestion } from '../../shared/receipts/follow-up.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../shared/receipts/phone-receipts.ts';
import { requireSetting } from '../../shared/runtime/config.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { findCallbackSource } from './callback-source.ts';
import { receiveTwilioCallbackRoute } from './routes.ts';
import { wrongSignature } from './wrong-signature.ts';

type Query = Readonly<Record<string, string>>;

export const handler = endpoint(
  receiveTwilioCallbackRoute,
  { ownProviders, ...phoneReceiptDependencies, queues },
  async ({ ownProviders, queues, path, query, request, ...deps }) => {
    const signed = await findCallbackSource(ownProviders, 'twilio', path.channel, query);
    const authToken = await signed?.source.find('TWILIO_AUTH_TOKEN');
    const params = parseForm(typeof request.rawBody === 'string' ? request.rawBody : '');
    const urls = publicUrls(path.channel, query, request.rawQuery);
    const signature = request.headers['x-twilio-signature'];
    const isValid = (token: string) =>
      urls.some((url) => isTwilioSignatureValid({ authToken: token, url, params, signature }));
    if (!signed || !authToken || !isValid(authToken)) {
      throw wrongSignature(`TWILIO_AUTH_TOKEN${suffixOf(signed?.entry.name)}`);
    }
    const receipt = receiptOf(path.channel, params, query, request.receivedAtMs);
    const reporter = { reportedBy: 'twilio', owner: signed.owner } as const;
    const ingested = await ingestPhoneReceipt(deps, receipt, request.receivedAtMs, reporter);
    // Also for a duplicate receipt: the response to the first may have been lost before the price request was
    // enqueued.
    const question = ingested !== 'unknown' && priceQuestionOf(receipt, signed);
    // The failure makes Twilio call again: otherwise, the price would be lost.
    if (question) await askForPrice(queues, question);
    return buildReplyXml();
  },
);

/**
 * The address as it may have been given to the provider: with the query as received, and in the other spellings
 * of the same query, because a gateway may encode and order it in its own way.
 */
function publicUrls(channel: string, query: Query, rawQuery: string): string[] {
  const url = `${requireSetting('PUBLIC_BASE_URL')}/callbacks/twilio/${channel}`;
  const names = [...new Set([...FIRST_NAMES, ...Object.keys(query)])].filter((name) =>
    Object.hasOwn(query, name),
  );
  const queries = [
    rawQuery,
    ...QUERY_SPELLINGS.map((spell) => names.map((name) => spell(name, query[name] ?? '')).join('&')),
  ];
  return [...new Set(queries)].map((each) => (each === '' ? url : `${url}?${each}`));
}

/** This service writes them in this order. */
const FIRST_NAMES = ['provider', 'trackingId', 'accountId', 'envId'];
const QUERY_SPELLINGS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => new URLSearchParams([[name, value]]).toString(),
  (name, value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  (name, value) => `${name}=${value}`,
];

/** Only an inbound message has a body, even an empty one. */
function receiptOf(channel: 'sms' | 'call', params: FormParams, query: Query, nowMs: number): PhoneReceipt {
  if (channel === 'sms' && Object.hasOwn(params, 'Body')) return parseTwilioInbound(params, nowMs);
  const tags = parseCallbackTags(query);
  return parseTwilioStatus({ channel: channel === 'sms' ? 'SMS' : 'CALL', params, tags, nowMs });
}

/**
 * The price request for a text message or call that has ended, because its status has no price. Undefined for
 * an account's own provider.
 */
function priceQuestionOf(receipt: PhoneReceipt, { entry, owner }: EntrySource): PriceQuestion | undefined {
  if (owner !== undefined) return undefined;
  if (receipt.kind !== 'delivered' && receipt.kind !== 'failed') return undefined;
  const { channel, providerMessageId, trackingId, accountId } = receipt;
  if (!trackingId || !accountId) return undefined;
  const provider = entry.name === undefined ? undefined : entry.text;
  return { channel, providerMessageId, trackingId, accountId, ...defined({ provider }) };
}

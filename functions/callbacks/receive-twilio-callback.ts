import { buildCallbackUrl, parseCallbackTags } from '../../shared/channels/phone/callback-url.ts';
import { type FormParams, parseForm } from '../../shared/channels/phone/form.ts';
import type { PhoneReceipt } from '../../shared/channels/phone/receipt.ts';
import { buildReplyXml } from '../../shared/channels/phone/speech.ts';
import {
  isTwilioSignatureValid,
  parseTwilioInbound,
  parseTwilioStatus,
} from '../../shared/channels/phone/twilio-callback.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { PRICE_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { secrets } from '../../shared/providers/secrets.ts';
import { ingestPhoneReceipt, phoneReceiptDependencies } from '../../shared/receipts/phone-receipts.ts';
import type { PriceQuestion } from '../../shared/receipts/price-question.ts';
import { requireSetting } from '../../shared/runtime/config.ts';
import { receiveTwilioCallbackRoute } from './routes.ts';
import { wrongSignature } from './wrong-signature.ts';

/** Twilio knows a price soon after the end, but not at once. */
const ASK_AFTER_SECONDS = 60;

type Query = Readonly<Record<string, string>>;

export const handler = endpoint(
  receiveTwilioCallbackRoute,
  { secrets, ...phoneReceiptDependencies, queues },
  async ({ secrets, queues, path, query, request, ...deps }) => {
    const authToken = await secrets.find('TWILIO_AUTH_TOKEN');
    const params = parseForm(typeof request.rawBody === 'string' ? request.rawBody : '');
    const url = publicUrl(path.channel, query);
    const signature = request.headers['x-twilio-signature'];
    if (!authToken || !isTwilioSignatureValid({ authToken, url, params, signature })) {
      throw wrongSignature('TWILIO_AUTH_TOKEN');
    }
    const receipt = receiptOf(path.channel, params, query, request.receivedAtMs);
    const ingested = await ingestPhoneReceipt(deps, receipt, request.receivedAtMs);
    // A repeated receipt too: the response to the first may have been lost before its question was asked.
    const asked = ingested !== 'unknown' && priceQuestionOf(receipt);
    if (asked)
      await queues.send(PRICE_QUEUE, [{ body: JSON.stringify(asked), delaySeconds: ASK_AFTER_SECONDS }]);
    return buildReplyXml();
  },
);

/** The address as the provider was told it: the gateway may have put the query's parts in another order. */
function publicUrl(channel: string, query: Query): string {
  const url = `${requireSetting('PUBLIC_BASE_URL')}/callbacks/twilio/${channel}`;
  const { trackingId, accountId, environmentId } = parseCallbackTags(query);
  if (trackingId && accountId && environmentId) {
    return buildCallbackUrl(url, { trackingId, accountId, environmentId });
  }
  const rest = new URLSearchParams(query).toString();
  return rest === '' ? url : `${url}?${rest}`;
}

/** Only an inbound message has a body, be it empty. */
function receiptOf(channel: 'sms' | 'call', params: FormParams, query: Query, nowMs: number): PhoneReceipt {
  if (channel === 'sms' && Object.hasOwn(params, 'Body')) return parseTwilioInbound(params, nowMs);
  const tags = parseCallbackTags(query);
  return parseTwilioStatus({ channel: channel === 'sms' ? 'SMS' : 'CALL', params, tags, nowMs });
}

/** What is left to be asked about a text or call that has ended; its status tells no price. */
function priceQuestionOf(receipt: PhoneReceipt): PriceQuestion | undefined {
  if (receipt.kind !== 'delivered' && receipt.kind !== 'failed') return undefined;
  const { channel, providerMessageId, trackingId, accountId } = receipt;
  return trackingId && accountId ? { channel, providerMessageId, trackingId, accountId } : undefined;
}

import * as v from 'valibot';
import type { ProviderClient, ProviderResponse } from '../../../http-client/provider-client.ts';
import { type Clock, systemClock } from '../../../runtime/clock.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { ChannelProvider, SmsDelivery } from '../../channel.ts';
import { buildCallbackUrl, textOfTags } from '../callback-url.ts';
import { LenientText } from '../lenient.ts';
import { type FindCarrier, toCarrier } from '../numbers/carrier.ts';
import type { PhoneFailure } from '../outcome/phone-outcome.ts';
import {
  classifyFailure,
  findAcceptedJson,
  findResponseJson,
  type ProviderError,
  trimBaseUrl,
} from '../outcome/provider-failure.ts';
import { callFrom, sentTextFields, textFrom } from '../phone-delivery.ts';
import { buildSpeechXml } from '../speech/speech.ts';
import { TELNYX_CODES } from './telnyx-codes.ts';
import { TelnyxMessage, toTelnyxSentFields } from './telnyx-message.ts';

/** Common settings of SMS and CALL over Telnyx. */
export type TelnyxOptions = {
  /** Signs the tags of a callback: Telnyx signs only its body. */
  sign?: (text: string) => Promise<string>;
  /** `https://api.telnyx.com`, or a server that speaks its protocol; with or without the closing `/v2`. */
  baseUrl: string;
  apiKey: string;
  /** E.164 number for deliveries that specify none. */
  from?: string;
  /** Address of this channel's callbacks, without query; absent: those configured at Telnyx. */
  statusCallbackUrl?: string;
  http: ProviderClient;
  clock?: Clock;
};

/** Configuration of SMS over Telnyx. `messagingProfileId` chooses the number where no number is named. */
export type TelnyxSmsOptions = TelnyxOptions & {
  messagingProfileId?: string;
  encoding?: 'auto' | 'gsm7' | 'ucs2';
  /** Subject of MMS. */
  subject?: string;
  webhookFailoverUrl?: string;
  /** True if the profile's own webhooks are called too if this service's fails. */
  isProfileWebhookUsed?: boolean;
  findCarrier?: FindCarrier;
};

/** Configuration of CALL over Telnyx: a TeXML application of the account. */
export type TelnyxCallOptions = TelnyxOptions & {
  accountSid: string;
  applicationId: string;
};

const CreatedMessage = v.object({ data: TelnyxMessage });

// The object is flat; only some of Telnyx's ways to start a call return the ID.
const CreatedCall = v.object({ from: LenientText, status: v.string(), call_sid: LenientText });

const TelnyxErrors = v.object({
  errors: v.pipe(
    v.array(
      v.object({
        code: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
        title: LenientText,
        detail: LenientText,
      }),
    ),
    v.minLength(1),
  ),
});

/** SMS and MMS over Telnyx, the provider that reports most about the sent stage. */
export function createTelnyxSmsProvider(options: TelnyxSmsOptions): ChannelProvider<'SMS'> {
  const { from: number, messagingProfileId, findCarrier } = options;
  return {
    name: 'telnyx',
    deliver: textFrom(
      { number, canChoose: messagingProfileId !== undefined, findCarrier },
      async (delivery, from) => {
        const signature = await options.sign?.(textOfTags(delivery));
        const response = await post(options, '/messages', buildMessage(delivery, from, options, signature));
        const created = v.safeParse(CreatedMessage, findAcceptedJson(response));
        if (!created.success) return failureOf(response, options);
        const fields = { ...sentTextFields(delivery, from), ...toTelnyxSentFields(created.output.data) };
        return { kind: 'sent', fields: defined(fields) };
      },
    ),
  };
}

/** Calls that speak a text over Telnyx: TeXML reads the script that Twilio reads. */
export function createTelnyxCallProvider(options: TelnyxCallOptions): ChannelProvider<'CALL'> {
  const path = `/texml/Accounts/${encodeURIComponent(options.accountSid)}/Calls`;
  return {
    name: 'telnyx',
    deliver: callFrom(options.from, async (delivery, from) => {
      const { statusCallbackUrl, sign } = options;
      const callbackUrl =
        statusCallbackUrl &&
        buildCallbackUrl(statusCallbackUrl, delivery, await sign?.(textOfTags(delivery)));
      const response = await post(options, path, {
        ApplicationSid: options.applicationId,
        To: delivery.to,
        From: from,
        Texml: buildSpeechXml(delivery.message, delivery, 'alice'),
        StatusCallback: callbackUrl,
        StatusCallbackMethod: callbackUrl && 'POST',
        StatusCallbackEvent: callbackUrl && 'completed',
        ...(delivery.machineDetection && callbackUrl ? detection(callbackUrl) : undefined),
        Timeout: delivery.timeoutSeconds,
        TimeLimit: delivery.maxMinutes && delivery.maxMinutes * 60,
      });
      const created = v.safeParse(CreatedCall, findAcceptedJson(response));
      if (!created.success) return failureOf(response, options);
      return { kind: 'sent', fields: { call_sent_from: created.output.from ?? from } };
    }),
  };
}

/** In the background: the person who answers hears the text at once. */
const detection = (callbackUrl: string) => ({
  MachineDetection: 'Enable',
  AsyncAmd: true,
  AsyncAmdStatusCallback: callbackUrl,
  AsyncAmdStatusCallbackMethod: 'POST',
});

/** Looks up numbers at Telnyx; a failure counts as unknown. */
export function createTelnyxCarrierLookup(
  options: Pick<TelnyxOptions, 'baseUrl' | 'apiKey' | 'http'>,
): FindCarrier {
  const Found = v.object({
    data: v.object({
      country_code: LenientText,
      carrier: v.object({ name: LenientText, type: LenientText }),
    }),
  });
  return async (number) => {
    const response = await options.http.request({
      url: `${toApiUrl(options.baseUrl)}/number_lookup/${encodeURIComponent(number)}?type=carrier`,
      headers: { authorization: `Bearer ${options.apiKey}` },
    });
    const found = v.safeParse(Found, findAcceptedJson(response));
    if (!found.success) return undefined;
    const { country_code: country, carrier } = found.output.data;
    return toCarrier({ name: carrier.name, lineType: carrier.type, country });
  };
}

function buildMessage(
  delivery: SmsDelivery,
  from: string | undefined,
  options: TelnyxSmsOptions,
  signature: string | undefined,
): Record<string, unknown> {
  const callbackUrl = (url: string | undefined) => url && buildCallbackUrl(url, delivery, signature);
  const isMms = delivery.mediaUrls.length > 0;
  return {
    from,
    messaging_profile_id: options.messagingProfileId,
    to: delivery.to,
    text: delivery.message || undefined,
    type: isMms ? 'MMS' : 'SMS',
    media_urls: isMms ? delivery.mediaUrls : undefined,
    subject: isMms ? options.subject : undefined,
    encoding: options.encoding,
    webhook_url: callbackUrl(options.statusCallbackUrl),
    webhook_failover_url: callbackUrl(options.webhookFailoverUrl),
    use_profile_webhooks: options.isProfileWebhookUsed,
  };
}

function post(
  options: TelnyxOptions,
  path: string,
  body: Record<string, unknown>,
): Promise<ProviderResponse> {
  return options.http.request({
    url: `${toApiUrl(options.baseUrl)}${path}`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${options.apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(body),
  });
}

function failureOf(response: ProviderResponse, options: TelnyxOptions): PhoneFailure {
  return classifyFailure(response, findError(response), TELNYX_CODES, (options.clock ?? systemClock).now());
}

function findError(response: ProviderResponse): ProviderError | undefined {
  const parsed = v.safeParse(TelnyxErrors, findResponseJson(response));
  const [first] = parsed.success ? parsed.output.errors : [];
  return first && { code: first.code, text: [first.title, first.detail].filter(Boolean).join(': ') };
}

function toApiUrl(baseUrl: string): string {
  return trimBaseUrl(baseUrl).replace(/(\/v2)?$/, '/v2');
}

import * as v from 'valibot';
import type { ProviderClient, ProviderResponse } from '../../../http-client/provider-client.ts';
import { type Clock, systemClock } from '../../../runtime/clock.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { CallDelivery, ChannelProvider, DeliveryOutcome, SmsDelivery } from '../../channel.ts';
import { validSeconds } from '../../validity.ts';
import { buildCallbackUrl, TWILIO_RETRIES } from '../callback-url.ts';
import { toCostUsd } from '../cost.ts';
import { LenientNumber, LenientText } from '../lenient.ts';
import { type FindCarrier, toCarrier } from '../numbers/carrier.ts';
import {
  classifyFailure,
  findAcceptedJson,
  findResponseJson,
  type ProviderError,
  trimBaseUrl,
} from '../outcome/provider-failure.ts';
import { callFrom, sentTextFields, textFrom } from '../phone-delivery.ts';
import { buildSpeechXml } from '../speech/speech.ts';
import { TWILIO_CODES } from './twilio-codes.ts';

/** Common settings of SMS and CALL over Twilio. */
export type TwilioOptions = {
  /** `https://api.twilio.com`, or a server that speaks its protocol. */
  baseUrl: string;
  accountSid: string;
  authToken: string;
  /** Signs calls in the auth token's place; callbacks are always signed with the auth token. */
  apiKey?: { sid: string; secret: string };
  /** E.164 number for deliveries that specify none. */
  from?: string;
  /** Address of this channel's status callbacks, without query; absent: no receipts. */
  statusCallbackUrl?: string;
  http: ProviderClient;
  clock?: Clock;
  /** Runs after the acceptance of a message or call is recorded, with Twilio's ID of it. */
  afterSent?: (sid: string, delivery: SmsDelivery | CallDelivery) => Promise<void>;
};

export type TwilioSmsOptions = TwilioOptions & {
  /** Chooses the number where neither the delivery nor `from` names one. */
  messagingServiceSid?: string;
  validityPeriodSeconds?: number;
  riskCheck?: 'enable' | 'disable';
  isSmartEncoded?: boolean;
  findCarrier?: FindCarrier;
};

export type TwilioCallOptions = TwilioOptions;

const VALIDITY_SECONDS_MAX = 36_000;

type FormFields = [name: string, value: string | number | boolean | undefined][];

const Created = v.object({
  sid: v.string(),
  from: LenientText,
  num_segments: LenientNumber,
  price: LenientNumber,
  price_unit: LenientText,
});
type Created = v.InferOutput<typeof Created>;

const TwilioError = v.object({
  code: v.pipe(v.union([v.number(), v.string()]), v.transform(String)),
  message: v.fallback(v.string(), ''),
});

/** SMS and MMS over Twilio's Messages resource. */
export function createTwilioSmsProvider(options: TwilioSmsOptions): ChannelProvider<'SMS'> {
  const { from: number, messagingServiceSid, findCarrier } = options;
  return {
    name: 'twilio',
    deliver: textFrom(
      { number, canChoose: messagingServiceSid !== undefined, findCarrier },
      async (delivery, from) => {
        const created = await create(options, 'Messages', buildMessage(delivery, from, options));
        if (!created.ok) return created.failure;
        return {
          ...toSent(delivery, from, created.response),
          ...afterwardsOf(options, created.response, delivery),
        };
      },
    ),
  };
}

/** Calls that speak a text over Twilio's Calls resource. */
export function createTwilioCallProvider(options: TwilioCallOptions): ChannelProvider<'CALL'> {
  return {
    name: 'twilio',
    deliver: callFrom(options.from, async (delivery, from) => {
      const created = await create(options, 'Calls', buildCall(delivery, from, options));
      if (!created.ok) return created.failure;
      const fields = { call_sent_from: created.response.from ?? from };
      return { kind: 'sent', fields, ...afterwardsOf(options, created.response, delivery) };
    }),
  };
}

function afterwardsOf(
  { afterSent }: TwilioOptions,
  { sid }: Created,
  delivery: SmsDelivery | CallDelivery,
): { afterwards?: () => Promise<void> } {
  return afterSent ? { afterwards: () => afterSent(sid, delivery) } : {};
}

/** Looks up numbers at Twilio (`https://lookups.twilio.com`); a failure counts as unknown. */
export function createTwilioCarrierLookup(options: {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  http: ProviderClient;
}): FindCarrier {
  const Found = v.object({
    country_code: LenientText,
    line_type_intelligence: v.object({ carrier_name: LenientText, type: LenientText }),
  });
  return async (number) => {
    const url = `${trimBaseUrl(options.baseUrl)}/v2/PhoneNumbers/${encodeURIComponent(number)}?Fields=line_type_intelligence`;
    const response = await options.http.request({
      url,
      headers: { authorization: twilioAuthorization(options) },
    });
    const found = v.safeParse(Found, findAcceptedJson(response));
    if (!found.success) return undefined;
    const { country_code: country, line_type_intelligence: line } = found.output;
    return toCarrier({ name: line.carrier_name, lineType: line.type, country });
  };
}

/**
 * Reads the price of a message or call, in USD. Twilio has it only later, so call it after the final
 * callback. Undefined if it is not known yet, or not in USD.
 */
export function createTwilioCostReader(options: TwilioOptions): {
  findCostUsd(channel: 'SMS' | 'CALL', sid: string): Promise<number | undefined>;
} {
  return {
    async findCostUsd(channel, sid) {
      const url = resourceUrl(options, channel, sid);
      const response = await options.http.request({
        url,
        headers: { authorization: twilioAuthorization(options) },
      });
      const found = findCreated(response);
      return toCostUsd(found?.price, found?.price_unit);
    },
  };
}

function buildMessage(
  delivery: SmsDelivery,
  from: string | undefined,
  options: TwilioSmsOptions,
): FormFields {
  return [
    ['To', delivery.to],
    from === undefined ? ['MessagingServiceSid', options.messagingServiceSid] : ['From', from],
    ['Body', delivery.message || undefined],
    ...delivery.mediaUrls.map((url): FormFields[number] => ['MediaUrl', url]),
    ['StatusCallback', findCallbackUrl(options, delivery)],
    ['ValidityPeriod', validityOf(delivery, options)],
    ['ContentRetention', delivery.isSensitive ? 'discard' : undefined],
    ['RiskCheck', options.riskCheck],
    ['SmartEncoded', options.isSmartEncoded],
  ];
}

/** Twilio keeps a message for ten hours at most, and says so of a longer time by rejecting the message. */
function validityOf(delivery: SmsDelivery, { validityPeriodSeconds: usual, clock }: TwilioSmsOptions) {
  const seconds = validSeconds(delivery, (clock ?? systemClock).now(), { usual });
  return seconds === undefined || seconds > VALIDITY_SECONDS_MAX ? undefined : seconds;
}

function buildCall(delivery: CallDelivery, from: string, options: TwilioCallOptions): FormFields {
  const callbackUrl = findCallbackUrl(options, delivery);
  return [
    ['To', delivery.to],
    ['From', from],
    ['Twiml', buildSpeechXml(delivery.message, delivery)],
    ['StatusCallback', callbackUrl],
    // Twilio reports busy, no-answer, failed and canceled as completed too.
    ['StatusCallbackEvent', callbackUrl && 'completed'],
    // In the background: the person who answers hears the text at once.
    ...(delivery.machineDetection && callbackUrl ? detection(callbackUrl) : []),
    ['Timeout', delivery.timeoutSeconds],
    ['TimeLimit', delivery.maxMinutes && delivery.maxMinutes * 60],
  ];
}

const detection = (callbackUrl: string): FormFields => [
  ['MachineDetection', 'Enable'],
  ['AsyncAmd', 'true'],
  ['AsyncAmdStatusCallback', callbackUrl],
];

function findCallbackUrl(options: TwilioOptions, delivery: SmsDelivery | CallDelivery): string | undefined {
  return (
    options.statusCallbackUrl && `${buildCallbackUrl(options.statusCallbackUrl, delivery)}${TWILIO_RETRIES}`
  );
}

async function create(options: TwilioOptions, resource: 'Messages' | 'Calls', fields: FormFields) {
  const present = fields.filter(([, value]) => value !== undefined);
  const response = await options.http.request({
    url: `${toAccountUrl(options)}/${resource}.json`,
    method: 'POST',
    headers: {
      authorization: twilioAuthorization(options),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(
      present.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString(),
  });
  const created = findCreated(response);
  if (created) return { ok: true, response: created } as const;
  const nowMs = (options.clock ?? systemClock).now();
  return { ok: false, failure: classifyFailure(response, findError(response), TWILIO_CODES, nowMs) } as const;
}

function findCreated(response: ProviderResponse): Created | undefined {
  const parsed = v.safeParse(Created, findAcceptedJson(response));
  return parsed.success ? parsed.output : undefined;
}

function findError(response: ProviderResponse): ProviderError | undefined {
  const parsed = v.safeParse(TwilioError, findResponseJson(response));
  return parsed.success ? { code: parsed.output.code, text: parsed.output.message } : undefined;
}

function toSent(delivery: SmsDelivery, from: string | undefined, created: Created): DeliveryOutcome<'SMS'> {
  return {
    kind: 'sent',
    fields: defined({
      ...sentTextFields(delivery, created.from ?? from, created.num_segments),
      sms_sent_messageId: created.sid,
      sms_sent_cost: toCostUsd(created.price, created.price_unit),
    }),
  };
}

/** The address of a message or call. */
export function resourceUrl(
  options: Pick<TwilioOptions, 'baseUrl' | 'accountSid'>,
  channel: 'SMS' | 'CALL',
  sid: string,
): string {
  const resource = channel === 'SMS' ? 'Messages' : 'Calls';
  return `${toAccountUrl(options)}/${resource}/${encodeURIComponent(sid)}.json`;
}

function toAccountUrl(options: { baseUrl: string; accountSid: string }): string {
  return `${trimBaseUrl(options.baseUrl)}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}`;
}

/** The value of the header `authorization`. */
export function twilioAuthorization(
  options: Pick<TwilioOptions, 'accountSid' | 'authToken' | 'apiKey'>,
): string {
  const { sid, secret } = options.apiKey ?? { sid: options.accountSid, secret: options.authToken };
  return `Basic ${Buffer.from(`${sid}:${secret}`).toString('base64')}`;
}

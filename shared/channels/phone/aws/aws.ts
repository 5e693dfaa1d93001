import {
  CarrierLookupCommand,
  type PinpointSMSVoiceV2Client,
  SendMediaMessageCommand,
  SendTextMessageCommand,
  SendVoiceMessageCommand,
  VoiceId,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { countSegments } from '../../../domain/phone/sms-segments.ts';
import { type Clock, systemClock } from '../../../runtime/clock.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { innerSsml } from '../../../schemas/fields/ssml.ts';
import type {
  CallDelivery,
  ChannelProvider,
  DeliveryBase,
  DeliveryOutcome,
  SmsDelivery,
} from '../../channel.ts';
import { validSeconds } from '../../validity.ts';
import { type FindCarrier, toCarrier } from '../numbers/carrier.ts';
import { countryOf } from '../numbers/phone-number.ts';
import { type PhoneFailure, reject, retry, toFailure, UNKNOWN_CODE } from '../outcome/phone-outcome.ts';
import { callFrom, refuseWithoutSender, textFrom } from '../phone-delivery.ts';
import { spokenBy } from '../speech/voices.ts';
import { findAwsFailure } from './aws-failure.ts';

/** Common settings of SMS and CALL over AWS End User Messaging. */
type AwsPhoneOptions = {
  client: PinpointSMSVoiceV2Client;
  /** Number, sender ID or pool (id or ARN) for deliveries that name no number. */
  originationIdentity?: string;
  /** Its event destination brings the receipts. */
  configurationSetName?: string;
  protectConfigurationId?: string;
  messageFeedbackEnabled?: boolean;
  /** 5 to 259,200. */
  timeToLiveSeconds?: number;
  /** Checked by AWS, not sent. */
  isDryRun?: boolean;
  clock?: Clock;
};

/** Copies a customer's file to S3, from where AWS reads media. `temporary`: worth a retry. `waitSeconds`: not yet fetched. */
export type CopyMedia = (
  url: string,
  accountId: string,
) => Promise<{ s3Url: string } | { failed: string; temporary?: boolean } | { waitSeconds: number }>;

const TIME_TO_LIVE_SECONDS_MAX = 259_200;
/** The client's time limit of a file, and the time to record the outcome. */
const SENDING_MS = 12_000;
const TOO_LATE = 'the first file took so long that there was no time for the others';

export type AwsSmsOptions = AwsPhoneOptions & {
  copyMedia: CopyMedia;
  findCarrier?: FindCarrier;
};

/** Configuration of CALL over AWS; the voice is Polly's. */
export type AwsCallOptions = AwsPhoneOptions & { voiceId?: VoiceId; maxPricePerMinuteUsd?: string };

/**
 * SMS and MMS over AWS End User Messaging. AWS accepts one file per message: further files are separate
 * messages, sent together once the first is accepted. Costs, and the number chosen from a pool, are in the receipt.
 */
export function createAwsSmsProvider(options: AwsSmsOptions): ChannelProvider<'SMS'> {
  const { originationIdentity: number, findCarrier } = options;
  return {
    name: 'aws',
    deliver: textFrom({ number, canChoose: true, findCarrier }, (delivery, from) =>
      delivery.mediaUrls.length === 0
        ? sendText(delivery, from, options)
        : sendMedia(delivery, from, options),
    ),
  };
}

/** Calls that speak a text over AWS End User Messaging. */
export function createAwsCallProvider(options: AwsCallOptions): ChannelProvider<'CALL'> {
  return {
    name: 'aws',
    deliver: callFrom(options.originationIdentity, async (delivery, from) => {
      const command = new SendVoiceMessageCommand({
        ...buildCommon(delivery, options),
        OriginationIdentity: from,
        ...spoken(delivery),
        VoiceId: voiceOf(delivery) ?? options.voiceId,
        MaxPricePerMinute: options.maxPricePerMinuteUsd,
      });
      const sent = await attempt(() => options.client.send(command), options);
      return sent.ok ? { kind: 'sent', fields: { call_sent_from: from } } : sent.failure;
    }),
  };
}

const SPOKEN_MAX = { TEXT: 3000, SSML: 6000 };

/** AWS has no repetition: the text is written out as often as it fits. */
function spoken({ message, repeat = 1 }: CallDelivery) {
  const ssml = innerSsml(message);
  const [type, wrap, pause] =
    ssml === undefined
      ? (['TEXT', (text: string) => text, '\n\n'] as const)
      : (['SSML', (text: string) => `<speak>${text}</speak>`, '<break time="1s"/>'] as const);
  const bodies = Array.from({ length: repeat }, (_, index) =>
    wrap(Array.from({ length: index + 1 }, () => ssml ?? message).join(pause)),
  );
  const body = bodies.findLast(({ length }) => length <= SPOKEN_MAX[type]) ?? bodies[0];
  return { MessageBody: body, MessageBodyTextType: type };
}

/** The requested voice in AWS's spelling. Falls back to the voice of the language. */
function voiceOf({ voice = '', language }: CallDelivery): VoiceId | undefined {
  const named = voice
    .normalize('NFD')
    .replace(/^Polly\.|-\w+$|\p{M}/gu, '')
    .toUpperCase();
  const polly = language === undefined ? undefined : spokenBy(language).polly?.toUpperCase();
  const voices: readonly string[] = Object.values(VoiceId);
  return [named, polly].find((each) => each !== undefined && voices.includes(each)) as VoiceId | undefined;
}

/** Looks up numbers at AWS; a failed lookup counts as unknown. */
export function createAwsCarrierLookup(client: PinpointSMSVoiceV2Client): FindCarrier {
  return async (number) => {
    const command = new CarrierLookupCommand({ PhoneNumber: number });
    const looked = await attempt(() => client.send(command), {});
    if (!looked.ok) return undefined;
    const { Carrier: name, PhoneNumberType: lineType, IsoCountryCode: country } = looked.response;
    return toCarrier({ name, lineType, country });
  };
}

async function sendText(
  delivery: SmsDelivery,
  from: string | undefined,
  options: AwsSmsOptions,
): Promise<DeliveryOutcome<'SMS'>> {
  const command = new SendTextMessageCommand({
    ...buildCommon(delivery, options),
    OriginationIdentity: from,
    MessageBody: delivery.message,
    MessageType: delivery.messageType === 'promotional' ? 'PROMOTIONAL' : 'TRANSACTIONAL',
    MaxPrice: delivery.maxPriceUsd?.toFixed(5),
  });
  const sent = await attempt(() => options.client.send(command), options);
  if (!sent.ok) return sent.failure;
  const { encoding, segments } = countSegments(delivery.message);
  return toSent({ ...delivery, from }, sent.response.MessageId, {
    sms_sent_encoding: encoding,
    sms_sent_segments: segments,
    sms_sent_parts: segments,
  });
}

async function sendMedia(
  delivery: SmsDelivery,
  from: string | undefined,
  options: AwsSmsOptions,
): Promise<DeliveryOutcome<'SMS'>> {
  if (from === undefined) return refuseWithoutSender();
  const { timeLeftMs = () => Number.POSITIVE_INFINITY } = delivery;
  const isLate = () => timeLeftMs() < SENDING_MS;
  const copies = await copyAll(delivery, options.copyMedia);
  if (!copies.ok) return copies.failure;
  if (isLate()) return { kind: 'postponed', afterSeconds: 1 };
  const send = (s3Url: string, message?: string) => {
    const command = new SendMediaMessageCommand({
      ...buildCommon(delivery, options),
      OriginationIdentity: from,
      ...defined({ MessageBody: message?.trim() ? message : undefined }),
      MediaUrls: [s3Url],
      MaxPrice: delivery.maxPriceUsd?.toFixed(5),
    });
    return attempt(() => options.client.send(command), options);
  };
  const [firstUrl = '', ...otherUrls] = copies.s3Urls;
  const first = await send(firstUrl, delivery.message);
  if (!first.ok) return first.failure;
  // A retry would repeat the accepted files, so the missing files are recorded instead.
  const others = isLate() ? [] : await Promise.all(otherUrls.map((s3Url) => send(s3Url)));
  const sent = 1 + others.filter(({ ok }) => ok).length;
  const failed = others.find((other) => !other.ok)?.failure.internal;
  return toSent({ ...delivery, from }, first.response.MessageId, {
    ...mediaParts(sent),
    sms_failed_internal: sent > otherUrls.length ? undefined : (failed ?? TOO_LATE),
  });
}

function mediaParts(count: number) {
  return { sms_sent_mms: true, sms_sent_segments: count, sms_sent_parts: count };
}

async function copyAll(
  { mediaUrls, accountId }: SmsDelivery,
  copyMedia: CopyMedia,
): Promise<{ ok: true; s3Urls: string[] } | { ok: false; failure: DeliveryOutcome<'SMS'> }> {
  const s3Urls: string[] = [];
  for (const copy of await Promise.all(mediaUrls.map((url) => copyMedia(url, accountId)))) {
    if ('waitSeconds' in copy) {
      return { ok: false, failure: { kind: 'postponed', afterSeconds: copy.waitSeconds } };
    }
    if ('failed' in copy) {
      const outcome = copy.temporary ? retry() : reject(UNKNOWN_CODE);
      return { ok: false, failure: toFailure(outcome, `media: ${copy.failed}`) };
    }
    s3Urls.push(copy.s3Url);
  }
  return { ok: true, s3Urls };
}

// Every event returns the context: receipts find their log record without a lookup.
function buildCommon(delivery: DeliveryBase & { to: string }, options: AwsPhoneOptions) {
  return {
    DestinationPhoneNumber: delivery.to,
    Context: {
      trackingId: delivery.trackingId,
      accountId: delivery.accountId,
      envId: delivery.environmentId,
    },
    ConfigurationSetName: options.configurationSetName,
    ProtectConfigurationId: options.protectConfigurationId,
    MessageFeedbackEnabled: options.messageFeedbackEnabled,
    TimeToLive: timeToLiveOf(delivery, options),
    DryRun: options.isDryRun,
  };
}

/** AWS keeps a message for 72 hours at most. */
function timeToLiveOf(delivery: DeliveryBase, { timeToLiveSeconds: usual, clock }: AwsPhoneOptions) {
  const seconds = validSeconds(delivery, (clock ?? systemClock).now(), { usual, least: 5 });
  return seconds === undefined || seconds > TIME_TO_LIVE_SECONDS_MAX ? undefined : seconds;
}

async function attempt<T>(
  call: () => Promise<T>,
  options: { clock?: Clock },
): Promise<{ ok: true; response: T } | { ok: false; failure: PhoneFailure }> {
  try {
    return { ok: true, response: await call() };
  } catch (error) {
    const failure = findAwsFailure(error, (options.clock ?? systemClock).now());
    if (!failure) throw error;
    return { ok: false, failure };
  }
}

function toSent(
  { to, from }: { to: string; from: string | undefined },
  messageId: string | undefined,
  fields: object,
): DeliveryOutcome<'SMS'> {
  return {
    kind: 'sent',
    fields: defined({
      sms_sent_from: from,
      sms_sent_messageId: messageId,
      sms_sent_country: countryOf(to),
      ...fields,
    }),
  };
}

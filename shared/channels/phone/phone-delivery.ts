import { countSegments } from '../../domain/phone/sms-segments.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { CallDelivery, ChannelProvider, SmsDelivery } from '../channel.ts';
import { addCarrier, type FindCarrier, lookUpCarrier } from './numbers/carrier.ts';
import { countryOf, normalizeNumber } from './numbers/phone-number.ts';
import { type PhoneFailure, reject, toFailure } from './outcome/phone-outcome.ts';

/**
 * The missing part of a delivery, which is rejected before any call to the provider. Undefined if nothing is
 * missing.
 */
function findRefusal(delivery: {
  to: string;
  message: string;
  mediaUrls?: string[];
}): PhoneFailure | undefined {
  if (delivery.to.trim() === '') return toFailure(reject('MISSING_SMS_RECIPIENT'), 'no number');
  if (delivery.message.trim() === '' && !delivery.mediaUrls?.length) {
    return toFailure(reject('MISSING_SMS_MESSAGE'), 'no text');
  }
  if (normalizeNumber(delivery.to) === undefined) {
    return toFailure(reject('INVALID_PHONE_NUMBER'), 'the number is impossible');
  }
  return undefined;
}

/** The rejection of a delivery without a sender, neither its own nor a configured one. */
export function refuseWithoutSender(): PhoneFailure {
  return toFailure(reject('21612'), 'no number to send from is configured', { notAccepted: 'sender' });
}

type Deliver<C extends 'SMS' | 'CALL'> = ChannelProvider<C>['deliver'];

/** The configured number, if any; whether the provider can choose one itself; how carriers are looked up. */
type TextSender = {
  number: string | undefined;
  canChoose: boolean;
  findCarrier: FindCarrier | undefined;
};

/**
 * Delivers complete text messages from the delivery's own number, by default from the configured number. Looks up the recipient's
 * carrier at the same time.
 */
export function textFrom(
  { number, canChoose, findCarrier }: TextSender,
  text: (delivery: SmsDelivery, from: string | undefined) => ReturnType<Deliver<'SMS'>>,
): Deliver<'SMS'> {
  return async (delivery) => {
    const refusal = findRefusal(delivery);
    if (refusal) return refusal;
    const from = delivery.from ?? number;
    if (from === undefined && !canChoose) return refuseWithoutSender();
    const [outcome, carrier] = await Promise.all([
      text(delivery, from),
      lookUpCarrier(findCarrier, delivery.to),
    ]);
    return addCarrier(outcome, carrier);
  };
}

/** Fields of an accepted text message; its parts are counted here unless the provider reports their number. */
export function sentTextFields(
  { to, message, mediaUrls }: SmsDelivery,
  from: string | undefined,
  reportedParts?: number,
): LogFields {
  const isMms = mediaUrls.length > 0;
  const counted = isMms ? { encoding: undefined, segments: 1 } : countSegments(message);
  const segments = reportedParts || counted.segments;
  return {
    sms_sent_from: from,
    sms_sent_encoding: counted.encoding,
    sms_sent_segments: segments,
    sms_sent_parts: segments,
    sms_sent_country: countryOf(to),
    sms_sent_mms: isMms || undefined,
  };
}

/** Delivers complete calls from the delivery's own number, by default from `configured`. */
export function callFrom(
  configured: string | undefined,
  call: (delivery: CallDelivery, from: string) => ReturnType<Deliver<'CALL'>>,
): Deliver<'CALL'> {
  return async (delivery) => {
    const refusal = findRefusal(delivery);
    if (refusal) return refusal;
    const from = delivery.from ?? configured;
    return from === undefined ? refuseWithoutSender() : call(delivery, from);
  };
}

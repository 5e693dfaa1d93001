import type { CallDelivery, ChannelProvider } from '../channel.ts';
import { normalizeNumber } from './phone-number.ts';
import { type PhoneFailure, reject, toFailure } from './verdict.ts';

/**
 * The missing part of a delivery, which is rejected before any call to the provider. Undefined if nothing is
 * missing.
 */
export function findRefusal(delivery: {
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

/** Delivers calls that lack nothing from the delivery's own number, or else from `configured`. */
export function callFrom(
  configured: string | undefined,
  call: (delivery: CallDelivery, from: string) => ReturnType<ChannelProvider<'CALL'>['deliver']>,
): ChannelProvider<'CALL'>['deliver'] {
  return async (delivery) => {
    const refusal = findRefusal(delivery);
    if (refusal) return refusal;
    const from = delivery.from ?? configured;
    return from === undefined ? refuseWithoutSender() : call(delivery, from);
  };
}

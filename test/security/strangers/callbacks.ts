import { parseAwsPhoneEvent } from '../../../shared/channels/phone/aws/aws-events.ts';
import { parseCallbackTags } from '../../../shared/channels/phone/callback-url.ts';
import { normalizeNumber } from '../../../shared/channels/phone/numbers/phone-number.ts';
import {
  isTelnyxSignatureValid,
  parseTelnyxCallback,
} from '../../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { isTwilioSignatureValid } from '../../../shared/channels/phone/twilio/twilio-callback.ts';
import { classifyKeyword } from '../../../shared/domain/phone/sms-keywords.ts';
import { parsePaymentEvent } from '../../../shared/services/payment/payment-port.ts';
import { listOf, NOW_MS, type Parsers, rejecting, sns, times } from './inputs.ts';

/** Requests of providers of text messages, calls and payments. */
export const CALLBACKS: Parsers = {
  'event of End User Messaging': {
    'many tags': (n) => {
      const context = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, name]));
      const event = sns({ eventType: 'TEXT_DELIVERED', messageId: 'm', isFinal: true, context });
      return () => parseAwsPhoneEvent(event, NOW_MS);
    },
  },
  'callback of Twilio': {
    'one field with many values': (n) => {
      const params = { k: listOf(n, (i) => `v${i}`) };
      return () => isTwilioSignatureValid({ authToken: 't', url: 'https://h/', params, signature: 'x' });
    },
    'a long URL': (n) => {
      const url = `https://${times(n, 'a:@')}`;
      return () => isTwilioSignatureValid({ authToken: 't', url, params: {}, signature: 'x' });
    },
    'tags of the query': (n) => {
      const query = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, name]));
      return () => parseCallbackTags(query);
    },
  },
  'callback of Telnyx': {
    'many media and recipients': (n) => {
      const payload = {
        ...{ id: 'i', from: { phone_number: '+1' } },
        to: listOf(n, (i) => `+${i}`).map((phone_number) => ({ phone_number })),
        media: listOf(n, (i) => `u${i}`).map((url) => ({ url })),
        errors: listOf(n, (i) => `${i}`).map((code) => ({ code })),
      };
      const bodies = ['message.received', 'message.finalized'].map((event_type) =>
        JSON.stringify({ data: { id: 'i', event_type, occurred_at: '', payload } }),
      );
      return () => bodies.map((rawBody) => parseTelnyxCallback({ rawBody, tags: {}, nowMs: NOW_MS }));
    },
    'a long signature': (n) => () =>
      isTelnyxSignatureValid({
        ...{ publicKey: '', signature: times(n, 'A='), timestamp: times(n, '1') },
        ...{ rawBody: '', nowMs: NOW_MS },
      }),
  },
  'event of Stripe': {
    'many fields': (n) => {
      const object = Object.fromEntries(listOf(n, (i) => `f${i}`).map((name) => [name, name]));
      const event = JSON.stringify({ id: 'e', type: 't', created: 1, data: { object } });
      return () => rejecting(() => parsePaymentEvent(event));
    },
  },
  'phone number': {
    digits: (n) => () => normalizeNumber(times(n, '1')),
    zeros: (n) => () => normalizeNumber(times(n, '0 ')),
    punctuation: (n) => () => normalizeNumber(`+${times(n, '(-')}`),
  },
  'text message': {
    'one word': (n) => () => classifyKeyword(times(n, 'STOP')),
    symbols: (n) => () => classifyKeyword(times(n, '!')),
  },
};

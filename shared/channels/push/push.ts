import type { ChannelProvider } from '../channel.ts';
import type { ApnsSender } from './apns.ts';
import type { FcmSender } from './fcm.ts';
import { deliverToTokens, retryToken, type TokenFields } from './token-results.ts';

/** Time limit of one token. */
const TOKEN_MS = 15_000;

const FIELDS: TokenFields = {
  sent: (token) => ({ mobile_push_sent_token: token }),
  failed: (token, internal) => ({ mobile_push_failed_token: token, mobile_push_failed_internal: internal }),
};

/** Sends to all mobile tokens of the user, each at its own service; one success makes the delivery `sent`. */
export function createPushProvider(senders: { fcm: FcmSender; apns: ApnsSender }): ChannelProvider<'PUSH'> {
  return {
    name: 'live',
    deliver(delivery) {
      const sendToFcm = senders.fcm.prepare(delivery);
      const sendToApns = senders.apns.prepare(delivery);
      const { timeLeftMs = () => Number.POSITIVE_INFINITY } = delivery;
      return deliverToTokens(delivery.tokens, {
        tokenOf: ({ token }) => token,
        send(entry) {
          if (timeLeftMs() < TOKEN_MS)
            return Promise.resolve(retryToken('the tokens before it took too long'));
          return entry.type === 'FCM' ? sendToFcm(entry.token) : sendToApns(entry);
        },
        fields: FIELDS,
      });
    },
  };
}

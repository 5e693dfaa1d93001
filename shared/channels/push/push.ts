import type { Clock } from '../../runtime/clock.ts';
import type { ChannelProvider } from '../channel.ts';
import type { ApnsSender } from './apns.ts';
import type { FcmSender } from './fcm.ts';
import { createRests } from './rests.ts';
import { deliverToTokens, retryToken, retryUncalled, type TokenFields } from './token-results.ts';

/** Time limit of one token. */
const TOKEN_MS = 15_000;

const FIELDS: TokenFields = {
  sent: (token) => ({ mobile_push_sent_token: token }),
  failed: (token, internal) => ({ mobile_push_failed_token: token, mobile_push_failed_internal: internal }),
};

/**
 * Sends to all mobile tokens of the user, each at its own service; one success makes the delivery `sent`. A service that keeps
 * failing rests, so that an outage of one does not take the time of the other.
 */
export function createPushProvider(options: {
  fcm: FcmSender;
  apns: ApnsSender;
  now: Clock['now'];
}): ChannelProvider<'PUSH'> {
  const rests = createRests(options.now);
  return {
    name: 'live',
    deliver(delivery) {
      const sendToFcm = options.fcm.prepare(delivery);
      const sendToApns = options.apns.prepare(delivery);
      const { timeLeftMs = () => Number.POSITIVE_INFINITY } = delivery;
      return deliverToTokens(delivery.tokens, {
        tokenOf: ({ token }) => token,
        async send(entry) {
          if (timeLeftMs() < TOKEN_MS) return retryToken('the tokens before it took too long');
          const service = JSON.stringify([entry.type, delivery.accountId]);
          const restSeconds = rests.secondsLeft(service);
          if (restSeconds > 0) return retryUncalled(`${entry.type}: it keeps failing`, restSeconds);
          const result = await (entry.type === 'FCM' ? sendToFcm(entry.token) : sendToApns(entry));
          rests.called(service, result.kind === 'retry');
          return result;
        },
        fields: FIELDS,
      });
    },
  };
}

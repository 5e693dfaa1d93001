import type { Clock } from '../../runtime/clock.ts';
import type { ChannelProvider } from '../channel.ts';
import type { ApnsSender } from './apns/apns.ts';
import type { FcmSender } from './fcm/fcm.ts';
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

/** Failures in a row after which a service rests for an account, and the longest rest. */
const FAILURES_MAX = 5;
const REST_MS = 15_000;
const REST_MS_MAX = 120_000;
const REMEMBERED_MAX = 10_000;

type State = { failures: number; rests: number; untilMs: number; isTried: boolean };

/** Services that rest in this process. After a rest, one call tries the service; the others wait for it. */
function createRests(now: () => number) {
  const states = new Map<string, State>();
  return {
    /** Seconds until the next call to the service is allowed; 0: now. */
    secondsLeft(key: string): number {
      const state = states.get(key);
      if (!state || state.rests === 0) return 0;
      const leftMs = state.untilMs - now();
      if (leftMs > 0) return Math.ceil(leftMs / 1000);
      Object.assign(state, { untilMs: now() + REST_MS, isTried: true });
      return 0;
    },

    called(key: string, isFailure: boolean): void {
      if (!isFailure) return void states.delete(key);
      const state = states.get(key) ?? { failures: 0, rests: 0, untilMs: 0, isTried: false };
      // Calls that were made side by side begin one rest.
      if (!state.isTried && state.untilMs > now()) return;
      if (states.size >= REMEMBERED_MAX) states.clear();
      states.set(key, state);
      state.failures += 1;
      state.isTried = false;
      if (state.failures < FAILURES_MAX) return;
      state.untilMs = now() + Math.min(REST_MS_MAX, REST_MS * 2 ** state.rests);
      state.rests += 1;
    },
  };
}

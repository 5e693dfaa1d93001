import type { ChannelProvider } from '../../channels/channel.ts';

/** Deliveries in progress: a third of a batch, the rest of it stays free for other accounts. */
const AT_ONCE_MAX = 3;
/** A failure in less time delays no other delivery. */
const SLOW_MS = 3000;
/** Slow failures in a row after which the server rests. */
const STRIKES_MAX = 2;
const REST_MS = 15_000;
const REST_MS_MAX = 300_000;
const BUSY_SECONDS = 2;

/**
 * An account's own mail server, which cannot hold up the email of others: few deliveries are in progress concurrently, and one
 * that fails slowly rests. The rest of the messages return to the queue or go to the next provider.
 */
export function ownShare(provider: ChannelProvider<'EMAIL'>, now: () => number): ChannelProvider<'EMAIL'> {
  let inProgress = 0;
  let strikes = 0;
  let restUntilMs = 0;
  return {
    ...provider,
    async deliver(delivery) {
      const startedAtMs = now();
      if (restUntilMs > startedAtMs) {
        return {
          ...{ kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'the mail server keeps failing' },
          ...{ notAccepted: 'unreachable', afterSeconds: Math.ceil((restUntilMs - startedAtMs) / 1000) },
        };
      }
      if (inProgress >= AT_ONCE_MAX) return { kind: 'postponed', afterSeconds: BUSY_SECONDS };
      inProgress += 1;
      try {
        const outcome = await provider.deliver(delivery);
        const isSlowFailure = outcome.kind === 'retry' && now() - startedAtMs >= SLOW_MS;
        strikes = isSlowFailure ? strikes + 1 : 0;
        const beyond = strikes - STRIKES_MAX;
        if (beyond >= 0) restUntilMs = now() + Math.min(REST_MS_MAX, REST_MS * 2 ** beyond);
        return outcome;
      } finally {
        inProgress -= 1;
      }
    },
  };
}

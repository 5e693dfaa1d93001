import type { BrokenProvider, ProviderCalls } from '../../database/entities/sending/provider-calls.ts';
import { log } from '../../runtime/logger.ts';
import { recordMetrics } from '../../runtime/metrics.ts';

/** Number of certain failures in a row after which a provider gets no messages. */
const FAILURES_MAX = 3;
const OPEN_MS = 30_000;

type State = { failures: number; openUntilMs: number | undefined };

/** True if to call a provider: `closed` yes, `probe` one single message, `open` no. */
type BreakerState = 'closed' | 'probe' | 'open';

/** Breakers of one process. They share their state through the table, which is used only after failures. */
export type Breakers = ReturnType<typeof createBreakers>;

export function createBreakers(calls: ProviderCalls) {
  const states = new Map<string, State>();
  const stateFor = (broken: BrokenProvider): State => {
    const key = JSON.stringify([broken.accountId, broken.channel, broken.provider]);
    const state = states.get(key) ?? { failures: 0, openUntilMs: undefined };
    states.set(key, state);
    return state;
  };

  return {
    async stateOf(broken: BrokenProvider, nowMs: number): Promise<BreakerState> {
      const state = stateFor(broken);
      if (state.openUntilMs === undefined) return 'closed';
      if (nowMs < state.openUntilMs) return 'open';
      if (await calls.takeProbe(broken, nowMs, nowMs + OPEN_MS)) return 'probe';
      // Another process has the probe, or has closed the breaker.
      state.openUntilMs = await calls.findOpenUntil(broken);
      if (state.openUntilMs !== undefined) return 'open';
      state.failures = 0;
      return 'closed';
    },

    async failed(broken: BrokenProvider, reason: string, nowMs: number): Promise<void> {
      recordMetrics(
        { ProviderSkipped: 1 },
        { channel: broken.channel, provider: broken.provider, code: reason },
      );
      const known = await calls.recordFailure(broken, reason, nowMs);
      // A number or an address that cannot send does not affect other messages.
      if (reason === 'sender') return;
      const state = stateFor(broken);
      state.failures += 1;
      const isOpenElsewhere = known !== undefined && known > nowMs;
      if (!isOpenElsewhere && state.failures < FAILURES_MAX) return;
      state.openUntilMs = isOpenElsewhere ? known : nowMs + OPEN_MS;
      if (isOpenElsewhere) return;
      await calls.open(broken, state.openUntilMs);
      recordMetrics(
        { BreakerOpened: 1 },
        { channel: broken.channel, provider: broken.provider, code: reason },
      );
      log.warn('a provider gets no messages for now', {
        accountId: broken.accountId,
        channel: broken.channel,
        provider: broken.provider,
      });
    },

    async worked(broken: BrokenProvider): Promise<void> {
      const state = stateFor(broken);
      if (state.openUntilMs !== undefined) await calls.close(broken);
      Object.assign(state, { failures: 0, openUntilMs: undefined });
    },
  };
}

import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { providerCalls, type StoredBreaker } from '../../shared/database/entities/sending/provider-calls.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { ORDERED_CHANNELS } from '../../shared/providers/order/provider-order.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { ProviderStatusResponse } from '../../shared/schemas/domains/provider-order.ts';
import { orderResponse } from './effective-orders.ts';
import { getProviderStatusRoute } from './routes.ts';

export const handler = endpoint(
  getProviderStatusRoute,
  { accounts, providerCalls },
  async ({ accounts, providerCalls, caller: { accountId }, request }) => {
    const [account, breakers] = await Promise.all([
      accounts.get(accountId),
      providerCalls.listBreakers(accountId),
    ]);
    const channels = ORDERED_CHANNELS.map((channel) => {
      const { order, ...rest } = orderResponse(account, channel);
      const withState = order.map((entry) => {
        const breaker = breakers.find((each) => each.channel === channel && each.provider === entry.provider);
        return { ...entry, ...stateOf(breaker, request.receivedAtMs) };
      });
      return { ...rest, order: withState };
    });
    return { channels };
  },
);

type State = Omit<ProviderStatusResponse['channels'][number]['order'][number], 'provider' | 'own'>;

/** After its time, an open breaker lets the next message probe the provider. */
function stateOf(breaker: StoredBreaker | undefined, nowMs: number): State {
  if (!breaker) return { state: 'closed' };
  const { untilMs, failedAtMs, reason } = breaker;
  const lastFailure = { at: isoOf(failedAtMs), reason };
  if (untilMs === 0) return { state: 'closed', lastFailure };
  const state = untilMs > nowMs ? 'open' : 'probing';
  return { state, openUntil: isoOf(untilMs), lastFailure };
}

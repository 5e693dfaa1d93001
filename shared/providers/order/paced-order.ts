import type { ChannelProvider } from '../../channels/channel.ts';
import type { BuildProvider } from '../settings/provider-source.ts';
import { orderedProvider } from './ordered-provider.ts';
import { paced } from './paced.ts';
import type { OrderedChannel, ProviderOrder } from './provider-order.ts';

/**
 * The providers of a channel in order, with at most `perSecond` messages per second; the sandbox accepts any
 * number.
 */
export function pacedOrder<C extends OrderedChannel>(
  channel: C,
  order: ProviderOrder,
  build: BuildProvider<C>,
  pace: { perSecond: number; deliveryMs?: number },
): ChannelProvider<C> {
  const provider = orderedProvider(channel, order, build);
  if (order[0].provider === 'sandbox') return provider;
  const { perSecond, ...options } = pace;
  return paced(provider, perSecond, options);
}

import type { ChannelProvider } from '../channels/channel.ts';
import type { Channel } from '../schemas/channel.ts';

/**
 * A provider whose code is loaded with its first delivery: a function loads only what its configuration uses.
 */
export function lazyProvider<C extends Channel>(
  name: string,
  load: () => Promise<ChannelProvider<C>>,
): ChannelProvider<C> {
  let loading: Promise<ChannelProvider<C>> | undefined;
  return {
    name,
    async deliver(delivery) {
      loading ??= load();
      try {
        const provider = await loading;
        return await provider.deliver(delivery);
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
  };
}

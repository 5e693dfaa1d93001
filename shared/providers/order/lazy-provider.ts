import type { ChannelProvider } from '../../channels/channel.ts';
import { lazily } from '../../runtime/async/lazily.ts';
import type { Channel } from '../../schemas/channel.ts';

/**
 * A provider whose code is loaded with its first delivery: a function loads only what its configuration uses.
 */
export function lazyProvider<C extends Channel>(
  name: string,
  load: () => Promise<ChannelProvider<C>>,
): ChannelProvider<C> {
  return { name, ...lazily<Pick<ChannelProvider<C>, 'deliver'>>(load, { deliver: true }) };
}

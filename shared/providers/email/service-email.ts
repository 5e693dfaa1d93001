import type { ChannelProvider } from '../../channels/channel.ts';
import { numberSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import { lazyProvider } from '../order/lazy-provider.ts';
import { paced } from '../order/paced.ts';
import { providerOrder } from '../order/provider-order.ts';
import { sandboxProvider } from '../sandbox.ts';
import { deploymentSource } from '../settings/provider-source.ts';
import { createLiveEmail } from './live-email.ts';

/**
 * The EMAIL provider of the service's own messages to administrators: always the deployment's order. Messages are attempted once,
 * so no state is stored between attempts.
 */
export const serviceEmail: Dependency<ChannelProvider<'EMAIL'>> = dependency('serviceEmail', () => {
  const order = providerOrder('EMAIL_PROVIDER');
  if (order[0].provider === 'sandbox') return sandboxProvider('EMAIL');
  const build = createLiveEmail();
  const providers = order.map((entry) =>
    lazyProvider(entry.text, async () => build(entry, deploymentSource(entry))),
  );
  return paced(firstToAccept(providers), numberSetting('EMAIL_PER_SECOND'), { deliveryMs: 27_000 });
});

function firstToAccept(providers: readonly ChannelProvider<'EMAIL'>[]): ChannelProvider<'EMAIL'> {
  return {
    name: providers.map(({ name }) => name).join(','),
    async deliver(delivery) {
      for (const provider of providers.slice(0, -1)) {
        const outcome = await provider.deliver(delivery);
        if (outcome.notAccepted === undefined) return outcome;
      }
      const last = providers.at(-1);
      if (!last) throw new RangeError('an order has at least one entry');
      return last.deliver(delivery);
    },
  };
}

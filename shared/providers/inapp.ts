import type { ChannelProvider } from '../channels/channel.ts';
import { createInappProvider } from '../channels/inapp/inapp.ts';
import { inappItems } from '../database/entities/inapp/inapp-items.ts';
import { choiceSetting } from '../runtime/config.ts';
import { clock, type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import { realtimePublisher } from './clients/realtime.ts';
import { sandboxProvider } from './sandbox.ts';

/**
 * The INAPP_WEB provider: items are always really stored. With `INAPP_PROVIDER=sandbox`, the sandbox is
 * called first, so that its scenarios apply here too.
 */
export const inappProvider: Dependency<ChannelProvider<'INAPP_WEB'>> = dependency('inappProvider', () => {
  const real = createInappProvider({
    items: resolve(inappItems),
    publisher: resolve(realtimePublisher),
    clock: resolve(clock),
  });
  if (choiceSetting('INAPP_PROVIDER') === 'live') return real;
  const sandbox = sandboxProvider('INAPP_WEB');
  return {
    name: 'sandbox',
    async deliver(delivery) {
      const scripted = await sandbox.deliver(delivery);
      if (scripted.kind !== 'sent') return scripted;
      const outcome = await real.deliver(delivery);
      return outcome.kind === 'sent' ? { ...scripted, ...outcome } : outcome;
    },
  };
});

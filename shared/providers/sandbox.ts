import type { ChannelProvider } from '../channels/channel.ts';
import type { SandboxMessage } from '../channels/sandbox/sandbox.ts';
import { parseAllowedHosts } from '../http-client/address-guard.ts';
import { FOLLOW_UP_QUEUE } from '../messaging/queue-names.ts';
import { queues } from '../messaging/queues.ts';
import type { QueueMessage } from '../messaging/queues-port.ts';
import { setting } from '../runtime/config.ts';
import { clock, dependency, resolve } from '../runtime/dependency.ts';
import { defined } from '../runtime/values/defined.ts';
import type { Channel } from '../schemas/channel.ts';
import { lazyProvider } from './order/lazy-provider.ts';
import type { ProviderEntry } from './order/provider-order.ts';

/** Outbox in which sandbox providers record messages; the local run lists them, in AWS they are not kept. */
export const sandboxOutbox = dependency<{ record(message: SandboxMessage): Promise<void> }>(
  'sandboxOutbox',
  () => ({
    record: async () => {},
  }),
);

/** The sandbox provider of a channel on this deployment's clock and queues; `place`: its entry in an order, from 1. */
export function sandboxProvider<C extends Channel>(
  channel: C,
  place?: { entry: ProviderEntry; position: number },
): ChannelProvider<C> {
  const name = place?.entry.text ?? 'sandbox';
  const deps = {
    name,
    ...defined({ place: place && { name: place.entry.name ?? '', position: place.position } }),
    clock: resolve(clock),
    allowedHosts: () => parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS')),
    record: (message: SandboxMessage) => resolve(sandboxOutbox).record(message),
    sendReceipts,
  };
  return lazyProvider(name, async () => {
    const { createSandboxProvider } = await import('../channels/sandbox/sandbox.ts');
    return createSandboxProvider(channel, deps);
  });
}

async function sendReceipts(messages: QueueMessage[]): Promise<void> {
  const refused = await resolve(queues).send(FOLLOW_UP_QUEUE, messages);
  if (refused.length > 0) throw new Error('the receipts of the sandbox were not accepted');
}

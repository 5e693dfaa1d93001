import type { ChannelProvider } from '../channels/channel.ts';
import { choiceSetting } from '../runtime/config.ts';
import { clock, type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import { chatBaseUrl, refreshChatToken } from './chat-refresh.ts';
import { guardedClient, providerClient } from './http-clients.ts';
import { lazyProvider } from './lazy-provider.ts';
import { sandboxProvider } from './sandbox.ts';

/** The deployment's CHAT provider: `CHAT_PROVIDER` live or sandbox. */
export const chatProvider: Dependency<ChannelProvider<'CHAT'>> = dependency('chatProvider', () => {
  if (choiceSetting('CHAT_PROVIDER') === 'sandbox') return sandboxProvider('CHAT');
  const { now } = resolve(clock);
  const http = resolve(providerClient);
  const guarded = resolve(guardedClient);
  return lazyProvider('live', async () => {
    const { createChatProvider } = await import('../channels/chat/chat.ts');
    return createChatProvider({ baseUrl: chatBaseUrl(), http, guarded, now, refresh: refreshChatToken });
  });
});

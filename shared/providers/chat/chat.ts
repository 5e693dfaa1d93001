import type { ChannelProvider } from '../../channels/channel.ts';
import { choiceSetting } from '../../runtime/config.ts';
import { clock, type Dependency, dependency, resolve } from '../../runtime/dependency.ts';
import { guardedClient, providerClient } from '../clients/http-clients.ts';
import { lazyProvider } from '../order/lazy-provider.ts';
import { sandboxProvider } from '../sandbox.ts';
import { chatBaseUrl, refreshChatToken } from './chat-refresh.ts';

export const chatProvider: Dependency<ChannelProvider<'CHAT'>> = dependency('chatProvider', () => {
  if (choiceSetting('CHAT_PROVIDER') === 'sandbox') return sandboxProvider('CHAT');
  const { now } = resolve(clock);
  const http = resolve(providerClient);
  const guarded = resolve(guardedClient);
  return lazyProvider('live', async () => {
    const { createChatProvider } = await import('../../channels/chat/chat.ts');
    return createChatProvider({ baseUrl: chatBaseUrl(), http, guarded, now, refresh: refreshChatToken });
  });
});

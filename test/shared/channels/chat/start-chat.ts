import { onTestFinished } from 'vitest';
import type { ChatDelivery } from '../../../../shared/channels/channel.ts';
import { type ChatTokenRefresh, createChatProvider } from '../../../../shared/channels/chat/chat.ts';
import { createGuardedClient, type GuardedClient } from '../../../../shared/http-client/guarded-client.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { type ChatUser, startChatFake } from '../../../support/fakes/chat.ts';
import { HANG_MS } from '../../../support/until.ts';
import { DELIVERY_BASE } from '../delivery-base.ts';

export const CHANNELS = [
  { id: 'C0GENERAL', name: 'general', isMember: true },
  { id: 'C0RANDOM', name: 'random' },
  { id: 'C0OLD', name: 'old', isArchived: true, isMember: true },
  { id: 'G0SECRET', name: 'secret', isPrivate: true },
];
export const USERS: ChatUser[] = [
  { id: 'U0ADA', name: 'ada', displayName: 'Countess' },
  { id: 'W0BOB', name: 'bob', displayName: 'ada' },
  { id: 'U0TWIN1', name: 'eve', displayName: 'Twin' },
  { id: 'U0TWIN2', name: 'eva', displayName: 'twin' },
  { id: 'U0GONE', name: 'gone', deleted: true },
];

/** A chat provider and its workspace, on one clock, for one test. */
export async function startChat(
  options: { refresh?: ChatTokenRefresh; timeoutMs?: number; users?: typeof USERS } = {},
) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const fake = await startChatFake({
    users: structuredClone(options.users ?? USERS),
    channels: structuredClone(CHANNELS),
  });
  onTestFinished(fake.close);
  const local = createGuardedClient({ allowedHosts: new Set([new URL(fake.origin).host]) });
  const hooks: string[] = [];
  // The webhook's host is fixed, so the fake is behind it.
  const guarded: GuardedClient = {
    request(input) {
      hooks.push(input.url);
      const url = input.url.replace('https://hooks.slack.com', fake.origin);
      return local.request({ ...input, url, ...(options.timeoutMs ? { timeoutMs: options.timeoutMs } : {}) });
    },
  };
  const refreshes: ChatDelivery[] = [];
  const provider = createChatProvider({
    baseUrl: fake.url,
    http: createProviderClient({ timeoutMs: options.timeoutMs ?? HANG_MS }),
    guarded,
    now: () => clock.nowMs,
    refresh: async (delivery) => {
      refreshes.push(delivery);
      return options.refresh?.(delivery);
    },
  });
  const deliver = (overrides: Partial<ChatDelivery> = {}) => provider.deliver(buildChat(overrides));
  const deliverWithoutToken = () => {
    const { chatToken: _absent, ...delivery } = buildChat();
    return provider.deliver(delivery);
  };
  const webhook = {
    channel: '#general',
    channel_id: 'C0GENERAL',
    url: `https://hooks.slack.com${fake.webhookPath}`,
  };
  return { fake, deliver, deliverWithoutToken, clock, hooks, refreshes, webhook };
}

function buildChat(overrides: Partial<ChatDelivery> = {}): ChatDelivery {
  return {
    ...DELIVERY_BASE,
    chatChannel: 'C0GENERAL',
    chatToken: { access_token: 'xoxb-1' },
    content: { text: 'Shipped' },
    ...overrides,
  };
}

import type { ChatResult } from '../../channels/chat/chat-api.ts';
import type { ChatChannel } from '../../channels/chat/list-channels.ts';
import { choiceSetting } from '../../runtime/config.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { AppError } from '../../runtime/errors.ts';
import type { ChatToken } from '../../schemas/users/user.ts';
import { providerClient } from '../clients/http-clients.ts';
import { secrets } from '../settings/secrets.ts';
import { chatBaseUrl } from './chat-refresh.ts';

/** Connects users to the chat provider and lists the channels they can reach. */
export type ChatConnector = {
  /** The token of a finished authorization; a code works once. */
  exchange(code: string, redirectUri: string): Promise<ChatResult<ChatToken>>;
  listChannels(accessToken: string): Promise<ChatResult<ChatChannel[]>>;
};

/** `CHAT_PROVIDER` live: the app of `CHAT_CLIENT_ID` and `CHAT_CLIENT_SECRET`; sandbox: a workspace of two channels. */
export const chatConnector = dependency<ChatConnector>('chatConnector', () =>
  choiceSetting('CHAT_PROVIDER') === 'sandbox' ? sandboxConnector() : live(),
);

function live(): ChatConnector {
  return {
    async exchange(code, redirect_uri) {
      const { exchangeCode } = await import('../../channels/chat/oauth.ts');
      return exchangeCode({
        code,
        redirect_uri,
        ...(await chatApp()),
        baseUrl: chatBaseUrl(),
        http: resolve(providerClient),
        now: resolve(clock).now,
      });
    },
    async listChannels(accessToken) {
      const { listChannels } = await import('../../channels/chat/list-channels.ts');
      const api = { baseUrl: chatBaseUrl(), http: resolve(providerClient), now: resolve(clock).now };
      return listChannels(api, accessToken);
    },
  };
}

/** Throws PROVIDER_ERROR that lists the missing settings. */
async function chatApp(): Promise<{ clientId: string; clientSecret: string }> {
  const [clientId, clientSecret] = [
    await resolve(secrets).find('CHAT_CLIENT_ID'),
    await resolve(secrets).find('CHAT_CLIENT_SECRET'),
  ];
  if (clientId && clientSecret) return { clientId, clientSecret };
  const missing = [clientId ? [] : 'CHAT_CLIENT_ID', clientSecret ? [] : 'CHAT_CLIENT_SECRET'].flat();
  throw new AppError('PROVIDER_ERROR', {
    message: `This deployment has no chat app: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`,
    fix: 'The operator sets both to the credentials of the app at the chat provider, and deploys again.',
    provider: 'chat',
  });
}

function sandboxConnector(): ChatConnector {
  return {
    exchange: async () => ({ kind: 'ok', value: SANDBOX_TOKEN }),
    listChannels: async () => ({ kind: 'ok', value: SANDBOX_CHANNELS }),
  };
}

const SANDBOX_TOKEN: ChatToken = {
  ok: true,
  access_token: 'xoxb-sandbox',
  token_type: 'bot',
  scope: 'chat:write,channels:read',
  bot_user_id: 'U0SANDBOX',
  app_id: 'A0SANDBOX',
  team: { id: 'T0SANDBOX', name: 'Sandbox' },
  incoming_webhook: { channel: '#general', channel_id: 'C0GENERAL' },
};

const SANDBOX_CHANNELS: ChatChannel[] = [
  { id: 'C0GENERAL', name: 'general', isPrivate: false, isMember: true },
  { id: 'C0RANDOM', name: 'random', isPrivate: false, isMember: false },
];

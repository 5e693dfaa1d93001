import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { createCache } from '../../runtime/async/cache.ts';
import { type ChatApi, type ChatResult, callChat } from './chat-api.ts';
import { createChatDirectory } from './chat-directory.ts';

/** Converts the forms of `chatChannel` to what chat.postMessage accepts. */
export type ChatDestinations = ReturnType<typeof createChatDestinations>;

/** True if `text` is the ID of a channel or a direct message; names never contain capitals. */
export function isChannelId(text: string): boolean {
  return /^[CGD][A-Z0-9]+$/.test(text);
}

const USER_ID = /^@?([UW][A-Z0-9]+)$/;
const DIRECT_LIFETIME_MS = 24 * 60 * 60_000;
const DIRECT_HELD_MAX = 10_000;
const Opened = v.object({ channel: v.object({ id: v.string() }) });

/** Destinations over the Web API; lookups are cached for 24 hours per token. */
export function createChatDestinations(api: ChatApi) {
  const directory = createChatDirectory(api, hashOf);
  const directs = createCache<string>({ max: DIRECT_HELD_MAX, ttlMs: DIRECT_LIFETIME_MS, now: api.now });

  async function openDirect(userId: string, accessToken: string): Promise<ChatResult<string>> {
    const key = `${hashOf(accessToken)} ${userId}`;
    const held = directs.find(key);
    if (held !== undefined) return { kind: 'ok', value: held };
    const response = await callChat(api, {
      method: 'conversations.open',
      accessToken,
      args: { json: { users: userId } },
      schema: Opened,
    });
    if (response.kind !== 'ok') return response;
    const channelId = response.value.channel.id;
    directs.keep(key, channelId);
    return { kind: 'ok', value: channelId };
  }

  return {
    /** A channel id or name goes as it is; a user id or `@name` becomes the channel of the direct message. */
    async find(chatChannel: string, accessToken: string): Promise<ChatResult<string>> {
      const [, userId] = USER_ID.exec(chatChannel) ?? [];
      if (userId !== undefined) return openDirect(userId, accessToken);
      if (!chatChannel.startsWith('@')) return { kind: 'ok', value: chatChannel };
      const user = await directory.findUserId(accessToken, chatChannel.slice(1));
      return user.kind === 'ok' ? openDirect(user.value, accessToken) : user;
    },
  };
}

// By the token, not by the workspace that the stored token object claims to be of: anyone can write that.
function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('base64');
}

import { chatAccessOf } from '../../domain/chat-access.ts';
import type { GuardedClient } from '../../http-client/guarded-client.ts';
import type { ChatToken } from '../../schemas/user.ts';
import type { ChatDelivery } from '../channel.ts';
import type { ChatApi, ChatResult } from './chat-api.ts';
import { createChatDestinations } from './chat-destination.ts';
import { buildChatMessage } from './chat-message.ts';
import { type ChatPosted, postToChatChannel } from './chat-post.ts';
import { findProductPost } from './chat-products.ts';
import { postToChatWebhook } from './chat-webhook.ts';

/** Posts the prepared delivery with a token. */
export type ChatPost = (token: ChatToken) => Promise<ChatResult<ChatPosted>>;

/** Chooses between the Web API and the incoming webhook of a token. */
export type ChatRouter = { prepare(delivery: ChatDelivery): ChatPost };

// An app without the right to post to its webhook's channel can still use the webhook.
const WEBHOOK_HELPS = ['not_in_channel', 'missing_scope', 'channel_not_found'];

/**
 * Posts to the user's channel, or else to that of the token's webhook, through the Web API. Uses the webhook
 * if there is no access token, no channel or no permission, but never for another channel than the webhook's.
 */
export function createChatRouter(client: ChatApi & { guarded: GuardedClient }): ChatRouter {
  const destinations = createChatDestinations(client);
  return {
    prepare(delivery) {
      const message = buildChatMessage(delivery.content);
      const stated = delivery.chatChannel?.trim();
      return async (token) => {
        const postToProduct = findProductPost(client, token, delivery.content);
        if (postToProduct) return postToProduct();
        const { incoming_webhook: webhook } = token;
        const { access_token, scope } = chatAccessOf(token);
        const url = !stated || isChannelOf(webhook, stated) ? webhook?.url : undefined;
        const channel = stated || webhook?.channel_id;
        if (access_token && channel) {
          const access = { access_token, scope };
          const posted = await postToChatChannel({ api: client, destinations }, access, channel, message);
          const helps = posted.kind === 'rejected' && WEBHOOK_HELPS.includes(posted.error);
          if (!helps || !url) return posted;
        }
        if (!url) return refuse(access_token);
        const posted = await postToChatWebhook(client, url, message);
        return posted.kind === 'ok'
          ? { kind: 'ok', value: { channel: webhook?.channel_id ?? undefined } }
          : posted;
      };
    },
  };
}

function isChannelOf(webhook: ChatToken['incoming_webhook'], stated: string): boolean {
  if (!webhook) return false;
  const name = webhook.channel?.replace(/^#/, '');
  return stated === webhook.channel_id || (name !== undefined && stated.replace(/^#/, '') === name);
}

function refuse(accessToken: string | undefined): ChatResult<ChatPosted> {
  return accessToken
    ? { kind: 'rejected', error: 'channel_not_found', internal: 'the user has no chat channel' }
    : { kind: 'rejected', error: 'not_authed', internal: 'the chat token has no access token' };
}

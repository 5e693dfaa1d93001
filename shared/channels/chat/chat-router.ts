import { chatAccessOf } from '../../domain/users/chat-access.ts';
import type { GuardedClient } from '../../http-client/guarded-client.ts';
import type { Clock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { ChatToken } from '../../schemas/users/user.ts';
import type { ChatDelivery } from '../channel.ts';
import { type ChatApi, type ChatResult, classifyFailure, retryCall } from './chat-api.ts';
import { createChatDestinations } from './chat-destination.ts';
import { type ChatPosted, postToChatChannel } from './chat-post.ts';
import { findProductPost } from './chat-products.ts';

const EMOJI = /^:[^\s:]+:(:[^\s:]+:)?$/;
const EMOJI_NAME = /^[\w+'-]+$/;

/**
 * The arguments of chat.postMessage except the channel, with explicit values where the chat provider's
 * defaults differ. An icon that is neither an emoji nor an https URL is omitted.
 */
export function buildChatMessage(content: ChatDelivery['content']): Record<string, unknown> {
  const { thread_ts } = content;
  return {
    text: content.text,
    blocks: content.blocks,
    username: content.username,
    ...buildIcon(content.icon),
    ...defined({
      thread_ts,
      reply_broadcast: thread_ts === undefined ? undefined : (content.reply_broadcast ?? false),
    }),
    parse: content.parse ?? 'none',
    link_names: content.link_names ?? false,
    mrkdwn: content.mrkdwn ?? true,
    unfurl_links: content.unfurl_links ?? true,
    unfurl_media: content.unfurl_media ?? true,
    metadata: content.metadata,
  };
}

function buildIcon(icon = ''): { icon_emoji?: string; icon_url?: string } {
  const text = icon.trim();
  if (EMOJI.test(text)) return { icon_emoji: text };
  if (EMOJI_NAME.test(text)) return { icon_emoji: `:${text}:` };
  return URL.parse(text)?.protocol === 'https:' ? { icon_url: text } : {};
}

export type ChatPost = (token: ChatToken) => Promise<ChatResult<ChatPosted>>;

/** Chooses between the Web API and the incoming webhook of a token. */
export type ChatRouter = { prepare(delivery: ChatDelivery): ChatPost };

// An app without the right to post to its webhook's channel can still use the webhook.
const WEBHOOK_HELPS = ['not_in_channel', 'missing_scope', 'channel_not_found'];

/**
 * Posts through the Web API to the user's channel, by default to the channel of the token's webhook. Uses the webhook if there is
 * no access token, no channel or no permission, but only for the webhook's own channel.
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

/** The only host of incoming webhooks. */
const WEBHOOK_HOST = 'hooks.slack.com';
const ERROR_NAME = /^[a-z_]{1,64}$/;

/**
 * Posts a message to an incoming webhook, which has a fixed channel. The URL is a customer's, so the guarded
 * client is used.
 */
async function postToChatWebhook(
  client: { guarded: GuardedClient; now: Clock['now'] },
  url: string,
  message: Record<string, unknown>,
): Promise<ChatResult<undefined>> {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.host !== WEBHOOK_HOST) {
    return {
      kind: 'rejected',
      error: 'invalid_webhook',
      internal: 'incoming webhook: not of the known host',
    };
  }
  const response = await client.guarded.request({
    url: parsed.href,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(message),
  });
  if (response.kind === 'response') {
    if (response.status === 200) return { kind: 'ok', value: undefined };
    const text = response.body.toString('utf8').trim();
    const error = ERROR_NAME.test(text) ? text : `http_${response.status}`;
    const internal = `incoming webhook: ${response.status} ${text}`;
    return classifyFailure(response, { error, internal }, client.now());
  }
  if (response.kind === 'timeout') return retryCall('incoming webhook: timeout');
  if (response.kind === 'unreachable') return retryCall(`incoming webhook: ${response.reason}`);
  const why = response.kind === 'refused' ? response.reason : 'the response is too large';
  return { kind: 'rejected', error: 'invalid_webhook', internal: `incoming webhook: ${why}` };
}

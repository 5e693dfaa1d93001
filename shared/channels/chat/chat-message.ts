import { defined } from '../../runtime/values/defined.ts';
import type { ChatDelivery } from '../channel.ts';

type Content = ChatDelivery['content'];

const EMOJI = /^:[^\s:]+:(:[^\s:]+:)?$/;
const EMOJI_NAME = /^[\w+'-]+$/;

/**
 * The arguments of chat.postMessage except the channel, with explicit values where the chat provider's
 * defaults differ. An icon that is neither an emoji nor an https URL is omitted.
 */
export function buildChatMessage(content: Content): Record<string, unknown> {
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

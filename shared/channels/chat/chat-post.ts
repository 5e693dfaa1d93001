import * as v from 'valibot';
import { type ChatApi, type ChatResult, callChat } from './chat-api.ts';
import { type ChatDestinations, isChannelId } from './chat-destination.ts';
import { findPublicChannel } from './list-channels.ts';

/** Channel and ID of a posted message; `ts` is the message's ID within the channel. */
export type ChatPosted = { ts?: string | undefined; channel?: string | undefined };

const JOIN_SCOPE = 'channels:join';

// The message is posted even without ts: such a response must not be retried.
const Posted = v.object({ ts: v.optional(v.string()), channel: v.optional(v.string()) });

/**
 * Posts by the Web API. A public channel that the app is not in is joined, once, unless the token's scopes are known
 * not to allow it.
 */
export async function postToChatChannel(
  { api, destinations }: { api: ChatApi; destinations: ChatDestinations },
  access: { access_token: string; scope?: string | undefined },
  chatChannel: string,
  message: Record<string, unknown>,
): Promise<ChatResult<ChatPosted>> {
  const accessToken = access.access_token;
  const destination = await destinations.find(chatChannel, accessToken);
  if (destination.kind !== 'ok') return destination;
  const channel = destination.value;
  const post = () =>
    callChat(api, {
      method: 'chat.postMessage',
      accessToken,
      args: { json: { channel, ...message } },
      schema: Posted,
    });
  const first = await post();
  if (first.kind !== 'rejected' || first.error !== 'not_in_channel' || !mayJoin(access, channel))
    return first;
  const joined = await join(api, accessToken, channel);
  if (joined.kind === 'ok') return post();
  return joined.kind === 'rejected'
    ? { ...first, internal: `${first.internal}; ${joined.internal}` }
    : joined;
}

function mayJoin({ scope }: { scope?: string | undefined }, channel: string): boolean {
  const isPublic = !isChannelId(channel) || channel.startsWith('C');
  return isPublic && (!scope || scope.split(/[ ,]+/).includes(JOIN_SCOPE));
}

// Joining accepts only an ID.
async function join(api: ChatApi, accessToken: string, channel: string): Promise<ChatResult<unknown>> {
  const found = isChannelId(channel)
    ? { kind: 'ok' as const, value: { id: channel } }
    : await findPublicChannel(api, accessToken, channel.replace(/^#/, ''));
  if (found.kind !== 'ok') return found;
  if (!found.value) {
    const internal = 'conversations.join: no public channel of that name';
    return { kind: 'rejected', error: 'channel_not_found', internal };
  }
  const json = { channel: found.value.id };
  return callChat(api, { method: 'conversations.join', accessToken, args: { json }, schema: v.object({}) });
}

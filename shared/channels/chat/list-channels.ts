import * as v from 'valibot';
import { type ChatApi, type ChatResult, callChat } from './chat-api.ts';

/** A channel that a message can go to. `isMember`: the app is in it. */
export type ChatChannel = { id: string; name: string; isPrivate: boolean; isMember: boolean };

const PAGE_SIZE = 1000;
const PAGES_MAX = 20;
const ALL_TYPES = 'public_channel,private_channel';
const PUBLIC_TYPES = 'public_channel';

const Page = v.object({
  channels: v.array(
    v.object({
      id: v.string(),
      name: v.optional(v.string(), ''),
      is_private: v.optional(v.boolean(), false),
      is_member: v.optional(v.boolean(), false),
    }),
  ),
  response_metadata: v.optional(v.object({ next_cursor: v.optional(v.string()) })),
});

/**
 * The channels visible to `accessToken`, without archived channels, in the chat provider's order, at most 20,000. Private
 * channels are included if the token's scopes allow it.
 */
export async function listChannels(api: ChatApi, accessToken: string): Promise<ChatResult<ChatChannel[]>> {
  const all = await listTypes(api, accessToken, ALL_TYPES);
  const lacksScope = all.kind === 'rejected' && all.error === 'missing_scope';
  return lacksScope ? listTypes(api, accessToken, PUBLIC_TYPES) : all;
}

/** The public channel of that name, without `#`; `value` is undefined if there is none. */
export async function findPublicChannel(
  api: ChatApi,
  accessToken: string,
  name: string,
): Promise<ChatResult<ChatChannel | undefined>> {
  const channels = await listTypes(api, accessToken, PUBLIC_TYPES);
  if (channels.kind !== 'ok') return channels;
  return { kind: 'ok', value: channels.value.find((channel) => channel.name === name) };
}

async function listTypes(
  api: ChatApi,
  accessToken: string,
  types: string,
): Promise<ChatResult<ChatChannel[]>> {
  const channels: ChatChannel[] = [];
  let cursor = '';
  for (let page = 0; page < PAGES_MAX; page++) {
    const form = { types, exclude_archived: 'true', limit: String(PAGE_SIZE), ...(cursor && { cursor }) };
    const response = await callChat(api, {
      method: 'conversations.list',
      accessToken,
      args: { form },
      schema: Page,
    });
    if (response.kind !== 'ok') return response;
    for (const { id, name, is_private, is_member } of response.value.channels) {
      channels.push({ id, name, isPrivate: is_private, isMember: is_member });
    }
    cursor = response.value.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return { kind: 'ok', value: channels };
}

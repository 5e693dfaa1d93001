import { createScript, type FakeReply, type FakeRequest, startHttpFake } from './http-fake.ts';

type Arguments = Record<string, unknown>;
export type ChatUser = { id: string; name: string; displayName?: string; deleted?: boolean };
type Channel = { id: string; name: string; isPrivate?: boolean; isMember?: boolean; isArchived?: boolean };

type ChatPost = Arguments & { channel: string; ts: string; token: string };
type ChatCallSeen = { method: string; token: string; arguments: Arguments };

export const CHAT_APP = { clientId: '123.456', clientSecret: 'app-secret' };
export const CHAT_CODE = 'code-1';
const WEBHOOK_PATH = '/services/T1/B1/hook';

/** An `ok: false` response, as the Web API gives it: with status 200. */
export function chatError(error: string, extra: object = {}): FakeReply {
  return { status: 200, body: { ok: false, error, ...extra } };
}

/**
 * One workspace behind the Web API: tokens that rotate, channels with members, people, direct messages, incoming
 * webhook. Takes arguments as JSON or as a form, as the real one does.
 */
export async function startChatFake(options: { users?: ChatUser[]; channels?: Channel[] } = {}) {
  const users = options.users ?? [];
  const channels = options.channels ?? [];
  const script = createScript<FakeReply>();
  const posts: ChatPost[] = [];
  const hooked: Arguments[] = [];
  const calls: ChatCallSeen[] = [];
  const live = new Set(['xoxb-1']);
  const expired = new Set<string>();
  let refreshToken = 'xoxe-1';
  let grants = 1;

  const methods: Record<string, (given: Arguments, token: string) => object> = {
    'chat.postMessage': (given, token) => post(given, token),
    'conversations.open': ({ users: id }) =>
      users.some((user) => user.id === id)
        ? good({ channel: { id: `D0${String(id)}` } })
        : bad('user_not_found'),
    'conversations.join': ({ channel }) => {
      const found = channels.find(({ id }) => id === channel);
      if (!found) return bad('channel_not_found');
      if (found.isPrivate) return bad('method_not_supported_for_channel_type');
      found.isMember = true;
      return good({ channel: { id: found.id } });
    },
    'conversations.list': (given) => {
      const types = String(given.types ?? 'public_channel').split(',');
      const seen = channels.filter(
        ({ isPrivate, isArchived }) =>
          types.includes(isPrivate ? 'private_channel' : 'public_channel') &&
          !(isArchived && String(given.exclude_archived) === 'true'),
      );
      const toResponse = ({ id, name, isPrivate = false, isMember = false }: Channel) => ({
        id,
        name,
        is_private: isPrivate,
        is_member: isMember,
      });
      return page(given, 'channels', seen.map(toResponse));
    },
    'users.list': (given) =>
      page(
        given,
        'members',
        users.map(({ id, name, displayName = '', deleted = false }) => ({
          id,
          name,
          deleted,
          profile: { display_name: displayName },
        })),
      ),
    'oauth.v2.access': (given) => grant(given),
  };

  function post(given: Arguments, token: string): object {
    if (!given.text && !given.blocks) return bad('no_text');
    const wanted = String(given.channel);
    const found = channels.find(({ id, name }) => id === wanted || name === wanted.replace(/^#/, ''));
    if (!found && !wanted.startsWith('D0')) return bad('channel_not_found');
    if (found?.isArchived) return bad('is_archived');
    if (found && !found.isMember) return bad('not_in_channel');
    const channel = found?.id ?? wanted;
    const ts = `1700000000.${String(posts.length + 1).padStart(6, '0')}`;
    posts.push({ ...given, channel, ts, token });
    return good({ channel, ts, message: { text: given.text, ts } });
  }

  function grant(given: Arguments): object {
    if (given.client_id !== CHAT_APP.clientId || given.client_secret !== CHAT_APP.clientSecret) {
      return bad('bad_client_secret');
    }
    const isRefresh = given.grant_type === 'refresh_token';
    if (isRefresh && given.refresh_token !== refreshToken) return bad('invalid_refresh_token');
    if (!isRefresh && given.code !== CHAT_CODE) return bad('invalid_code');
    grants += 1;
    refreshToken = `xoxe-${grants}`;
    live.add(`xoxb-${grants}`);
    return good({
      access_token: `xoxb-${grants}`,
      refresh_token: refreshToken,
      expires_in: 43_200,
      token_type: 'bot',
      scope: 'chat:write,channels:join',
      bot_user_id: 'U0BOT',
      app_id: 'A1',
      team: { id: 'T1', name: 'Team' },
      enterprise: null,
      is_enterprise_install: false,
      ...(isRefresh ? {} : { authed_user: { id: 'U1' } }),
    });
  }

  function response(request: FakeRequest): FakeReply {
    const given = readArguments(request);
    if (request.path === WEBHOOK_PATH) {
      const scripted = script.next('webhook');
      if (scripted) return scripted;
      hooked.push(given);
      return { status: 200, body: 'ok' };
    }
    const method = request.path.replace('/api/', '');
    const { token: argued, ...rest } = given;
    const token = request.headers.authorization?.replace('Bearer ', '') ?? String(argued ?? '');
    calls.push({ method, token, arguments: rest });
    const scripted = script.next(method);
    if (scripted) return scripted;
    const run = methods[method];
    if (!run) return chatError('unknown_method');
    if (method !== 'oauth.v2.access' && !live.has(token)) {
      return chatError(expired.has(token) ? 'token_expired' : token === '' ? 'not_authed' : 'invalid_auth');
    }
    return { status: 200, body: run(rest, token) };
  }

  const server = await startHttpFake(response);
  return {
    url: `${server.url}/api`,
    webhookPath: WEBHOOK_PATH,
    origin: server.url,
    outage: server.outage,
    close: server.close,
    posts,
    hooked,
    calls,
    users,
    channels,
    /** Sets the response to the next calls of a method, or of the `webhook`. */
    respondWith: script.respondWith,
    allow: (token: string) => live.add(token),
    expire(token: string) {
      live.delete(token);
      expired.add(token);
    },
  };
}

function good(body: object): object {
  return { ok: true, ...body };
}

function bad(error: string): object {
  return { ok: false, error };
}

function page(given: Arguments, name: string, all: object[]): object {
  const start = Number(String(given.cursor ?? '').replace('at-', '') || 0);
  const end = start + Number(given.limit ?? 100);
  const next_cursor = end < all.length ? `at-${end}` : '';
  return good({ [name]: all.slice(start, end), response_metadata: { next_cursor } });
}

// Clients that send a form write arrays and objects in it as JSON.
function readArguments({ headers, body }: FakeRequest): Arguments {
  const text = body.toString('utf8');
  if (headers['content-type']?.startsWith('application/json')) return JSON.parse(text);
  const entries = [...new URLSearchParams(text)];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, /^[[{]/.test(value) ? JSON.parse(value) : value]),
  );
}

import * as v from 'valibot';
import { createCache } from '../../runtime/async/cache.ts';
import { type ChatApi, type ChatResult, callChat, retryCall } from './chat-api.ts';

type People = {
  byName: Map<string, string>;
  byDisplayName: Map<string, Set<string>>;
  cursor: string;
  isComplete: boolean;
  startedAtMs: number;
};

const PAGE_SIZE = 200;
const PAGES_AT_ONCE_MAX = 40;
const LIFETIME_MS = 24 * 60 * 60_000;
const SECOND_LOOK_AFTER_MS = 10 * 60_000;
const WORKSPACES_MAX = 50;

const Page = v.object({
  members: v.array(
    v.object({
      id: v.string(),
      name: v.optional(v.string(), ''),
      deleted: v.optional(v.boolean(), false),
      profile: v.optional(v.object({ display_name: v.optional(v.string(), '') })),
    }),
  ),
  response_metadata: v.optional(v.object({ next_cursor: v.optional(v.string()) })),
});

/**
 * The people of a workspace, by the two names that a person writes after `@`. A directory over users.list, which has
 * no lookup by name: pages are read as far as needed and cached for 24 hours, also if a page fails, so that a retry
 * continues where the last attempt stopped. `keyOf` separates workspaces.
 */
export function createChatDirectory(api: ChatApi, keyOf: (accessToken: string) => string) {
  const workspaces = createCache<People>({ max: WORKSPACES_MAX });

  function startOver(key: string): People {
    const people: People = {
      byName: new Map(),
      byDisplayName: new Map(),
      cursor: '',
      isComplete: false,
      startedAtMs: api.now(),
    };
    workspaces.keep(key, people);
    return people;
  }

  async function readPage(people: People, accessToken: string): Promise<ChatResult<undefined>> {
    const { cursor } = people;
    const form = { limit: String(PAGE_SIZE), ...(cursor && { cursor }) };
    const response = await callChat(api, { method: 'users.list', accessToken, args: { form }, schema: Page });
    if (response.kind !== 'ok') return response;
    for (const { id, name, deleted, profile } of response.value.members) {
      if (!deleted) note(people, id, name, profile?.display_name ?? '');
    }
    people.cursor = response.value.response_metadata?.next_cursor ?? '';
    people.isComplete = people.cursor === '';
    return { kind: 'ok', value: undefined };
  }

  async function readUntilNamed(
    people: People,
    accessToken: string,
    name: string,
  ): Promise<ChatResult<undefined>> {
    for (let page = 0; !people.isComplete && !people.byName.has(name); page++) {
      if (page === PAGES_AT_ONCE_MAX)
        return retryCall('users.list: the workspace has more people than one attempt reads', 1);
      const read = await readPage(people, accessToken);
      if (read.kind !== 'ok') return read;
    }
    return { kind: 'ok', value: undefined };
  }

  return {
    /** Finds a user by name, then by display name. Rejects with `user_not_found` if neither matches. */
    async findUserId(accessToken: string, name: string): Promise<ChatResult<string>> {
      const key = keyOf(accessToken);
      const lowerName = name.toLowerCase();
      const held = workspaces.find(key);
      const isYoung = held !== undefined && api.now() - held.startedAtMs < LIFETIME_MS;
      const people = isYoung ? held : startOver(key);
      const read = await readUntilNamed(people, accessToken, lowerName);
      if (read.kind !== 'ok') return read;
      const found = findIn(people, lowerName);
      const mayHaveJoined = api.now() - people.startedAtMs > SECOND_LOOK_AFTER_MS;
      if (found.kind === 'ok' || !mayHaveJoined) return found;
      const newer = startOver(key);
      const readAgain = await readUntilNamed(newer, accessToken, lowerName);
      return readAgain.kind === 'ok' ? findIn(newer, lowerName) : readAgain;
    },
  };
}

function note(people: People, id: string, name: string, displayName: string): void {
  people.byName.set(name.toLowerCase(), id);
  const shown = displayName.toLowerCase();
  if (shown === '') return;
  people.byDisplayName.set(shown, (people.byDisplayName.get(shown) ?? new Set()).add(id));
}

// Two people may show the same name; a guess would hand one's message to the other.
function findIn(people: People, name: string): ChatResult<string> {
  const named = people.byName.get(name);
  if (named !== undefined) return { kind: 'ok', value: named };
  const [shown, ...others] = people.byDisplayName.get(name) ?? [];
  if (shown !== undefined && others.length === 0) return { kind: 'ok', value: shown };
  const internal = others.length > 0 ? 'several people have that display name' : 'no user has that name';
  return { kind: 'rejected', error: 'user_not_found', internal: `users.list: ${internal}` };
}

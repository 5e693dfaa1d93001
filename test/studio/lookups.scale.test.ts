import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changed } from '../../studio/src/state/changes.ts';

const urls: URL[] = [];
const responses: (() => Response | Promise<Response>)[] = [];
type Shown = { value: ReadonlyMap<string, { type: string }> };
type Listed = {
  query: string;
  items: { trackingId: string }[];
  isLoading: boolean;
  error?: { message: string };
};
let state: {
  want: (id: string) => void;
  records: Shown;
  outdated: { value: ReadonlySet<string> };
  load: (key: string, filters: object) => Promise<void>;
  refresh: (filters: object) => Promise<void>;
  more: () => Promise<void>;
  listed: { value: Listed };
};
/** Its types are those of a browser. */
const stateOf = (name: string) => import(join(import.meta.dirname, '../../studio/src/state', name));

beforeAll(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(new URL(url, 'http://localhost'));
    return responses.shift()?.() ?? Response.json({ error: { code: 'NONE' } }, { status: 400 });
  });
  const { config } = await stateOf('service.ts');
  config.value = { mode: 'sandbox', name: 'here', isReadOnly: false, apiUrl: 'http://localhost' };
  state = await stateOf('notifications.ts');
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const found = (type: string) => () => Response.json({ logs: [{ trackingId: 'a', type }] });
const rejected = () => Response.json({ error: { code: 'UNAUTHORIZED', message: 'No.' } }, { status: 401 });
const shown = () => state.records.value.get('a')?.type;

it('looks a visible notification up again when a lookup failed, and again after its changes', async () => {
  responses.push(rejected, found('first'), rejected, found('second'));
  state.want('a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown()).toBe('first');
  changed('a');
  state.want('a');
  await vi.advanceTimersByTimeAsync(10_000);
  // A row asks again while its entry is outdated.
  expect([...state.outdated.value]).toEqual([]);
  expect([shown(), responses.length]).toEqual(['second', 0]);
});

/** A response to the next request, which the test gives when it wants. */
function later() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  responses.push(() => promise);
  return {
    list: (ids: string[], nextCursor?: string) =>
      resolve(Response.json({ messages: ids.map((trackingId) => ({ trackingId })), nextCursor })),
    fail: () => resolve(rejected()),
  };
}
const shownIds = () => state.listed.value.items.map(({ trackingId }) => trackingId);
const problem = () => state.listed.value.error?.message;

describe('the list of notifications', () => {
  it('ignores what filters before these are answered, also when they are chosen again', async () => {
    const [first, second, third] = [later(), later(), later()];
    const loads = [state.load('A', {}), state.load('B', {}), state.load('A', {})];
    third.list(['new', 'old']);
    await loads[2];
    first.list(['old']);
    second.fail();
    await Promise.all(loads);
    expect([shownIds(), problem()]).toEqual([['new', 'old'], undefined]);
  });

  it('keeps what arrived after its request, in whichever order the answers come', async () => {
    const [loaded, refreshed] = [later(), later()];
    const asked = [state.load('C', {}), state.refresh({})];
    refreshed.list(['2', '1']);
    await asked[1];
    loaded.list(['1']);
    await asked[0];
    expect(shownIds()).toEqual(['2', '1']);
  });

  it('shows what failed until the same works, and reads the same page again', async () => {
    const steps = [later(), later(), later(), later(), later()] as const;
    const first = state.load('D', {});
    steps[0].fail();
    await first;
    expect([problem(), state.listed.value.isLoading]).toEqual(['No.', true]);
    const again = state.refresh({});
    steps[1].list(['3', '2'], 'next');
    await again;
    const failed = state.more();
    steps[2].fail();
    await failed;
    expect([problem(), shownIds()]).toEqual(['No.', ['3', '2']]);
    const next = state.more();
    steps[3].list(['1']);
    await next;
    expect([problem(), shownIds(), state.listed.value.isLoading]).toEqual([
      undefined,
      ['3', '2', '1'],
      false,
    ]);
    const restarted = state.load('D', {});
    expect(shownIds()).toEqual(['3', '2', '1']);
    steps[4].list(['9']);
    await restarted;
    expect(shownIds()).toEqual(['9']);
  });

  it('asks for the next page of a period with the filters that its cursor is bound to', async () => {
    const pages = [later(), later()] as const;
    const loaded = state.load('E', { since: 'hour' });
    pages[0].list(['2'], 'next');
    await loaded;
    const [first] = urls.slice(-1);
    await vi.advanceTimersByTimeAsync(5000);
    const added = state.more();
    pages[1].list(['1']);
    await added;
    const [second] = urls.slice(-1);
    expect(second?.searchParams.get('cursor')).toBe('next');
    expect(second?.searchParams.get('from')).toBe(first?.searchParams.get('from'));
    expect(shownIds()).toEqual(['2', '1']);
  });
});

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { changed } from '../../studio/src/state/changes.ts';

const answers: (() => Response)[] = [];
type Shown = { value: ReadonlyMap<string, { type: string }> };
let state: { want: (id: string) => void; records: Shown; outdated: { value: ReadonlySet<string> } };
/** Its types are those of a browser. */
const stateOf = (name: string) => import(join(import.meta.dirname, '../../studio/src/state', name));

beforeAll(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal(
    'fetch',
    async () => answers.shift()?.() ?? Response.json({ error: { code: 'NONE' } }, { status: 400 }),
  );
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
  answers.push(rejected, found('first'), rejected, found('second'));
  state.want('a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown()).toBe('first');
  changed('a');
  state.want('a');
  await vi.advanceTimersByTimeAsync(10_000);
  // A row asks again while its entry is outdated.
  expect([...state.outdated.value]).toEqual([]);
  expect([shown(), answers.length]).toEqual(['second', 0]);
});

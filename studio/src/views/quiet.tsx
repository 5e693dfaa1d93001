import { useState } from 'preact/hooks';
import type { User } from '../../../client/src/generated/types.ts';
import { act, Time } from '../parts/basics.tsx';
import { api } from '../state/service.ts';

const HOUR_MS = 3_600_000;
const PAUSES = [
  ['1 hour', HOUR_MS],
  ['1 day', 24 * HOUR_MS],
  ['1 week', 168 * HOUR_MS],
] as const;
const MODES = ['hold', 'drop'] as const;
const MODE_TEXTS = { hold: 'send when they end', drop: 'do not send' } as const;

/** Quiet hours and the pause of a user. */
export function Quiet({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { quietHours, pausedUntil } = user;
  const [from, setFrom] = useState(quietHours?.from ?? '');
  const [to, setTo] = useState(quietHours?.to ?? '');
  const [mode, setMode] = useState(quietHours?.mode ?? 'hold');
  const pausedMs = Date.parse(pausedUntil ?? '');
  const isPaused = pausedMs > Date.now();
  const change = (body: Parameters<typeof api.users.save>[1]) =>
    act(() => api.users.save(user.id, body), 'Saved').then(onSaved);
  const save = (event: Event) => {
    event.preventDefault();
    change({ quietHours: from && to ? { ...quietHours, from, to, mode } : null });
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Quiet hours</h2>
        <button type="submit" disabled={(from === '') !== (to === '')}>
          Save
        </button>
      </header>
      <div class="body">
        <div class="field-row">
          <label>
            From
            <input
              value={from}
              placeholder="22:00"
              onInput={({ currentTarget }) => setFrom(currentTarget.value)}
            />
          </label>
          <label>
            To
            <input
              value={to}
              placeholder="07:00"
              onInput={({ currentTarget }) => setTo(currentTarget.value)}
            />
          </label>
          <label>
            What happens then
            <select
              value={mode}
              onChange={({ currentTarget }) =>
                setMode(MODES.find((each) => each === currentTarget.value) ?? 'hold')
              }
            >
              {MODES.map((each) => (
                <option key={each} value={each}>
                  {MODE_TEXTS[each]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <p class="actions small">
          {isPaused ? (
            <span>
              Paused until <Time atMs={pausedMs} />
            </span>
          ) : (
            <span class="faint">Not paused</span>
          )}
          {PAUSES.map(([name, ms]) => (
            <button
              key={name}
              type="button"
              onClick={() => change({ pausedUntil: new Date(Date.now() + ms).toISOString() })}
            >
              Pause {name}
            </button>
          ))}
          {isPaused && (
            <button type="button" onClick={() => change({ pausedUntil: null })}>
              End the pause
            </button>
          )}
        </p>
      </div>
    </form>
  );
}

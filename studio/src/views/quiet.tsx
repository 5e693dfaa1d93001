import type { User } from '../../../client/src/generated/types.ts';
import { HOUR_MS } from '../../../shared/runtime/values/durations.ts';
import { act, Time, Unsaved } from '../parts/basics.tsx';
import { CHANNELS } from '../parts/channel.tsx';
import { Choices } from '../parts/choices.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useDraft } from '../state/drafts.ts';
import { api, serviceNowMs } from '../state/service.ts';

const PAUSES = [
  ['1 hour', HOUR_MS],
  ['1 day', 24 * HOUR_MS],
  ['1 week', 168 * HOUR_MS],
] as const;
const MODES = [
  ['hold', 'send when they end'],
  ['drop', 'do not send'],
] as const;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const HELD = CHANNELS.flatMap(({ id, name }) => (id === 'INAPP_WEB' ? [] : [{ id, name }]));
const HELD_IDS = HELD.map(({ id }) => id);

/** A stored day (`mon`, `Monday`, `1`; 0 is Sunday) as its English name. */
function dayName(day: string): string | undefined {
  const text = day.trim().toLowerCase();
  if (/^[0-6]$/.test(text)) return DAYS[(Number(text) + 6) % 7];
  return DAYS.find((each) => each.toLowerCase().startsWith(text));
}

type Change = Parameters<typeof api.users.save>[1];

export function Quiet({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { quietHours } = user;
  const saved = {
    from: quietHours?.from ?? '',
    to: quietHours?.to ?? '',
    mode: quietHours?.mode ?? 'hold',
    days: (quietHours?.days?.flatMap((day) => dayName(day) ?? []) ?? DAYS) as readonly string[],
    channels: (quietHours?.channels ?? HELD_IDS) as readonly string[],
  };
  const [entered, setEntered, draft] = useDraft(['user', user.id, 'quiet'], saved);
  const { from, to, mode, days, channels } = entered;
  const set = (part: Partial<typeof saved>) => setEntered({ ...entered, ...part });
  const change = async (body: Change, then?: () => void) => {
    if (!(await act(() => api.users.save(user.id, body), 'Saved'))) return;
    then?.();
    onSaved();
  };
  const save = (event: Event) => {
    event.preventDefault();
    const chosen = {
      from,
      to,
      mode,
      ...(days.length < DAYS.length ? { days: [...days] } : {}),
      ...(channels.length < HELD.length
        ? { channels: HELD_IDS.filter((each) => channels.includes(each)) }
        : {}),
    };
    change({ quietHours: from || to ? chosen : null }, draft.keep);
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Quiet hours</h2>
        <Unsaved draft={draft} name="quiet hours" />
        <button type="submit">Save</button>
      </header>
      <div class="body">
        <div class="field-row">
          <TextField
            name="quietHours.from"
            label="From"
            placeholder="22:00"
            value={from}
            set={(from) => set({ from: from.trim() })}
          />
          <TextField
            name="quietHours.to"
            label="To"
            placeholder="07:00"
            value={to}
            set={(to) => set({ to: to.trim() })}
          />
          <label>
            During quiet hours
            <Select value={mode} all={MODES} set={(mode) => set({ mode })} />
          </label>
        </div>
        <Choices
          legend="They begin on"
          name="quietHours.days"
          all={DAYS.map((day) => [day, day.slice(0, 3)])}
          chosen={days}
          set={(days) => set({ days })}
        />
        <Choices
          legend="For these channels"
          name="quietHours.channels"
          all={HELD.map(({ id, name }) => [id, name])}
          chosen={channels}
          set={(channels) => set({ channels })}
        />
        <Pause user={user} change={change} />
      </div>
    </form>
  );
}

function Pause({ user, change }: { user: User; change: (body: Change) => unknown }) {
  const pausedMs = Date.parse(user.pausedUntil ?? '');
  const isPaused = pausedMs > serviceNowMs();
  return (
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
          onClick={() => change({ pausedUntil: new Date(serviceNowMs() + ms).toISOString() })}
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
  );
}

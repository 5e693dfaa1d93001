import type { NotificationType } from '../../../client/src/generated/types.ts';
import { Unsaved } from '../parts/basics.tsx';
import { Select } from '../parts/select.tsx';
import { type Step, StepsEditor } from '../parts/steps-editor.tsx';
import { useDraft } from '../state/drafts.ts';
import type { api } from '../state/service.ts';

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const;
type Change = Parameters<typeof api.types.update>[1];
type Props = { type: NotificationType; change: (body: Change, then?: () => void) => unknown };

/** Limits how often a user gets the type, and how long the same content is dropped; an empty field turns it off. */
export function Limits({ type: { notificationId, throttling, deduplication, retention }, change }: Props) {
  const saved = {
    max: String(throttling?.max ?? ''),
    period: String(throttling?.period ?? 1),
    unit: (throttling?.unit ?? 'hours') as (typeof UNITS)[number],
    duration: String(deduplication?.duration ?? ''),
    days: String(retention ?? ''),
  };
  const [entered, setEntered, draft] = useDraft(['type', notificationId, 'limits'], saved);
  const { max, period, unit, duration, days } = entered;
  const set = (part: Partial<typeof saved>) => setEntered({ ...entered, ...part });
  const save = (event: Event) => {
    event.preventDefault();
    const limit = {
      max: Number(max),
      period: Number(period),
      unit,
      forever: throttling?.forever ?? false,
      scope: ['userId', 'notificationId'] as ['userId', 'notificationId'],
    };
    change(
      {
        throttling: max === '' ? null : limit,
        deduplication: duration === '' ? null : { duration: Number(duration) },
        retention: days === '' ? null : Number(days),
      },
      draft.keep,
    );
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Limits</h2>
        <Unsaved draft={draft} name="the limits" />
        <button type="submit">Save limits</button>
      </header>
      <div class="body">
        <div class="field-row">
          <NumberField
            label="Maximum notifications per user"
            value={max}
            set={(max) => set({ max })}
            placeholder="no limit"
          />
          <NumberField label="in a period of" value={period} set={(period) => set({ period })} />
          <label>
            Unit
            <Select value={unit} all={UNITS} set={(unit) => set({ unit })} />
          </label>
        </div>
        {throttling?.forever && <p class="small faint">The limit applies indefinitely, not per period.</p>}
        <div class="field-row">
          <NumberField
            label="Ignore duplicates for (seconds, 0 = always)"
            value={duration}
            set={(duration) => set({ duration })}
            placeholder="never"
          />
          <NumberField
            label="Keep logs for (days)"
            value={days}
            set={(days) => set({ days })}
            placeholder="the account’s time"
          />
        </div>
      </div>
    </form>
  );
}

type FieldProps = { label: string; value: string; set: (value: string) => void; placeholder?: string };

function NumberField({ label, value, set, placeholder = '' }: FieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        min="0"
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** The order in which channels are tried, unless a request has another. */
export function StepsOf({ type: { notificationId, steps: saved = [] }, change }: Props) {
  const [steps, setSteps, draft] = useDraft<Step[]>(['type', notificationId, 'steps'], saved);
  const save = (event: Event) => {
    event.preventDefault();
    change({ steps: steps.length > 0 ? steps : null }, draft.clear);
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Steps</h2>
        <Unsaved draft={draft} name="the steps" />
        <button type="submit" disabled={JSON.stringify(steps) === JSON.stringify(saved)}>
          Save steps
        </button>
      </header>
      <div class="body">
        <StepsEditor steps={steps} set={setSteps} />
      </div>
    </form>
  );
}

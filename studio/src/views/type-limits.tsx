import { useState } from 'preact/hooks';
import type { NotificationType } from '../../../client/src/generated/types.ts';
import { Select } from '../parts/select.tsx';
import { type Step, StepsEditor } from '../parts/steps-editor.tsx';
import type { api } from '../state/service.ts';

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const;
type Change = Parameters<typeof api.types.update>[1];
type Props = { type: NotificationType; change: (body: Change) => unknown };

/** Limits how often a user gets the type, and how long the same content is dropped; an empty field turns it off. */
export function Limits({ type: { throttling, deduplication, retention }, change }: Props) {
  const [max, setMax] = useState(String(throttling?.max ?? ''));
  const [period, setPeriod] = useState(String(throttling?.period ?? 1));
  const [unit, setUnit] = useState<(typeof UNITS)[number]>(throttling?.unit ?? 'hours');
  const [duration, setDuration] = useState(String(deduplication?.duration ?? ''));
  const [days, setDays] = useState(String(retention ?? ''));
  const save = (event: Event) => {
    event.preventDefault();
    const limit = {
      max: Number(max),
      period: Number(period),
      unit,
      forever: throttling?.forever ?? false,
      scope: ['userId', 'notificationId'] as ['userId', 'notificationId'],
    };
    change({
      throttling: max === '' ? null : limit,
      deduplication: duration === '' ? null : { duration: Number(duration) },
      retention: days === '' ? null : Number(days),
    });
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Limits</h2>
        <button type="submit">Save limits</button>
      </header>
      <div class="body">
        <div class="field-row">
          <NumberField
            label="Maximum notifications per user"
            value={max}
            set={setMax}
            placeholder="no limit"
          />
          <NumberField label="in a period of" value={period} set={setPeriod} />
          <label>
            Unit
            <Select value={unit} all={UNITS} set={setUnit} />
          </label>
        </div>
        {throttling?.forever && <p class="small faint">The limit applies indefinitely, not per period.</p>}
        <div class="field-row">
          <NumberField
            label="Drop duplicates for (seconds; 0: indefinitely)"
            value={duration}
            set={setDuration}
            placeholder="never"
          />
          <NumberField
            label="Keep logs for (days)"
            value={days}
            set={setDays}
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
export function StepsOf({ type: { steps: saved = [] }, change }: Props) {
  const [steps, setSteps] = useState<Step[]>(saved);
  const save = (event: Event) => {
    event.preventDefault();
    change({ steps: steps.length > 0 ? steps : null });
  };
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Steps</h2>
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

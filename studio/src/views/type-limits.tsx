import { Select } from '../parts/select.tsx';
import { StepsEditor } from '../parts/steps-editor.tsx';
import { TextField } from '../parts/text-field.tsx';
import { type PartProps, UNITS } from '../state/type-form.ts';

/** Limits how often a user gets the type, and how long the same content is dropped; an empty field turns it off. */
export function Limits({ value: entered, set: setEntered }: PartProps<'limits'>) {
  const { max, period, unit, forever, duration, days } = entered;
  const set = (part: Partial<typeof entered>) => setEntered({ ...entered, ...part });
  return (
    <section class="card">
      <header>
        <h2>Limits</h2>
      </header>
      <div class="body">
        <div class="field-row">
          <TextField
            isNumber
            name="throttling.max"
            label="Maximum notifications per user"
            value={max}
            set={(max) => set({ max })}
            placeholder="no limit"
          />
          <TextField
            isNumber
            name="throttling.period"
            label="in a period of"
            value={period}
            set={(period) => set({ period })}
          />
          <label>
            Unit
            <Select value={unit} all={UNITS} set={(unit) => set({ unit })} />
          </label>
        </div>
        {forever && <p class="small faint">The limit applies indefinitely, not per period.</p>}
        <div class="field-row">
          <TextField
            isNumber
            name="deduplication.duration"
            label="Ignore duplicates for (seconds, 0 = always)"
            value={duration}
            set={(duration) => set({ duration })}
            placeholder="never"
          />
          <TextField
            isNumber
            name="retention"
            label="Keep logs for (days)"
            value={days}
            set={(days) => set({ days })}
            placeholder="the account’s time"
          />
        </div>
      </div>
    </section>
  );
}

/** The default order in which channels are tried. */
export function StepsOf({ value, set }: PartProps<'steps'>) {
  return (
    <section class="card">
      <header>
        <h2>Steps</h2>
      </header>
      <div class="body">
        <StepsEditor steps={value} set={set} />
      </div>
    </section>
  );
}

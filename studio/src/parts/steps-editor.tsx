import type { SendOptions } from '../../../client/src/generated/types.ts';
import { CHANNELS, type ChannelId } from './channel.tsx';
import { Choices } from './choices.tsx';
import { Select } from './select.tsx';

export type Step = NonNullable<SendOptions['steps']>[number];

const STEPS_MAX = 5;
/** The steps of a new order: email to users who did not see the item in the app. */
const FIRST_STEPS: Step[] = [
  { channels: ['INAPP_WEB'] },
  { after: 'PT30M', when: 'unseen', channels: ['EMAIL'] },
];
const CONDITIONS = [
  ['unseen', 'unless the user has seen an earlier step'],
  ['undelivered', 'unless an earlier step was delivered'],
  ['always', 'in any case'],
] as const satisfies readonly [NonNullable<Step['when']>, string][];
const UNITS = ['minutes', 'hours', 'days'] as const satisfies readonly DelayUnit[];

type Props = { steps: readonly Step[]; set: (steps: Step[]) => void };

/** The order in which channels are tried. Channels outside all steps go with the first step. */
export function StepsEditor({ steps, set }: Props) {
  const used = steps.flatMap(({ channels }) => channels);
  const unused = CHANNELS.filter(({ id }) => !used.includes(id)).map(({ id }) => id);
  const change = (index: number, step: Step) => set(steps.map((each, at) => (at === index ? step : each)));
  const add = () => {
    const [next] = unused;
    if (steps.length === 0) set(FIRST_STEPS);
    else if (next) set([...steps, { after: 'PT1H', when: 'unseen', channels: [next] }]);
  };
  // A single step is no order.
  const remove = (index: number) => set(steps.length <= 2 ? [] : steps.filter((_, at) => at !== index));
  return (
    <div class="step-list">
      {steps.map((step, index) => (
        <StepFields
          key={index}
          step={step}
          number={index + 1}
          taken={used.filter((each) => !step.channels.includes(each))}
          set={(next) => change(index, next)}
          remove={() => remove(index)}
        />
      ))}
      <p class="actions">
        <button
          type="button"
          disabled={steps.length >= STEPS_MAX || (steps.length > 0 && unused.length === 0)}
          onClick={add}
        >
          {steps.length === 0 ? 'Send in steps' : 'Add a step'}
        </button>
        {steps.length === 0 && <span class="small faint">All channels go at the same time.</span>}
        {unused.length > 0 && steps.length > 0 && (
          <span class="small faint">Other channels go with the first step.</span>
        )}
      </p>
    </div>
  );
}

type StepProps = {
  step: Step;
  number: number;
  taken: readonly ChannelId[];
  set: (step: Step) => void;
  remove: () => void;
};

function StepFields({ step, number, taken, set, remove }: StepProps) {
  const { channels } = step;
  // The last channel of a step stays, and a channel has one step.
  const fixed = channels.length === 1 ? [...taken, ...channels] : taken;
  return (
    <div class="step-fields">
      <Choices
        legend={`Step ${number}`}
        all={CHANNELS.map(({ id, name }) => [id, name] as const)}
        chosen={channels}
        fixed={fixed}
        set={(chosen) => set({ ...step, channels: chosen })}
      />
      {number > 1 && <Start step={step} number={number} set={set} />}
      {number > 1 && (
        <button type="button" aria-label={`Remove step ${number}`} onClick={remove}>
          Remove
        </button>
      )}
    </div>
  );
}

function Start({ step, number, set }: Pick<StepProps, 'step' | 'number' | 'set'>) {
  const { count, unit } = delayOf(step.after);
  const delay = (next: number, of: DelayUnit) => set({ ...step, after: DELAY_UNITS[of].write(next) });
  return (
    <div class="actions">
      <label>
        Delay
        <input
          type="number"
          min="0"
          aria-label={`Delay of step ${number}`}
          value={count}
          onInput={({ currentTarget }) => delay(Math.max(0, Math.floor(Number(currentTarget.value))), unit)}
        />
      </label>
      <label>
        Unit
        <Select
          label={`Unit of the delay of step ${number}`}
          value={unit}
          all={UNITS}
          set={(each) => delay(count, each)}
        />
      </label>
      <label>
        Condition
        <Select
          label={`Condition of step ${number}`}
          value={step.when ?? 'unseen'}
          all={CONDITIONS}
          set={(when) => set({ ...step, when })}
        />
      </label>
    </div>
  );
}

/** Units of a delay, with the ISO 8601 duration of a number of them. */
const DELAY_UNITS = {
  minutes: { seconds: 60, write: (count: number) => `PT${count}M` },
  hours: { seconds: 3600, write: (count: number) => `PT${count}H` },
  days: { seconds: 86_400, write: (count: number) => `P${count}D` },
} as const;

type DelayUnit = keyof typeof DELAY_UNITS;

const SECONDS: Readonly<Record<string, number>> = { W: 604_800, D: 86_400, H: 3600, M: 60, S: 1 };

/** A duration in its largest unit without a remainder: `PT120M` is two hours. Zero minutes if it is not one. */
function delayOf(duration = ''): { count: number; unit: DelayUnit } {
  const parts = [...duration.matchAll(/(?<!\d)(\d+(?:\.\d+)?)([WDHMS])/g)];
  const seconds = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0);
  const units: readonly DelayUnit[] = ['days', 'hours', 'minutes'];
  const unit = units.find((each) => seconds > 0 && seconds % DELAY_UNITS[each].seconds === 0) ?? 'minutes';
  return { count: seconds / DELAY_UNITS[unit].seconds, unit };
}

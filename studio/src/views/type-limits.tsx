import { useState } from 'preact/hooks';
import type { NotificationType } from '../../../client/src/generated/types.ts';
import { channelOf } from '../parts/channel.tsx';
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
  const field = (label: string, value: string, set: (value: string) => void, placeholder = '') => (
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
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Limits</h2>
        <button type="submit">Save limits</button>
      </header>
      <div class="body">
        <div class="field-row">
          {field('Most notifications per user', max, setMax, 'no limit')}
          {field('in a period of', period, setPeriod)}
          <label>
            Unit
            <select
              value={unit}
              onChange={({ currentTarget }) =>
                setUnit(UNITS.find((each) => each === currentTarget.value) ?? 'hours')
              }
            >
              {UNITS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </div>
        {throttling?.forever && <p class="small faint">The limit applies indefinitely, not per period.</p>}
        <div class="field-row">
          {field('Drop the same content for (seconds; 0: always)', duration, setDuration, 'never')}
          {field('Keep logs for (days)', days, setDays, 'the account’s time')}
        </div>
      </div>
    </form>
  );
}

const CONDITIONS = {
  unseen: 'unless the user has seen an earlier step',
  undelivered: 'unless an earlier step was delivered',
  always: 'in any case',
} as const;

/** The order in which channels are tried. */
export function StepsOf({ type: { steps = [] } }: { type: NotificationType }) {
  if (steps.length === 0) return null;
  return (
    <div class="card">
      <header>
        <h2>Steps</h2>
      </header>
      <ol class="steps">
        {steps.map(({ channels, after, when = 'unseen' }, index) => (
          <li key={channels.join()}>
            <span class="strong">{channels.map((id) => channelOf(id)?.name ?? id).join(', ')}</span>
            {index > 0 && (
              <span class="faint">
                {' '}
                {after ? `${delayText(after)} later, ` : 'immediately, '}
                {CONDITIONS[when]}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

const UNIT_NAMES: Readonly<Record<string, string>> = { W: 'weeks', D: 'days', H: 'h', M: 'min', S: 's' };

/** `PT1H30M` -> `1 h 30 min`. */
function delayText(duration: string): string {
  const parts = [...duration.matchAll(/(\d+)([WDHMS])/g)];
  return parts.map(([, count, unit = '']) => `${count} ${UNIT_NAMES[unit] ?? unit}`).join(' ');
}

import type { NotificationType } from '../../../client/src/generated/types.ts';
import { Unsaved } from '../parts/basics.tsx';
import { type ChannelId, channelOf } from '../parts/channel.tsx';
import { deliveryModesOf } from '../parts/delivery-modes.ts';
import { Select } from '../parts/select.tsx';
import { useDraft } from '../state/drafts.ts';
import type { api } from '../state/service.ts';

type Change = Parameters<typeof api.types.update>[1];
type Option = { enabled?: boolean; hour?: string; day?: string; date?: string };
type Options = Record<string, Record<string, Option | string | undefined> | undefined>;
type Props = { type: NotificationType; change: (body: Change, then?: () => void) => unknown };

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
/** The hour at which each kind of digest is sent unless the type has another. */
const HOUR: Readonly<Record<string, string>> = { daily: '08:00', weekly: '09:00', monthly: '10:00' };

/** The options that users may choose on each channel, and when its digests are sent. */
export function DeliveryTimes({ type, change }: Props) {
  const saved = (type.options ?? {}) as unknown as Options;
  const [options, setOptions, draft] = useDraft(['type', type.notificationId, 'options'], saved);
  const set = (channel: string, mode: string, option: Option) =>
    setOptions({
      ...options,
      [channel]: {
        defaultDeliveryOption: 'instant',
        ...options[channel],
        [mode]: { ...optionOf(options, channel, mode), ...option },
      },
    });
  const save = (event: Event) => {
    event.preventDefault();
    change({ options } as unknown as Change, draft.clear);
  };
  const channels = type.channels.filter((channel): channel is ChannelId => channelOf(channel) !== undefined);
  return (
    <form class="card" onSubmit={save}>
      <header>
        <h2>Options of users</h2>
        <Unsaved draft={draft} name="the options" />
        <button type="submit" disabled={JSON.stringify(options) === JSON.stringify(saved)}>
          Save options
        </button>
      </header>
      <div class="body">
        {channels.map((channel) => (
          <fieldset key={channel} class="plain">
            <legend class="small strong">{channelOf(channel)?.name}</legend>
            <div class="actions">
              {deliveryModesOf(channel)
                .filter((mode) => !type.required || mode !== 'off')
                .map((mode) => (
                  <Mode
                    key={mode}
                    label={`${mode} ${channelOf(channel)?.name}`}
                    mode={mode}
                    option={optionOf(options, channel, mode)}
                    isDefault={(options[channel]?.defaultDeliveryOption ?? 'instant') === mode}
                    set={(option) => set(channel, mode, option)}
                  />
                ))}
            </div>
          </fieldset>
        ))}
      </div>
    </form>
  );
}

function optionOf(options: Options, channel: string, mode: string): Option {
  const option = options[channel]?.[mode];
  return typeof option === 'object' ? option : {};
}

type ModeProps = {
  label: string;
  mode: string;
  option: Option;
  isDefault: boolean;
  set: (option: Option) => void;
};

function Mode({ label, mode, option, isDefault, set }: ModeProps) {
  // Users can choose instant and off unless the type forbids it; digests only if it allows them.
  const isOn = isDefault || (option.enabled ?? (mode === 'instant' || mode === 'off'));
  return (
    <span class="actions">
      <label class="check">
        <input
          type="checkbox"
          aria-label={label}
          checked={isOn}
          disabled={isDefault}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
        {mode}
      </label>
      {isOn && mode in HOUR && (
        <Select<string>
          label={`Hour of ${label}`}
          value={hourOf(option.hour) ?? HOUR[mode] ?? ''}
          all={HOURS}
          set={(hour) => set({ enabled: true, hour })}
        />
      )}
      {isOn && mode === 'weekly' && (
        <Select<string>
          label={`Day of ${label}`}
          value={DAYS.find((day) => day === option.day) ?? 'Monday'}
          all={DAYS}
          set={(day) => set({ enabled: true, day })}
        />
      )}
      {isOn && mode === 'monthly' && (
        <Select<string>
          label={`Date of ${label}`}
          value={option.date ?? 'first'}
          all={[
            ['first', 'first day'],
            ['last', 'last day'],
          ]}
          set={(date) => set({ enabled: true, date })}
        />
      )}
    </span>
  );
}

/** A stored hour (`8`, `08:00`, `8:00 am`) as the list has it. */
function hourOf(text: string | undefined): string | undefined {
  const [, hour, half] = /^(\d{1,2})(?::\d\d)?\s*(am|pm)?$/i.exec(text ?? '') ?? [];
  if (hour === undefined) return undefined;
  const base = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  return HOURS[base];
}

import { type ChannelId, channelOf } from '../parts/channel.tsx';
import { deliveryModesOf } from '../parts/delivery-modes.ts';
import { Select } from '../parts/select.tsx';
import type { Option, Options, PartProps, TypeForm } from '../state/type-form.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
/** The default hour of each kind of digest. */
const HOUR: Readonly<Record<string, string>> = { daily: '08:00', weekly: '09:00', monthly: '10:00' };

type Props = PartProps<'options'> & { channels: TypeForm['channels']; isRequired: boolean };

/** The options that users may choose on each channel, and when its digests are sent. */
export function DeliveryTimes({ value: options, set: setOptions, channels: all, isRequired }: Props) {
  const set = (channel: string, mode: string, option: Option) =>
    setOptions({
      ...options,
      [channel]: {
        defaultDeliveryOption: 'instant',
        ...options[channel],
        [mode]: { ...optionOf(options, channel, mode), ...option },
      },
    });
  const channels = all.filter((channel): channel is ChannelId => channelOf(channel) !== undefined);
  return (
    <section class="card">
      <header>
        <h2>Options of users</h2>
      </header>
      <div class="body">
        {channels.map((channel) => (
          <fieldset key={channel} class="plain">
            <legend class="small strong">{channelOf(channel)?.name}</legend>
            <div class="actions">
              {deliveryModesOf(channel)
                .filter((mode) => !isRequired || mode !== 'off')
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
    </section>
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

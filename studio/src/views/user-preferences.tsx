import { act, Problem, Skeleton, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { deliveryModesOf } from '../parts/delivery-modes.ts';
import { Select } from '../parts/select.tsx';
import { toast } from '../parts/toasts.tsx';
import { Words } from '../parts/words.tsx';
import { api } from '../state/service.ts';

/** Types down, channels across, one click per cell. */
export function Preferences({ id }: { id: string }) {
  const { value, error, reload } = useLoaded(() => api.preferences.get(id), [id]);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton lines={3} />;
  const { preferences, notifications } = value;
  const chosen = (notificationId: string, channel: string) =>
    preferences.find(
      (each) => each.notificationId === notificationId && each.channel === channel && !each.subNotificationId,
    )?.delivery;
  const set = async (notificationId: string, channel: string, before: string, delivery: string) => {
    const save = (mode: string) =>
      api.preferences.save(id, [{ notificationId, channel, delivery: mode }] as Parameters<
        typeof api.preferences.save
      >[1]);
    if (await act(() => save(delivery))) {
      reload();
      toast(`${notificationId}: ${delivery}`, () => act(() => save(before)).then(reload));
    }
  };
  return (
    <div class="card">
      <header>
        <h2>Preferences</h2>
        <span class="small faint">
          * the type’s default<span class="only-small"> · scroll sideways for more channels →</span>
        </span>
      </header>
      {notifications.length === 0 ? (
        <p class="body faint">No notification types yet.</p>
      ) : (
        <div class="wide grid">
          <table>
            <thead>
              <tr>
                <th>Type</th>
                {CHANNELS.map(({ id: channel, name }) => (
                  <th key={channel}>
                    <span class="head">
                      <ChannelIcon channel={channel} /> {name}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {notifications.map(({ notificationId, title, category, required, channels, options }) => (
                <tr key={notificationId}>
                  <th scope="row">
                    <Words text={title} />{' '}
                    <Words
                      class="small faint"
                      text={[category, required && 'required'].filter(Boolean).join(', ')}
                    />
                  </th>
                  {CHANNELS.map(({ id: channel, name }) => {
                    const standard = standardOf(options, channel);
                    const shown = chosen(notificationId, channel) ?? standard;
                    return (
                      <Cell
                        key={channel}
                        {...{ channel, label: `${title}, ${name}`, isOffered: channels.includes(channel) }}
                        {...{ standard, shown }}
                        set={(delivery) => set(notificationId, channel, shown, delivery)}
                      />
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function standardOf(options: unknown, channel: ChannelId): string {
  const byChannel = options as Record<string, { defaultDeliveryOption?: string }> | undefined;
  return byChannel?.[channel]?.defaultDeliveryOption ?? 'instant';
}

type CellProps = {
  channel: ChannelId;
  label: string;
  /** True if the type has the channel. */
  isOffered: boolean;
  standard: string;
  shown: string;
  set: (delivery: string) => void;
};

function Cell({ channel, label, isOffered, standard, shown, set }: CellProps) {
  if (!isOffered) return <td class="faint">–</td>;
  const all = deliveryModesOf(channel).map((mode) => [mode, mode === standard ? `${mode}*` : mode] as const);
  return (
    <td>
      <Select<string> label={label} value={shown} all={all} set={set} />
    </td>
  );
}

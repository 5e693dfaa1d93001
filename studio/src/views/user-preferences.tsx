import { act, Problem, Skeleton, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon } from '../parts/channel.tsx';
import { toast } from '../parts/toasts.tsx';
import { api } from '../state/service.ts';

const MODES = ['off', 'instant', 'hourly', 'daily', 'weekly', 'monthly'] as const;

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
  const set = async (notificationId: string, channel: string, delivery: string) => {
    const before = chosen(notificationId, channel);
    const save = (mode: string) =>
      api.preferences.save(id, [{ notificationId, channel, delivery: mode }] as Parameters<
        typeof api.preferences.save
      >[1]);
    if (await act(() => save(delivery))) {
      reload();
      toast(`${notificationId}: ${delivery}`, before ? () => save(before).then(reload) : undefined);
    }
  };
  return (
    <div class="card">
      <header>
        <h2>Preferences</h2>
        <span class="small faint">* the type’s default</span>
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
              {notifications.map(({ notificationId, title, channels, options }) => (
                <tr key={notificationId}>
                  <th scope="row" title={title}>
                    {title}
                  </th>
                  {CHANNELS.map(({ id: channel, name }) => {
                    if (!channels.includes(channel))
                      return (
                        <td key={channel} class="faint">
                          –
                        </td>
                      );
                    const option = (
                      options as Record<string, { defaultDeliveryOption?: string }> | undefined
                    )?.[channel];
                    const standard = option?.defaultDeliveryOption ?? 'instant';
                    return (
                      <td key={channel}>
                        <select
                          aria-label={`${title}, ${name}`}
                          value={chosen(notificationId, channel) ?? standard}
                          onChange={({ currentTarget }) => set(notificationId, channel, currentTarget.value)}
                        >
                          {MODES.filter(
                            (mode) => channel !== 'INAPP_WEB' || mode === 'off' || mode === 'instant',
                          ).map((mode) => (
                            <option key={mode} value={mode}>
                              {mode}
                              {mode === standard ? '*' : ''}
                            </option>
                          ))}
                        </select>
                      </td>
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

import type { Methods } from '../generated/methods.ts';
import type { Channel } from '../generated/types.ts';

type Answer = Awaited<ReturnType<Methods['preferences']['get']>>;
/** A delivery option. */
export type Delivery = Answer['preferences'][number]['delivery'];

/** The choices of a user for one type, or one of its sub-notifications. */
export type PreferenceRow = {
  notificationId: string;
  subNotificationId?: string | undefined;
  title: string;
  cells: { channel: Channel; options: Delivery[]; delivery: Delivery }[];
};

const DELIVERIES: readonly Delivery[] = ['off', 'instant', 'hourly', 'daily', 'weekly', 'monthly'];

/** Returns a row for each type, followed by its sub-notifications that have a preference. */
export function preferenceRows({ notifications, preferences }: Answer): PreferenceRow[] {
  return notifications.flatMap(({ notificationId, title, channels, options }) => {
    const own = preferences.filter((each) => each.notificationId === notificationId);
    const cellsOf = (chosen: (channel: Channel) => Delivery | undefined) =>
      channels.map((channel) => {
        const settings: Settings | undefined = options[channel];
        const enabled = DELIVERIES.filter((each) => isEnabled(settings, each));
        const fallback = settings?.defaultDeliveryOption ?? 'instant';
        const choice = chosen(channel);
        const delivery = choice && enabled.includes(choice) ? choice : fallback;
        const shown = enabled.includes(delivery) ? enabled : [delivery, ...enabled];
        return { channel, options: shown, delivery };
      });
    const choiceOf = (channel: Channel, sub?: string) =>
      own.find((each) => each.channel === channel && each.subNotificationId === sub)?.delivery;
    const subs = [...new Set(own.flatMap(({ subNotificationId: sub }) => (sub === undefined ? [] : [sub])))];
    return [
      { notificationId, title, cells: cellsOf((channel) => choiceOf(channel)) },
      ...subs.map((sub) => ({
        notificationId,
        subNotificationId: sub,
        title: `${title}: ${sub}`,
        cells: cellsOf((channel) => choiceOf(channel, sub) ?? choiceOf(channel)),
      })),
    ];
  });
}

type Settings = { defaultDeliveryOption: Delivery } & Partial<Record<Delivery, { enabled: boolean }>>;

/** Off and instant are enabled unless the type disables them. */
function isEnabled(settings: Settings | undefined, delivery: Delivery): boolean {
  return settings?.[delivery]?.enabled ?? (delivery === 'off' || delivery === 'instant');
}

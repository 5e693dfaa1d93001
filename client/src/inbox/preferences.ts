import type { Methods } from '../generated/methods.ts';
import type { Channel } from '../generated/types.ts';

type PreferencesResponse = Awaited<ReturnType<Methods['preferences']['get']>>;
export type Delivery = PreferencesResponse['preferences'][number]['delivery'];

/** The choices of a user for one type, or one of its sub-notifications. */
export type PreferenceRow = {
  notificationId: string;
  subNotificationId?: string | undefined;
  title: string;
  category?: string | undefined;
  /** True if the user cannot turn it off on any channel. */
  required?: boolean | undefined;
  cells: { channel: Channel; options: Delivery[]; delivery: Delivery }[];
};

/** The names of channels, in display order. */
export const CHANNEL_TEXTS = {
  email: 'Email',
  inapp_web: 'In-app',
  sms: 'Text message',
  call: 'Call',
  push: 'Mobile push',
  web_push: 'Browser push',
  chat: 'Chat',
};

/** The names of the delivery options. */
export const DELIVERY_TEXTS = {
  off: 'Off',
  instant: 'Instant',
  hourly: 'Hourly',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
};

const DELIVERIES = Object.keys(DELIVERY_TEXTS) as Delivery[];

/** The channels of the rows, in order. */
export function channelsOf(rows: readonly PreferenceRow[]): Channel[] {
  const channels = Object.keys(CHANNEL_TEXTS).map((name) => name.toUpperCase() as Channel);
  return channels.filter((each) => rows.some(({ cells }) => cells.some(({ channel }) => channel === each)));
}

/** Returns a row for each type, followed by its sub-notifications that have a preference. */
export function preferenceRows({ notifications, preferences }: PreferencesResponse): PreferenceRow[] {
  return notifications.flatMap(({ channels, options, ...type }) => {
    const { notificationId, title } = type;
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
      { ...type, cells: cellsOf((channel) => choiceOf(channel)) },
      ...subs.map((sub) => ({
        ...type,
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

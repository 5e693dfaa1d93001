import * as v from 'valibot';

/** The seven channels, in the order of responses. */
export const CHANNELS = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'CHAT'] as const;

export const Channel = v.picklist(CHANNELS);
export type Channel = v.InferOutput<typeof Channel>;

/** A channel in a path: an unknown one is checked with the rest of the path. */
export const ChannelText = v.string();

/** A value for every channel: `CHANNELS` has them all. */
export function byChannel<T>(valueAt: (channel: Channel) => T): Record<Channel, T> {
  const values: Partial<Record<Channel, T>> = {};
  for (const channel of CHANNELS) values[channel] = valueAt(channel);
  return values as Record<Channel, T>;
}

/** Prefix of a channel's fields in the delivery log record. */
export const LOG_PREFIX = {
  EMAIL: 'email',
  INAPP_WEB: 'inapp',
  SMS: 'sms',
  CALL: 'call',
  PUSH: 'mobile_push',
  WEB_PUSH: 'web_push',
  CHAT: 'chat',
} as const satisfies Record<Channel, string>;

/** Names of the channels in texts for people. */
export const CHANNEL_NAMES: Record<Channel, string> = {
  EMAIL: 'Email',
  INAPP_WEB: 'In-app',
  SMS: 'SMS',
  CALL: 'Call',
  PUSH: 'Push',
  WEB_PUSH: 'Web push',
  CHAT: 'Chat',
};

/** A prefix of log fields. */
export const LogPrefix = v.picklist(CHANNELS.map((channel) => LOG_PREFIX[channel]));
export type LogPrefix = v.InferOutput<typeof LogPrefix>;

/** The channel of a prefix; undefined for any other text. */
export function channelOfPrefix(prefix: LogPrefix): Channel;
export function channelOfPrefix(prefix: string | undefined): Channel | undefined;
export function channelOfPrefix(prefix: string | undefined): Channel | undefined {
  return CHANNELS.find((channel) => LOG_PREFIX[channel] === prefix);
}

/** Name of a channel's inline content block in a send request. */
export const CONTENT_BLOCK = { ...LOG_PREFIX };

import type { DeliveryByChannel, DeliveryOutcome } from '../../shared/channels/channel.ts';
import type { Channel } from '../../shared/schemas/channel.ts';

/** A message that a provider accepted. */
export type Accepted = {
  channel: Channel;
  provider: string;
  trackingId: string;
  delivery: DeliveryByChannel[Channel];
};

/** The behaviour of providers, receivers and the stream in a scenario; undefined is success. */
export type Script = {
  deliver?: (delivery: Accepted) => DeliveryOutcome | undefined;
  /** True if each channel has a second provider. */
  isOrdered?: boolean;
  receive?: (count: number) => number;
  /** Time that a provider needs for a message; none by default. */
  takesMs?: (delivery: Pick<Accepted, 'channel' | 'provider'>) => number;
  /** Time that an attachment takes to fetch; none by default. */
  fetchMs?: number;
  /** Emails are at least this far apart. */
  emailEveryMs?: number;
  /** Messages of others that wait on each channel's queue. */
  crowd?: number;
  /** The shards of the stream; one by default. */
  shards?: readonly string[];
};

import { CHANNEL_QUEUES } from '../../../shared/messaging/queue-names.ts';
import { entriesOf, splitOrder } from '../../../shared/providers/order/provider-order.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import type { Parameters } from '../parameters/parameters.ts';

export function channelsOf({ channels }: Pick<Parameters, 'channels'>): readonly Channel[] {
  const names = channels.split(',');
  return CHANNELS.filter((channel) => names.includes(channel));
}

type Given = Pick<Parameters, 'channels' | 'settings' | 'sesReceiving' | 'eventBus'>;

const PROVIDER_SETTING: Record<Channel, string> = {
  EMAIL: 'EMAIL_PROVIDER',
  INAPP_WEB: 'INAPP_PROVIDER',
  SMS: 'SMS_PROVIDER',
  CALL: 'CALL_PROVIDER',
  PUSH: 'PUSH_PROVIDER',
  WEB_PUSH: 'WEB_PUSH_PROVIDER',
  CHAT: 'CHAT_PROVIDER',
};
const PROVIDER_BY_DEFAULT: Partial<Record<Channel, string>> = { EMAIL: 'ses', SMS: 'aws', CALL: 'aws' };

/** True if one of the channels is on and delivered through the provider. */
export function usesProvider(parameters: Given, channels: readonly Channel[], provider: string): boolean {
  const on = channelsOf(parameters);
  return channels.some((channel) => {
    const order = parameters.settings[PROVIDER_SETTING[channel]] || PROVIDER_BY_DEFAULT[channel] || 'live';
    const entries = entriesOf(splitOrder(order));
    return on.includes(channel) && entries.some((entry) => entry.provider === provider);
  });
}

const IS_USED: Readonly<Record<string, (given: Given) => boolean>> = {
  ...Object.fromEntries(
    CHANNELS.map((channel) => [
      CHANNEL_QUEUES[channel],
      (parameters: Given) => channelsOf(parameters).includes(channel),
    ]),
  ),
  'ingest-inbound-sms': (parameters) => usesProvider(parameters, ['SMS'], 'aws'),
  'answer-texts': (parameters) => channelsOf(parameters).includes('SMS'),
  'publish-events': ({ eventBus }) => eventBus !== '',
  'ingest-mail': ({ sesReceiving }) => sesReceiving,
};

/**
 * True if anything in the deployment sends to a worker's queue. Lambda polls a queue around the clock, so an
 * unused event source is disabled: the queues are most of the idle bill (docs/scale.md).
 */
export function isSourceUsed(worker: string, parameters: Parameters): boolean {
  return IS_USED[worker]?.(parameters) ?? true;
}

/** True if anything is sent over SES: notifications, or the service's own emails. */
export function usesSes({ settings }: Pick<Parameters, 'settings'>): boolean {
  const entries = entriesOf(splitOrder(settings.EMAIL_PROVIDER || 'ses'));
  return entries.some(({ provider }) => provider === 'ses');
}

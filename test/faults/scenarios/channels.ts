import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import type { Scenario } from '../run.ts';
import { type Ends, toChannels } from '../story.ts';

const allSent = (channels: readonly Channel[]): Ends =>
  Object.fromEntries(channels.map((channel) => [channel, 'sent']));

export const scenarios: readonly Scenario[] = [
  ...(CHANNELS.map((channel) => ({
    name: channel,
    act: (story) => story.send(toChannels([channel]), allSent([channel])),
  })) satisfies Scenario[]),
  {
    name: 'all channels at once',
    act: (story) => story.send(toChannels(CHANNELS), allSent(CHANNELS)),
  },
];

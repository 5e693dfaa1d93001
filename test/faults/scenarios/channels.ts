import { handler as saveTemplate } from '../../../functions/templates/create-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
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
    name: 'all channels together',
    act: (story) => story.send(toChannels(CHANNELS), allSent(CHANNELS)),
  },
];

const TEMPLATES: Record<Channel, object> = {
  EMAIL: { subject: 's', html: 'h' },
  INAPP_WEB: { title: 't' },
  SMS: { text: 'm' },
  CALL: { text: 'm' },
  PUSH: { title: 't', message: 'm' },
  WEB_PUSH: { title: 't', message: 'm' },
  CHAT: { text: 't' },
};

/** A notification whose content is a stored template. */
export const templated: readonly Scenario[] = CHANNELS.map((channel) => ({
  name: `a template of ${channel}`,
  async before(story) {
    const notificationId = 'stored';
    await story.request(createType, { body: { notificationId, title: 'Stored', channels: [channel] } });
    const body = { templateId: 'only', ...TEMPLATES[channel] };
    await story.request(saveTemplate, { path: { notificationId, channel }, body });
  },
  act: (story) => story.send({ type: 'stored', to: { id: 'ada' } }, allSent([channel])),
}));

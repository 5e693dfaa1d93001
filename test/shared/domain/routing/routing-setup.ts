import { type RoutingInput, routeNotification } from '../../../../shared/domain/routing/routing.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import type { ContentBlocks } from '../../../../shared/schemas/sending/send-request.ts';

export const CONTENT: ContentBlocks = {
  email: { subject: 's', html: 'h' },
  inapp: { title: 't' },
  sms: { message: 'm' },
  call: { message: 'm' },
  mobile_push: { title: 't' },
  web_push: { message: 'm' },
  chat: { text: 't' },
};
export const USER: RoutingInput['user'] = {
  email: 'ada@example.com',
  number: '+14155550123',
  pushTokens: [{ type: 'FCM', token: 't', savedAtMs: 0 }],
  webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } } }],
  chatChannel: '#general',
  chatToken: { access_token: 't' },
};

function inputWith(
  overrides: Partial<RoutingInput> = {},
  type: Partial<RoutingInput['type']> = {},
): RoutingInput {
  return {
    type: { channels: CHANNELS, enabled: true, templates: [], ...type },
    content: CONTENT,
    user: USER,
    preferenceOf: () => undefined,
    disableSending: [],
    scheduled: false,
    ...overrides,
  };
}

export const decide = (overrides?: Partial<RoutingInput>, type?: Partial<RoutingInput['type']>) =>
  routeNotification(inputWith(overrides, type));

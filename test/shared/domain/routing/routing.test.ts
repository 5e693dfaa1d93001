import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGoing, type RoutingInput, routeNotification } from '../../../../shared/domain/routing/routing.ts';
import { CHANNELS, type Channel, CONTENT_BLOCK } from '../../../../shared/schemas/channel.ts';
import type { ContentBlocks } from '../../../../shared/schemas/sending/send-request.ts';

const CONTENT: ContentBlocks = {
  email: { subject: 's', html: 'h' },
  inapp: { title: 't' },
  sms: { message: 'm' },
  call: { message: 'm' },
  mobile_push: { title: 't' },
  web_push: { message: 'm' },
  chat: { text: 't' },
};
const USER: RoutingInput['user'] = {
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

const decide = (overrides?: Partial<RoutingInput>, type?: Partial<RoutingInput['type']>) =>
  routeNotification(inputWith(overrides, type));

const template = (channel: Channel, templateId: string, defaultFor: string[], version = 1) => ({
  channel,
  templateId,
  version,
  defaultFor,
});

describe.each(CHANNELS)('%s', (channel) => {
  const only = (overrides: Partial<RoutingInput> = {}, type: Partial<RoutingInput['type']> = {}) => {
    const result = decide(overrides, { channels: [channel], ...type });
    return { decided: result.routing[channel], messages: result.messages, ignored: result.ignored };
  };
  const reasonOf = (messages: string[]) =>
    messages.filter((each) => each.startsWith(`${channel} is not sent: `));
  const block = CONTENT_BLOCK[channel];

  it('becomes SEND when it is enabled and nothing prevents it', () => {
    const result = decide({ content: { [block]: CONTENT[block] } }, { channels: [channel] });
    expect(result.routing[channel]).toEqual({ routing: 'SEND' });
    expect([result.messages, result.ignored]).toEqual([[], undefined]);
    for (const other of CHANNELS.filter((each) => each !== channel)) {
      expect(result.routing[other]).toEqual({ routing: 'OFF' });
    }
  });

  it('becomes OFF when the type does not enable it, with a message when the request has content for it', () => {
    const channels = CHANNELS.filter((each) => each !== channel);
    const asked = decide({}, { channels });
    expect([asked.routing[channel], reasonOf(asked.messages)]).toEqual([
      { routing: 'OFF', reason: 'NOT_ENABLED' },
      [expect.stringContaining(`is not enabled on the notification type: add ${channel} to its channels`)],
    ]);
    const { [block]: _, ...others } = CONTENT;
    expect(decide({ content: others }, { channels }).messages).toEqual([]);
  });

  it('becomes SEND when it is forced, whatever the type enables', () => {
    expect(only({ forceChannels: [channel] }, { channels: [] }).decided).toEqual({ routing: 'SEND' });
    expect(only({ forceChannels: [] }).decided).toEqual({ routing: 'OFF', reason: 'NOT_ENABLED' });
  });

  it('becomes SCHEDULE when the notification is scheduled', () => {
    expect(only({ scheduled: true }).decided).toEqual({ routing: 'SCHEDULE' });
  });

  it.each(['hourly', 'daily', 'weekly', 'monthly'] as const)('collects for %s, except in-app', (option) => {
    const options = { [channel]: { defaultDeliveryOption: option, [option]: { enabled: true } } };
    const { decided } = only({}, { options });
    expect(decided).toEqual(
      channel === 'INAPP_WEB' ? { routing: 'SEND' } : { routing: 'BATCH', mode: option },
    );
  });

  it('becomes IGNORE by preference when the user has disabled it, forced or not', () => {
    for (const forceChannels of [undefined, [channel]]) {
      const { decided, messages, ignored } = only({ forceChannels, preferenceOf: () => 'off' });
      expect(decided).toEqual({ routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' });
      expect([reasonOf(messages).length, ignored]).toEqual([1, 'ALL_CHANNELS_IGNORED']);
    }
  });

  it('becomes IGNORE by environment when it is disabled there, before any preference', () => {
    const { decided, messages } = only({ disableSending: [channel], preferenceOf: () => 'off' });
    expect(decided).toEqual({ routing: 'IGNORE', reason: 'IGNORE_BY_ENVIRONMENT' });
    expect(reasonOf(messages)).toHaveLength(1);
  });

  it('becomes IGNORE by default delivery when that is off and the user has no preference', () => {
    const options = { [channel]: { defaultDeliveryOption: 'off' as const } };
    const { decided, messages } = only({}, { options });
    expect(decided).toEqual({ routing: 'IGNORE', reason: 'IGNORE_BY_DEFAULT_DELIVERY' });
    expect(reasonOf(messages)).toHaveLength(1);
    expect(only({ preferenceOf: () => 'instant' }, { options }).decided).toEqual({ routing: 'SEND' });
  });

  it('ignores a preference that the type does not offer', () => {
    const options = { [channel]: { defaultDeliveryOption: 'instant' as const, off: { enabled: false } } };
    expect(only({ preferenceOf: () => 'off' }, { options }).decided).toEqual({ routing: 'SEND' });
  });

  it('becomes IGNORE without content and template, and SEND with either', () => {
    const { decided, messages } = only({ content: {} });
    expect(decided.routing).toBe('IGNORE');
    expect(reasonOf(messages)).toHaveLength(1);
    const templates = [template(channel, 'main', ['instant'], 3)];
    expect(only({ content: {} }, { templates }).decided).toEqual({ routing: 'SEND', template: 'main@3' });
  });

  it('becomes IGNORE with an empty content block', () => {
    const { decided, messages } = only({ content: { [block]: {} } });
    expect([decided.routing, reasonOf(messages).length]).toEqual(['IGNORE', 1]);
  });

  it('uses the named template, else the default of the mode with a message', () => {
    const templates = [template(channel, 'main', ['instant']), template(channel, 'spring', [])];
    expect(only({ templateId: 'spring' }, { templates }).decided.template).toBe('spring@1');
    const missing = only({ templateId: 'gone' }, { templates });
    const noTemplate = missing.messages.filter((each) => each.startsWith(`${channel} has no template`));
    expect([missing.decided, noTemplate.length]).toEqual([{ routing: 'SEND', template: 'main@1' }, 1]);
  });

  it('becomes IGNORE on a disabled type', () => {
    const { decided, messages, ignored } = only({}, { enabled: false });
    expect([decided, reasonOf(messages).length, ignored]).toEqual([
      { routing: 'IGNORE', reason: 'TYPE_DISABLED' },
      1,
      'DISABLED_NOTIFICATION',
    ]);
  });
});

const inputs: fc.Arbitrary<RoutingInput> = fc
  .record({
    channels: fc.subarray([...CHANNELS]),
    forceChannels: fc.option(fc.subarray([...CHANNELS]), { nil: undefined }),
    blocks: fc.subarray(Object.entries(CONTENT)),
    emptied: fc.subarray(Object.keys(CONTENT)),
    known: fc.subarray(Object.entries(USER)),
    enabled: fc.boolean(),
    scheduled: fc.boolean(),
    disableSending: fc.subarray([...CHANNELS], { maxLength: 2 }),
    off: fc.subarray([...CHANNELS], { maxLength: 2 }),
    digest: fc.constantFrom('instant' as const, 'off' as const, 'daily' as const),
    templated: fc.subarray([...CHANNELS]),
    templateId: fc.constantFrom(undefined, 'main', 'gone'),
  })
  .map(({ blocks, emptied, known, off, digest, templated, ...given }) => ({
    type: {
      channels: given.channels,
      enabled: given.enabled,
      options: { EMAIL: { defaultDeliveryOption: digest, daily: { enabled: true } } },
      templates: templated.map((channel) => template(channel, 'main', ['instant'])),
    },
    forceChannels: given.forceChannels,
    content: Object.fromEntries(blocks.map(([name, block]) => [name, emptied.includes(name) ? {} : block])),
    templateId: given.templateId,
    user: Object.fromEntries(known),
    preferenceOf: (channel: Channel) => (off.includes(channel) ? ('off' as const) : undefined),
    disableSending: given.disableSending,
    scheduled: given.scheduled,
  }));

describe('any notification', () => {
  it('without any channel is reported in one sentence', () => {
    const nothing = { content: {} };
    expect(decide(nothing, { channels: [] }).messages).toEqual([
      'Nothing is sent: the notification type has no channel enabled.',
    ]);
    expect(decide(nothing, { channels: [], enabled: false }).messages).toEqual([
      'Nothing is sent: the notification type is disabled.',
    ]);
  });

  it('gives exactly one reason for every requested channel that is not sent, and none for others', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { routing, messages, ignored } = routeNotification(input);
        for (const channel of CHANNELS) {
          const isEnabled = (input.forceChannels ?? input.type.channels).includes(channel);
          const isAsked = isEnabled || input.content[CONTENT_BLOCK[channel]] !== undefined;
          const reasons = messages.filter((each) =>
            new RegExp(`^${channel} (is not sent|would not be sent now): `).test(each),
          );
          expect(reasons).toHaveLength(isAsked && !isGoing(routing[channel]) ? 1 : 0);
          expect(routing[channel].routing === 'OFF').toBe(!isEnabled);
          if (input.scheduled) expect(['SEND', 'BATCH']).not.toContain(routing[channel].routing);
        }
        const isAnyGoing = CHANNELS.some((channel) => isGoing(routing[channel]));
        if (!input.type.enabled) expect([ignored, isAnyGoing]).toEqual(['DISABLED_NOTIFICATION', false]);
        else expect(ignored).toBe(isAnyGoing ? undefined : 'ALL_CHANNELS_IGNORED');
        expect(routeNotification(input)).toEqual({ routing, messages, ...(ignored ? { ignored } : {}) });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the condition of the email', () => {
  it('withholds the email alone when it is not met', () => {
    const { routing } = decide({ unmetCondition: 'options.email.condition is not met' });
    expect(routing.EMAIL).toMatchObject({ routing: 'IGNORE' });
    const others = CHANNELS.filter((channel) => channel !== 'EMAIL');
    expect(others.map((channel) => routing[channel]?.routing)).toEqual(others.map(() => 'SEND'));
    expect(decide({ unmetCondition: undefined }).routing.EMAIL).toMatchObject({ routing: 'SEND' });
  });
});

describe('a user without an address', () => {
  it.each<[Channel, RoutingInput['user'], string | undefined]>([
    ['EMAIL', {}, 'MISSING_EMAIL_RECIPIENT'],
    ['EMAIL', { ...USER, emailSuppressionStatus: { reason: 'Bounce', details: {} } }, 'SUPPRESSED_BOUNCE'],
    [
      'EMAIL',
      { ...USER, emailSuppressionStatus: { reason: 'Complaint', details: {} } },
      'SUPPRESSED_COMPLAINT',
    ],
    ['SMS', {}, 'MISSING_SMS_RECIPIENT'],
    ['CALL', {}, 'MISSING_SMS_RECIPIENT'],
    ['PUSH', { pushTokens: [] }, undefined],
    ['WEB_PUSH', {}, undefined],
    ['CHAT', {}, 'CHANNEL_NOT_FOUND'],
    ['CHAT', { chatChannel: '#general' }, 'INVALID_AUTH'],
    ['CHAT', { chatToken: { access_token: 't' } }, 'CHANNEL_NOT_FOUND'],
  ])('gets no %s: %j', (channel, user, failureCode) => {
    const { routing, messages } = decide({ user }, { channels: [channel] });
    const reason = failureCode?.startsWith('SUPPRESSED') ? 'SUPPRESSED' : 'NO_ADDRESS';
    expect(routing[channel]).toEqual({ routing: 'IGNORE', reason, ...(failureCode ? { failureCode } : {}) });
    expect(messages).toContainEqual(expect.stringMatching(new RegExp(`^${channel} is not sent: the user`)));
  });

  it('still receives in-app items', () => {
    expect(decide({ user: {} }).routing.INAPP_WEB).toEqual({ routing: 'SEND' });
  });

  it('receives chat by a webhook in the token', () => {
    const user = { chatToken: { incoming_webhook: { url: 'https://chat.example.com/hook' } } };
    expect(decide({ user }).routing.CHAT).toEqual({ routing: 'SEND' });
  });
});

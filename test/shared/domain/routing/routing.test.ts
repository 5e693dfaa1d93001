import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosenTemplateOf } from '../../../../shared/domain/routing/chosen-template.ts';
import { channelsOff } from '../../../../shared/domain/routing/deployed-channels.ts';
import { isGoing, type RoutingInput, routeNotification } from '../../../../shared/domain/routing/routing.ts';
import type { Purpose } from '../../../../shared/domain/users/opt-outs.ts';
import { CHANNELS, type Channel, CONTENT_BLOCK } from '../../../../shared/schemas/channel.ts';
import type { ContentBlocks } from '../../../../shared/schemas/sending/send-request.ts';

import { withSettings } from '../../../support/workers.ts';

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

/** What an empty block lacks. */
const LACKS = {
  EMAIL: { what: 'no html', failure: { failureCode: 'MISSING_EMAIL_HTML' } },
  INAPP_WEB: { what: 'no title', failure: {} },
  SMS: { what: 'no message', failure: { failureCode: 'MISSING_SMS_MESSAGE' } },
  CALL: { what: 'no message', failure: { failureCode: 'MISSING_SMS_MESSAGE' } },
  PUSH: { what: 'neither title nor message', failure: {} },
  WEB_PUSH: { what: 'neither title nor message', failure: {} },
  CHAT: { what: 'no text', failure: { failureCode: 'NO_TEXT' } },
};

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
    expect(reasonOf(messages)[0]).toContain('has sending disabled');
    const { messages: all } = only({ disableSending: CHANNELS });
    expect(reasonOf(all)[0]).toContain('has all sending disabled');
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
    const silent = only({ content: {}, isSilentPush: true }).decided.routing;
    expect(silent).toBe(channel === 'PUSH' ? 'SEND' : 'IGNORE');
    const templates = [template(channel, 'main', ['instant'], 3)];
    expect(only({ content: {} }, { templates }).decided).toEqual({ routing: 'SEND', template: 'main@3' });
  });

  it('becomes IGNORE with an empty content block', () => {
    const { decided, messages } = only({ content: { [block]: {} } });
    expect(decided).toMatchObject({ routing: 'IGNORE', reason: 'NO_CONTENT', ...LACKS[channel].failure });
    expect(reasonOf(messages)).toEqual([`${channel} is not sent: it has ${LACKS[channel].what}.`]);
    const [none = ''] = reasonOf(only({ content: {} }).messages);
    expect(none).toContain('the request has no content for it');
  });

  it('uses the named template, else the default of the mode with a message', () => {
    const other = CHANNELS.find((each) => each !== channel) ?? channel;
    const templates = [
      template(other, 'spring', ['instant'], 2),
      template(channel, 'main', ['instant']),
      template(channel, 'spring', []),
    ];
    expect(only({ templateId: 'spring' }, { templates }).decided.template).toBe('spring@1');
    expect(only({ content: { [block]: CONTENT[block] } }, { templates }).messages).toEqual([]);
    const missing = only({ templateId: 'gone' }, { templates });
    const noTemplate = missing.messages.filter((each) => each.startsWith(`${channel} has no template`));
    expect([missing.decided, noTemplate.length]).toEqual([{ routing: 'SEND', template: 'main@1' }, 1]);
    const isNamed = (messages: string[]) => messages.some((each) => each.includes('templateId'));
    expect(isNamed(only({ templateId: 'gone' }).messages)).toBe(false);
    expect(isNamed(only({ templateId: 'gone', content: {} }).messages)).toBe(true);
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
        const nothing = messages.filter((each) => each.startsWith('Nothing is sent: '));
        const isAnyGoing = CHANNELS.some((channel) => isGoing(routing[channel]));
        if (!input.type.enabled) expect([ignored, isAnyGoing]).toEqual(['DISABLED_NOTIFICATION', false]);
        else expect(ignored).toBe(isAnyGoing ? undefined : 'ALL_CHANNELS_IGNORED');
        expect(nothing).toHaveLength(!isAnyGoing && messages.length === nothing.length ? 1 : 0);
        expect(routeNotification(input)).toEqual({ routing, messages, ...(ignored ? { ignored } : {}) });
      }),
      { numRuns: 500 },
    );
  });
});

/** Why an email is not sent, the first reason first. */
const AGAINST: [reason: string, input: Partial<RoutingInput>, type?: Partial<RoutingInput['type']>][] = [
  ['ACCOUNT_DISABLED', { accountDisabled: true }],
  ['TYPE_DISABLED', {}, { enabled: false }],
  ['IGNORE_BY_ENVIRONMENT', { disableSending: ['EMAIL'] }],
  ['IGNORE_BY_ENVIRONMENT', { isReachable: (channel) => channel !== 'EMAIL' }],
  ['IGNORE_BY_PREFERENCES', { preferenceOf: () => 'off' }],
  ['NO_CONSENT', { hasConsent: () => false }, { purpose: 'marketing' }],
  ['NO_ADDRESS', { user: {} }],
  ['NO_CONTENT', { content: {} }],
  ['CONDITION', { unmetCondition: 'options.email.condition is not met' }],
  ['IGNORE_BY_PREFERENCES', { quietOf: () => ({ kind: 'dropped' }) }],
];

describe('the reasons against a channel', () => {
  it.each(AGAINST)('%s is given alone, before later ones: %j %j', (reason, input, type) => {
    const index = AGAINST.findIndex((each) => each[1] === input);
    for (const [, otherInput, otherType] of AGAINST.slice(index)) {
      const all = { channels: ['EMAIL'] as const, ...otherType, ...type };
      const { routing, messages } = decide({ ...otherInput, ...input }, all);
      expect(routing.EMAIL).toMatchObject({ routing: 'IGNORE', reason });
      expect(messages.filter((each) => each.startsWith('EMAIL is not sent: '))).toHaveLength(1);
    }
  });

  it('show the template of what only the environment withholds', () => {
    const type = { templates: [template('EMAIL', 'main', ['instant'])] };
    const shown = AGAINST.map(([, input, own]) => decide(input, { ...type, ...own }).routing.EMAIL.template);
    expect(shown.slice(0, 7)).toEqual([
      ...[undefined, undefined, 'main@1', 'main@1'],
      ...Array(3).fill(undefined),
    ]);
  });

  it.each<[Purpose, Partial<RoutingInput>]>([
    ['transactional', { hasConsent: () => false }],
    ['marketing', { hasConsent: () => true }],
    ['marketing', {}],
  ])('include no lack of consent for %s: %j', (purpose, input) => {
    expect(decide(input, { purpose }).routing.EMAIL).toEqual({ routing: 'SEND' });
  });

  it('are no failures while the notification waits', () => {
    const { routing, messages } = decide({ scheduled: true, user: {} }, { channels: ['EMAIL'] });
    expect(routing.EMAIL).toEqual({ routing: 'IGNORE', reason: 'NO_ADDRESS' });
    expect(messages[0]).toMatch(/^EMAIL would not be sent now: .* evaluated again/);
  });
});

describe('a channel that quiet hours or a pause hold', () => {
  const templates = [template('EMAIL', 'main', ['instant'])];
  const quietOf = (isPaused: boolean) => () => ({ kind: 'held' as const, untilMs: 5, isPaused });

  it.each([true, false])('waits until their end, with its template; paused: %s', (isPaused) => {
    const { routing, messages } = decide({ quietOf: quietOf(isPaused) }, { templates });
    const held = { routing: 'SCHEDULE', heldUntilMs: 5, ...(isPaused ? { isPaused } : {}) };
    expect([routing.EMAIL, messages]).toEqual([{ ...held, template: 'main@1' }, []]);
  });

  it('waits for its time or its digest first', () => {
    const quiet = { quietOf: quietOf(false) };
    const options = { EMAIL: { defaultDeliveryOption: 'daily' as const, daily: { enabled: true } } };
    expect(decide({ ...quiet, scheduled: true }).routing.EMAIL).toEqual({ routing: 'SCHEDULE' });
    expect(decide(quiet, { options }).routing.EMAIL).toEqual({ routing: 'BATCH', mode: 'daily' });
  });
});

describe('a channel of a later step', () => {
  const later = {
    steps: [{ channels: ['EMAIL' as const], afterMs: 60, when: 'unseen' as const }],
    startAtMs: 1,
  };
  const options = { EMAIL: { defaultDeliveryOption: 'daily' as const, daily: { enabled: true } } };
  const templates = [{ ...template('EMAIL', 'main', ['instant', 'daily']), locale: 'de' }];
  const WAITS = { routing: 'SCHEDULE', dueAtMs: 61 };

  it.each<[string, Partial<RoutingInput>, Partial<RoutingInput['type']>, object]>([
    ['in any case', {}, {}, WAITS],
    [
      'with its template and mode',
      {},
      { options, templates },
      { ...WAITS, template: 'main@1', locale: 'de', mode: 'daily' },
    ],
    ['although it lacks an address now', { user: {} }, {}, WAITS],
    ['although it is off now', { preferenceOf: () => 'off' }, {}, WAITS],
    ['unless the type does not have it', { content: {} }, { channels: ['SMS'] }, { routing: 'OFF' }],
    ['unless the type is disabled', {}, { enabled: false }, { routing: 'IGNORE', reason: 'TYPE_DISABLED' }],
    [
      'unless the account is',
      { accountDisabled: true },
      {},
      { routing: 'IGNORE', reason: 'ACCOUNT_DISABLED' },
    ],
  ])('waits %s', (_, input, type, decided) => {
    const { routing, messages } = decide({ ...input, later }, type);
    expect(routing.EMAIL).toEqual(decided);
    expect(messages.filter((each) => each.startsWith('EMAIL is not sent'))).toEqual([]);
  });
});

it('goes only on channels that the deployment has', async () => {
  await withSettings({ CHANNELS_OFF: 'SMS,CHAT' }, async () =>
    expect(channelsOff()).toEqual(['SMS', 'CHAT']),
  );
});

it('names a template with its version', () => {
  const chosen = { templateId: 'a@b', locale: 'de', versionMin: 3 };
  expect(chosenTemplateOf({ template: 'a@b@3', locale: 'de' })).toEqual(chosen);
  expect([chosenTemplateOf({ locale: 'de' }), chosenTemplateOf(undefined)]).toEqual([undefined, undefined]);
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

  it('or who opted out gets no text message', () => {
    const decision = { number: '+1', serviceNumber: '+2', isOptedOut: true, atMs: 0 };
    const decided = decide({ user: { ...USER, smsOptOuts: [decision] } }).routing.SMS;
    expect(decided).toEqual({ routing: 'IGNORE', reason: 'OPTED_OUT', failureCode: '21610' });
  });

  it('gets no email without a subject', () => {
    const decided = decide({ content: { email: { html: 'h' } } }).routing.EMAIL;
    expect(decided).toMatchObject({ reason: 'NO_CONTENT', failureCode: 'MISSING_EMAIL_SUBJECT' });
  });

  it('still receives in-app items', () => {
    expect(decide({ user: {} }).routing.INAPP_WEB).toEqual({ routing: 'SEND' });
  });

  it.each([
    { incoming_webhook: { url: 'https://chat.example.com/hook' } },
    { webhookUrl: 'https://chat.example.com/h' },
  ])('receives chat by a webhook in the token: %j', (chatToken) => {
    expect(decide({ user: { chatToken } }).routing.CHAT).toEqual({ routing: 'SEND' });
  });
});

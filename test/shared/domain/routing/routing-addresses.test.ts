import { describe, expect, it } from 'vitest';
import type { RoutingInput } from '../../../../shared/domain/routing/routing.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { decide, USER } from './routing-setup.ts';

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

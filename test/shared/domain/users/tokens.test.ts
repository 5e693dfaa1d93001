import { describe, expect, it } from 'vitest';
import { chatAccessOf, chatTokenName } from '../../../../shared/domain/users/chat-access.ts';
import {
  deviceTokensOf,
  withDeviceTokenChanges,
  withoutDeviceTokens,
} from '../../../../shared/domain/users/device-tokens.ts';
import { isOptedOut, MARKETING, optOutName } from '../../../../shared/domain/users/opt-outs.ts';

const HEX = 'AB'.repeat(32);
const push = (token: string, type: 'APN' | 'FCM' = 'FCM') => ({ type, token });
const web = (name: string) => ({
  sub: { endpoint: `https://push.example.com/${name}`, keys: { p256dh: 'p', auth: 'a' } },
});

describe('the tokens of devices', () => {
  it.each([
    [push(HEX, 'APN'), HEX.toLowerCase()],
    [push(HEX), HEX],
    [push(HEX.slice(2), 'APN'), HEX.slice(2)],
    [push(`${HEX}-`, 'APN'), `${HEX}-`],
    [push(`-${HEX}`, 'APN'), `-${HEX}`],
  ])('are named as their provider compares them: %j', (token, name) => {
    expect(deviceTokensOf({ pushTokens: [token] })).toEqual([`PUSH ${name}`]);
  });

  const before = { pushTokens: [push('a'), push('b')], webPushTokens: [web('a'), web('b')] };
  const [pushA = '', pushB = '', webA = '', webB = ''] = deviceTokensOf(before);

  it('are removed by their names, and others stay', () => {
    expect(deviceTokensOf(withoutDeviceTokens(before, new Set([pushA, webB])))).toEqual([pushB, webA]);
    expect(withoutDeviceTokens({}, new Set([pushA]))).toEqual({});
    expect(deviceTokensOf({})).toEqual([]);
  });

  it('change only as far as they are named', () => {
    const after = {
      userId: 'ada',
      pushTokens: [push('b'), push('c'), push('d')],
      webPushTokens: [web('c'), web('d')],
    };
    const [, pushC = '', , webC = ''] = deviceTokensOf(after);
    const names = new Set([pushA, webA, pushC, webC]);
    expect(withDeviceTokenChanges(before, after, names)).toEqual({
      ...{ userId: 'ada', pushTokens: [push('b'), push('c')], webPushTokens: [web('b'), web('c')] },
    });
    expect(withDeviceTokenChanges({}, {}, names)).toEqual({ pushTokens: [], webPushTokens: [] });
  });
});

describe('a chat token', () => {
  const person = { access_token: 'p', refresh_token: 'r', expires_in: 60, scope: 's' };

  it.each([
    [
      { access_token: 'a', expires_in: 0, scope: '', authed_user: person },
      { access_token: 'a', expires_in: 0, scope: '' },
    ],
    [{ access_token: '', authed_user: person }, person],
    [{ refresh_token: 'b', authed_user: { scope: 's' } }, { refresh_token: 'b' }],
    [{ access_token: '', refresh_token: '' }, {}],
  ])('%j gives access by %j', (token, access) => {
    expect(chatAccessOf(token)).toEqual(access);
  });

  it('has the name of its access, or of its webhook', () => {
    const webhookUrl = 'https://chat.example.com/hook';
    const names = [{ access_token: 'a', webhookUrl }, { webhookUrl }, {}].map(chatTokenName);
    expect(names).toEqual(['a', webhookUrl, undefined]);
  });
});

describe('an opt-out', () => {
  const type = { environmentId: 'e', notificationId: 'n' };
  const sub = { ...type, subNotificationId: 's' };
  const marketing = { environmentId: 'e', ...MARKETING };
  const given = { delivery: 'instant' as const, atMs: 5 };

  it.each<[string, object, Parameters<typeof isOptedOut>[1], Parameters<typeof isOptedOut>[3], boolean]>([
    ['a type', type, type, undefined, true],
    ['a type, for its parts', type, sub, undefined, true],
    ['a part, for the type', sub, type, undefined, false],
    ['a part', sub, sub, undefined, true],
    ['marketing', marketing, sub, undefined, true],
    ['another type', { ...type, notificationId: 'x' }, type, undefined, false],
    ['another environment', { ...type, environmentId: 'x' }, type, undefined, false],
    ['a type that was chosen at the same time', type, type, given, true],
    ['a type that was chosen since', type, type, { ...given, atMs: 6 }, false],
    ['a type that was turned off since', type, type, { delivery: 'off', atMs: 6 }, true],
    ['a type that was chosen before', type, type, { delivery: 'instant' }, true],
  ])('of %s counts', (_, scope, asked, chosen, expected) => {
    const optOuts = { [optOutName(scope as typeof sub)]: { atMs: 5, source: 'link' } };
    expect(isOptedOut(optOuts, asked, 'marketing', chosen)).toBe(expected);
    const isOfPurpose = scope === marketing;
    expect(isOptedOut(optOuts, asked, 'transactional', chosen)).toBe(expected && !isOfPurpose);
  });
});

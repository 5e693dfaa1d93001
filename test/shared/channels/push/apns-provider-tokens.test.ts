import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createApnsProviderTokens } from '../../../../shared/channels/push/apns/apns.ts';
import { parseApnConfig } from '../../../../shared/channels/push/apns/apns-config.ts';
import type {
  ApnsTokenStore,
  StoredApnsToken,
} from '../../../../shared/database/entities/settings/apns-tokens.ts';
import { APN_CONFIG, type ApnsReply } from '../../../support/fakes/apns.ts';
import { apnToken } from './deliveries.ts';
import { DEVICE, startApns } from './start-apns.ts';

function createStore(): ApnsTokenStore & { stored: Map<string, StoredApnsToken>; puts: number } {
  const stored = new Map<string, StoredApnsToken>();
  const store = {
    stored,
    puts: 0,
    get: async (accountId: string) => stored.get(accountId),
    replace: async (accountId: string, token: StoredApnsToken) => {
      store.puts += 1;
      stored.set(accountId, token);
      return true;
    },
  };
  return store;
}

const jwtOf = (headers: Record<string, unknown> | undefined) => String(headers?.authorization).slice(7);

describe('an APNs provider token', () => {
  test('serves for 45 minutes', async () => {
    const { production, send, clock } = await startApns();
    await send();
    clock.nowMs += 45 * 60_000 - 1;
    await send();
    clock.nowMs += 1;
    await send();
    const jwts = production.requests.map(({ headers }) => jwtOf(headers));
    expect(jwts[1]).toBe(jwts[0]);
    expect(decodeJwt(jwts[2] ?? '').iat).toBe(clock.nowMs / 1000);
  });

  test('passes between senders through the store', async () => {
    const tokens = createStore();
    const { production, send, createSender } = await startApns({ tokens });
    await Promise.all([send(), send(), send()]);
    await send({}, apnToken(DEVICE), createSender());
    expect(new Set(production.requests.map(({ headers }) => jwtOf(headers))).size).toBe(1);
    expect(tokens.puts).toBe(1);
  });

  test('changes when the account has another key, whatever is stored', async () => {
    const tokens = createStore();
    tokens.stored.set('account-1', { jwt: 'x.y.z', issuedAtMs: Date.UTC(2026, 0, 1), signerHash: 'other' });
    const { send } = await startApns({ tokens });
    expect(await send()).toEqual({ kind: 'sent' });
  });

  test('comes from the local key when the store fails', async () => {
    const down = async () => Promise.reject(new Error('the table is down'));
    const { send } = await startApns({ tokens: { get: down, replace: down } });
    expect(await send()).toEqual({ kind: 'sent' });
  });

  test('changes once for all requests rejected as expired', async () => {
    const tokens = createStore();
    const { production, send } = await startApns({ tokens });
    const expired: ApnsReply = { status: 403, reason: 'ExpiredProviderToken' };
    for (const name of ['01', '02', '03']) {
      production.devices.add(name);
      production.respondWith(name, expired);
    }
    const results = await Promise.all(['01', '02', '03'].map((name) => send({}, apnToken(name))));
    expect(results).toEqual([{ kind: 'sent' }, { kind: 'sent' }, { kind: 'sent' }]);
    expect(tokens.puts).toBe(2);
  });

  test('changes once for concurrent requests', async () => {
    const store = createStore();
    const parsed = parseApnConfig(APN_CONFIG);
    if (!parsed.ok) throw new Error(parsed.problem);
    const { value: signer } = parsed;
    const tokens = createApnsProviderTokens({ now: () => 0, store });
    const refused = await tokens.get('account-1', signer);
    const renewed = await Promise.all([1, 2, 3].map(() => tokens.get('account-1', signer, refused)));
    expect(new Set(renewed).size).toBe(1);
    expect(renewed).not.toContain(refused);
    expect(store.puts).toBe(2);
  });

  test('counts as UNKNOWN when it is rejected as expired twice', async () => {
    const { production, send } = await startApns();
    const expired: ApnsReply = { status: 403, reason: 'ExpiredProviderToken' };
    production.respondWith(DEVICE, expired, expired);
    expect(await send()).toEqual({
      kind: 'rejected',
      code: 'UNKNOWN',
      internal: 'APNs: 403 ExpiredProviderToken',
      dead: false,
    });
  });
});

import { sign } from 'node:crypto';
import type { ApnsTokenStore, StoredApnsToken } from '../../database/entities/apns-tokens.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ApnsSigner } from './apns-config.ts';

/** Provider tokens by account. */
export type ApnsProviderTokens = {
  /** `refused` is a token that Apple no longer takes: another one is answered. */
  get(accountId: string, signer: ApnsSigner, refused?: string): Promise<string>;
};

const RENEW_AFTER_MS = 45 * 60_000;
const HELD_MAX = 1000;

/** ES256 provider tokens, renewed every 45 minutes, from memory, else from `store`, else newly signed. */
export function createApnsProviderTokens(options: {
  now: Clock['now'];
  store?: ApnsTokenStore;
}): ApnsProviderTokens {
  const { now, store } = options;
  const held = new Map<string, Promise<StoredApnsToken>>();

  const isUsable = (token: StoredApnsToken, signer: ApnsSigner, refused: string | undefined) =>
    token.signerHash === signer.hash && token.jwt !== refused && now() - token.issuedAtMs < RENEW_AFTER_MS;

  // Sharing is thrift, not a need: without the store this container signs its own.
  async function load(accountId: string, signer: ApnsSigner, refused?: string): Promise<StoredApnsToken> {
    const own = signToken(signer, now());
    if (!store) return own;
    try {
      const shared = await store.get(accountId);
      if (shared && isUsable(shared, signer, refused)) return shared;
      if (await store.replace(accountId, own, shared)) return own;
      const faster = await store.get(accountId);
      return faster && isUsable(faster, signer, refused) ? faster : own;
    } catch {
      return own;
    }
  }

  return {
    async get(accountId, signer, refused) {
      const key = JSON.stringify([accountId, signer.hash]);
      for (;;) {
        const promise = held.get(key);
        const current = promise && (await promise);
        if (current && isUsable(current, signer, refused)) return current.jwt;
        // Whoever wakes first renews; the others wait for it.
        if (held.get(key) !== promise) continue;
        if (held.size >= HELD_MAX) held.clear();
        const next = load(accountId, signer, refused);
        held.set(key, next);
        return (await next).jwt;
      }
    },
  };
}

function signToken({ keyId, teamId, privateKey, hash }: ApnsSigner, nowMs: number): StoredApnsToken {
  const signed = [
    { alg: 'ES256', kid: keyId },
    { iss: teamId, iat: Math.floor(nowMs / 1000) },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { jwt: `${signed}.${signature.toString('base64url')}`, issuedAtMs: nowMs, signerHash: hash };
}

import { sign } from 'node:crypto';
import type { ApnsTokenStore, StoredApnsToken } from '../../../database/entities/settings/apns-tokens.ts';
import { createRenewing } from '../../../runtime/async/cache.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { log } from '../../../runtime/logger.ts';
import type { ApnsSigner } from './apns-config.ts';

const RENEW_AFTER_MS = 45 * 60_000;
const HELD_MAX = 1000;

/** ES256 provider tokens, renewed every 45 minutes: from memory, then from `store`, then newly signed. */
export function createApnsProviderTokens(options: { now: Clock['now']; store?: ApnsTokenStore }) {
  const { now, store } = options;
  const held = createRenewing<StoredApnsToken>({ max: HELD_MAX });

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
    } catch (error) {
      log.warn('an APNs token could not be shared', { accountId }, error);
      return own;
    }
  }

  return {
    /** `refused` is a token that Apple no longer accepts: a new token is returned. */
    async get(accountId: string, signer: ApnsSigner, refused?: string): Promise<string> {
      const token = await held(
        JSON.stringify([accountId, signer.hash]),
        (each) => isUsable(each, signer, refused),
        () => load(accountId, signer, refused),
      );
      return token.jwt;
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

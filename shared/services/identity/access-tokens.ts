import { dependency } from '../../runtime/dependency.ts';
import type { AccessTokenVerifier } from './access-token-verifier.ts';

/** The deployment's verifier; loaded on first use, since most callers are API keys. */
export const accessTokenVerifier = dependency<AccessTokenVerifier>('accessTokenVerifier', () => {
  const loaded = import('./jwks.ts').then((jwks) => jwks.createJwksVerifier());
  return { verify: async (token) => (await loaded).verify(token) };
});

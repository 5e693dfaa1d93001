import { lazily } from '../../runtime/async/lazily.ts';
import { dependency } from '../../runtime/dependency.ts';
import type { AccessTokenVerifier } from './access-token-verifier.ts';

/** The deployment's verifier; loaded on first use, since most callers are API keys. */
export const accessTokenVerifier = dependency<AccessTokenVerifier>('accessTokenVerifier', () =>
  lazily(async () => (await import('./jwks.ts')).createJwksVerifier(), { verify: true }),
);

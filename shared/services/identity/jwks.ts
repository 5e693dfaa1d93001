import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { requireSetting } from '../../runtime/config.ts';
import type { AccessTokenVerifier } from './access-token-verifier.ts';

/**
 * Verifies access tokens against the issuer's published keys: `TOKEN_ISSUER` (of Cognito:
 * `https://cognito-idp.<region>.amazonaws.com/<pool>`) and `TOKEN_CLIENT_ID`; the claim `token_use` must be `access`.
 */
export function createJwksVerifier(): AccessTokenVerifier {
  const issuer = requireSetting('TOKEN_ISSUER');
  const clientId = requireSetting('TOKEN_CLIENT_ID');
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { timeoutDuration: 5000 });
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          algorithms: ['RS256'],
          requiredClaims: ['exp'],
        });
        if (payload.token_use !== 'access' || payload.client_id !== clientId || !payload.sub)
          return undefined;
        return { subject: payload.sub };
      } catch (error) {
        if (error instanceof errors.JWKSTimeout) throw error;
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

import { backendConnections } from '../../shared/database/entities/accounts/backend-connections.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { findSetting } from '../../shared/runtime/config.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { backendPlatform } from '../../shared/services/backend-platform/backend-platform.ts';
import { connectBackendRoute } from './routes.ts';

export const handler = endpoint(
  connectBackendRoute,
  { backendConnections, backendPlatform },
  async ({ backendConnections, backendPlatform, caller, body, request }) => {
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = body;
    const tokens = await backendPlatform.exchangeCode({ code, redirectUri, codeVerifier });
    if (!tokens) {
      throw new AppError('INVALID_REQUEST', {
        message:
          'body.code, body.redirect_uri and body.code_verifier do not belong to the same authorization, or it has expired.',
        path: 'code',
        fix: 'Authorize again: a code is single-use and valid for a few minutes, with the redirect URI and verifier of its request.',
      });
    }
    await backendConnections.connect(caller.accountId, tokens, request.receivedAtMs);
    return { success: true, message: 'The account is connected.' };
  },
  ({ body }) => redirectProblems(fieldsOf(body).redirect_uri),
);

/**
 * `BACKEND_PLATFORM_REDIRECT_URIS` lists the redirect URIs of the console; without it, only the platform
 * checks them.
 */
function redirectProblems(redirectUri: unknown): Problem[] {
  const allowed = findSetting('BACKEND_PLATFORM_REDIRECT_URIS')
    ?.split(',')
    .map((each) => each.trim());
  if (!allowed || allowed.some((each) => each === redirectUri)) return [];
  return [{ where: 'body.redirect_uri', must: 'must be one of the redirect URIs of this deployment' }];
}

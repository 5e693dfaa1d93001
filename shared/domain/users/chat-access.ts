import { defined } from '../../runtime/values/defined.ts';
import type { ChatToken } from '../../schemas/users/user.ts';

/** The credentials for posting messages, and what they allow. */
type ChatAccess = { access_token?: string; refresh_token?: string; expires_in?: number; scope?: string };

/** What tells a token from the user's next one. */
export const chatTokenName = (token: ChatToken): string | undefined =>
  chatAccessOf(token).access_token ?? token.webhookUrl ?? undefined;

/**
 * Returns the app's credentials. If it was installed with user scopes only, returns the credentials of the person who installed
 * it.
 */
export function chatAccessOf(token: ChatToken): ChatAccess {
  const { authed_user: person } = token;
  const { access_token, refresh_token, expires_in, scope } =
    token.access_token || !person?.access_token ? token : person;
  return defined({
    access_token: access_token || undefined,
    refresh_token: refresh_token || undefined,
    expires_in: expires_in ?? undefined,
    scope: scope ?? undefined,
  });
}

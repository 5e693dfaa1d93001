import type { Access } from '../rows/route.ts';

export const SERVER_ACCESS = { callers: ['secret', 'member'] } as const satisfies Access;

/** Secret keys that are not bound to an environment, and members: for what belongs to the account. */
export const ACCOUNT_ACCESS = { callers: ['secret', 'member'], unbound: true } as const satisfies Access;

/** Administrators: their access token, or an unbound secret key they issued. */
export const ADMIN_ACCESS = { callers: ['secret', 'member'], admin: true } as const satisfies Access;

/** Any credential; a public key acts for the user in the path parameter `userId`, by its user hash in secure mode. */
export const USER_ACCESS = {
  callers: ['secret', 'public', 'member'],
  self: { pathParameter: 'userId' },
} as const satisfies Access;

/** As `USER_ACCESS`, with the user named by query `userId` or header `x-user-id`. */
export const NAMED_USER_ACCESS = {
  callers: ['secret', 'public', 'member'],
  self: 'userId',
} as const satisfies Access;

/** Any credential, for no user in particular. */
export const ANY_ACCESS = { callers: ['secret', 'public', 'member'] } as const satisfies Access;

/** A person by their access token, who need not be a member yet. */
export const PERSON_ACCESS = { callers: ['member'], person: true } as const satisfies Access;

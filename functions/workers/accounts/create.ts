import { apiKeys } from '../../../shared/database/entities/access/api-keys.ts';
import { memberChanges } from '../../../shared/database/entities/access/member-changes.ts';
import { type Member, members } from '../../../shared/database/entities/access/members.ts';
import { accountCreation } from '../../../shared/database/entities/accounts/account-creation.ts';
import { accountList } from '../../../shared/database/entities/accounts/account-list.ts';
import { type Account, accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { leases } from '../../../shared/database/entities/sending/leases.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { Scope } from '../../../shared/schemas/account/api-key.ts';
import { identity } from '../../../shared/services/identity/identity.ts';
import { parseKeyText } from '../../../shared/tokens/api-key-text.ts';
import type { IssuedKey, OpenedAccount, RevokedKey } from './responses.ts';

export const creationDependencies = {
  accountCreation,
  accountList,
  accounts,
  apiKeys,
  identity,
  leases,
  memberChanges,
  members,
};
type Deps = Resolved<typeof creationDependencies> & { clock: Clock };

type Wanted = { name?: string | undefined; email?: string | undefined };

const FIRST_LEASE = 'first-account';
const LEASE_MS = 90_000;

/** Creates an account with its administrator, who can sign in, and its first keys. */
export async function createAccount(
  deps: Deps,
  newAccount: { name: string; email: string },
): Promise<OpenedAccount> {
  const nowMs = deps.clock.now();
  const { account, admin } = await deps.accountCreation.createAccount({
    name: newAccount.name,
    adminEmail: newAccount.email,
    nowMs,
    secureMode: true,
  });
  return { ...(await openedAs(deps, account, admin, true)), ...(await firstKeys(deps, account, admin)) };
}

/**
 * Creates the deployment's first account once, even for several concurrent callers. Completes an interrupted run (keys, the
 * administrator's sign-in).
 */
export async function openFirstAccount(deps: Deps, account: Wanted): Promise<OpenedAccount> {
  const nowMs = deps.clock.now();
  if (!(await deps.leases.take(FIRST_LEASE, nowMs, LEASE_MS))) {
    throw new AppError('RESOURCE_IN_USE', {
      message: 'Another run is creating the first account.',
      fix: 'Try again in two minutes.',
    });
  }
  try {
    const known = (await deps.accountList.listAll())[0];
    if (!known) return await createAccount(deps, named(account));
    const admin = await findAdmin(deps, known.accountId);
    const opened = await openedAs(deps, known, admin, false);
    const keys = await deps.apiKeys.listAll(known.accountId);
    return keys.length === 0 ? { ...opened, ...(await firstKeys(deps, known, admin)) } : opened;
  } finally {
    await deps.leases.free(FIRST_LEASE);
  }
}

/** Creates a secret key for an account whose keys are lost or revoked, or for another application. */
export async function issueKey(deps: Deps, accountId: string, scopes?: Scope[]): Promise<IssuedKey> {
  const account = await deps.accounts.find(accountId);
  if (!account) throw unknownAccount();
  const admin = await findAdmin(deps, accountId);
  return {
    accountId,
    secretKey: await createKey(deps, account, admin, {
      keyType: 'secret',
      name: 'operator',
      ...defined({ scopes }),
    }),
  };
}

export async function revokeKey({ apiKeys, clock }: Deps, key: string): Promise<RevokedKey> {
  const parts = parseKeyText(key);
  if (!parts) return { revoked: false };
  const by = { memberId: undefined, nowMs: clock.now() };
  return { revoked: await apiKeys.revoke(parts.accountId, parts.keyId, by) };
}

export function unknownAccount(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'There is no account with this id.',
    fix: 'List the accounts of this deployment.',
  });
}

function named({ name, email }: Wanted): { name: string; email: string } {
  if (name && email) return { name, email };
  throw new AppError('INVALID_REQUEST', {
    message: 'The deployment has no account yet: the name and email of the first one are missing.',
    fix: 'Send name and email.',
  });
}

async function findAdmin({ members }: Deps, accountId: string): Promise<Member> {
  const people = await members.listAll(accountId);
  const admin = people.find(({ role, status }) => role === 'admin' && status === 'active');
  if (!admin) throw new Error('the account has no administrator');
  return admin;
}

async function openedAs(deps: Deps, account: Account, admin: Member, isNew: boolean): Promise<OpenedAccount> {
  return {
    accountId: account.accountId,
    environmentId: account.defaultEnvironmentId,
    name: account.name,
    admin: { userId: admin.userId, email: admin.email },
    signIn: await openSignIn(deps, admin),
    isNew,
  };
}

async function firstKeys(
  deps: Deps,
  account: Account,
  admin: Member,
): Promise<{ secretKey: string; publicKey: string }> {
  return {
    secretKey: await createKey(deps, account, admin, { keyType: 'secret', name: 'first secret key' }),
    publicKey: await createKey(deps, account, admin, { keyType: 'public', name: 'first public key' }),
  };
}

async function createKey(
  { apiKeys, clock }: Deps,
  { accountId, defaultEnvironmentId }: Account,
  admin: Member,
  newKey: { keyType: 'secret' | 'public'; name: string; scopes?: Scope[] },
): Promise<string> {
  const nowMs = clock.now();
  const issuedBy = admin.userId;
  const apiKey = { accountId, ...newKey, defaultEnvironmentId, issuedBy, nowMs };
  return (await apiKeys.create(apiKey)).key;
}

/** The account and its keys work without it, so a failing user pool does not stop the creation. */
async function openSignIn(
  { identity, memberChanges, clock }: Deps,
  admin: Member,
): Promise<OpenedAccount['signIn']> {
  if (admin.subject !== undefined) return 'ready';
  try {
    const { subject } = await identity.register({ email: admin.email });
    if (subject === undefined) return 'with the first token';
    const { accountId, userId } = admin;
    const bound = await memberChanges.bindSubject(accountId, userId, subject, clock.now());
    return bound === undefined ? 'failed' : 'ready';
  } catch (error) {
    log.error('the administrator cannot sign in yet', { worker: 'administer-accounts' }, error);
    return 'failed';
  }
}

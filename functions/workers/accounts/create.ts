import { accountCreation } from '../../../shared/database/entities/account-creation.ts';
import { accountList } from '../../../shared/database/entities/account-list.ts';
import { type Account, accounts } from '../../../shared/database/entities/accounts.ts';
import { apiKeys } from '../../../shared/database/entities/api-keys.ts';
import { leases } from '../../../shared/database/entities/leases.ts';
import { memberChanges } from '../../../shared/database/entities/member-changes.ts';
import { type Member, members } from '../../../shared/database/entities/members.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { identity } from '../../../shared/services/identity/identity.ts';

/** An account as the operator sees it when it is made. `signIn`: whether its administrator's access tokens work. */
export type OpenedAccount = {
  accountId: string;
  environmentId: string;
  name: string;
  admin: { userId: string; email: string };
  signIn: 'ready' | 'with the first token' | 'failed';
  isNew: boolean;
  /** Only when they have just been made. */
  secretKey?: string;
  publicKey?: string;
};

type Wanted = { name?: string | undefined; email?: string | undefined };

const FIRST_LEASE = 'first-account';
const LEASE_MS = 90_000;

/** Makes an account with its administrator, who can sign in, and its first keys. */
export async function createAccount(wanted: { name: string; email: string }): Promise<OpenedAccount> {
  const nowMs = resolve(clock).now();
  const { account, admin } = await resolve(accountCreation).createAccount({
    name: wanted.name,
    adminEmail: wanted.email,
    nowMs,
  });
  return { ...(await openedAs(account, admin, true)), ...(await firstKeys(account, admin)) };
}

/**
 * The deployment's first account. Made once, whoever asks at the same time; what an interrupted run left undone (keys,
 * the administrator's sign-in) is done now.
 */
export async function openFirstAccount(wanted: Wanted): Promise<OpenedAccount> {
  const nowMs = resolve(clock).now();
  if (!(await resolve(leases).take(FIRST_LEASE, nowMs, LEASE_MS))) {
    throw new AppError('RESOURCE_IN_USE', {
      message: 'The first account is being made by another run.',
      fix: 'Try again in two minutes.',
    });
  }
  try {
    const known = await findFirst();
    if (!known) return await createAccount(named(wanted));
    const admin = await adminOf(known.accountId);
    const opened = await openedAs(known, admin, false);
    const keys = await resolve(apiKeys).listAll(known.accountId);
    return keys.length === 0 ? { ...opened, ...(await firstKeys(known, admin)) } : opened;
  } finally {
    await resolve(leases).free(FIRST_LEASE);
  }
}

/** A further secret key of an account whose keys are lost or revoked. */
export async function issueKey(accountId: string): Promise<{ accountId: string; secretKey: string }> {
  const account = await resolve(accounts).find(accountId);
  if (!account) throw unknownAccount();
  return { accountId, secretKey: await keyOf(account, await adminOf(accountId), 'secret', 'operator') };
}

/** What an unknown account id is answered with. */
export function unknownAccount(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'There is no account with this id.',
    fix: 'List the accounts of this deployment.',
  });
}

function named({ name, email }: Wanted): { name: string; email: string } {
  if (name && email) return { name, email };
  throw new AppError('INVALID_REQUEST', {
    message: 'The deployment has no account yet: name and e-mail of the first one are missing.',
    fix: 'Send name and email.',
  });
}

async function findFirst(): Promise<Account | undefined> {
  const ids = await resolve(accountList).listIds();
  const all = await Promise.all(ids.map((id) => resolve(accounts).get(id)));
  return all.sort((left, right) => left.createdAt.localeCompare(right.createdAt))[0];
}

async function adminOf(accountId: string): Promise<Member> {
  const people = await resolve(members).listAll(accountId);
  const admin = people.find(({ role, status }) => role === 'admin' && status === 'active');
  if (!admin) throw new Error('the account has no administrator');
  return admin;
}

async function openedAs(account: Account, admin: Member, isNew: boolean): Promise<OpenedAccount> {
  return {
    accountId: account.accountId,
    environmentId: account.defaultEnvironmentId,
    name: account.name,
    admin: { userId: admin.userId, email: admin.email },
    signIn: await openSignIn(admin),
    isNew,
  };
}

async function firstKeys(account: Account, admin: Member): Promise<{ secretKey: string; publicKey: string }> {
  return {
    secretKey: await keyOf(account, admin, 'secret', 'first secret key'),
    publicKey: await keyOf(account, admin, 'public', 'first public key'),
  };
}

async function keyOf(
  { accountId, defaultEnvironmentId }: Account,
  admin: Member,
  keyType: 'secret' | 'public',
  name: string,
): Promise<string> {
  const nowMs = resolve(clock).now();
  const issuedBy = admin.userId;
  const wanted = { accountId, keyType, name, defaultEnvironmentId, issuedBy, nowMs };
  return (await resolve(apiKeys).create(wanted)).key;
}

/** The account and its keys work without it, so a user pool that refuses stops nothing. */
async function openSignIn(admin: Member): Promise<OpenedAccount['signIn']> {
  if (admin.subject !== undefined) return 'ready';
  try {
    const { subject } = await resolve(identity).register({ email: admin.email });
    if (subject === undefined) return 'with the first token';
    const { accountId, userId } = admin;
    const nowMs = resolve(clock).now();
    const bound = await resolve(memberChanges).bindSubject(accountId, userId, subject, nowMs);
    return bound === undefined ? 'failed' : 'ready';
  } catch (error) {
    log.error('the administrator cannot sign in yet', { worker: 'administer-accounts' }, error);
    return 'failed';
  }
}

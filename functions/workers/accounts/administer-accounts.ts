import * as v from 'valibot';
import { deploymentSecret } from '../../../shared/database/entities/access/deployment-secret.ts';
import { members } from '../../../shared/database/entities/access/members.ts';
import { accountList } from '../../../shared/database/entities/accounts/account-list.ts';
import { accountSwitch } from '../../../shared/database/entities/accounts/account-switch.ts';
import { type Account, accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { costWatches } from '../../../shared/database/entities/usage/cost-watches.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { Scope } from '../../../shared/schemas/account/api-key.ts';
import { EmailAddress, filledTextUpTo, Id } from '../../../shared/schemas/fields/text.ts';
import {
  createAccount,
  creationDependencies,
  issueKey,
  openFirstAccount,
  revokeKey,
  unknownAccount,
} from './create.ts';
import { deleteAccount, deleteDependencies } from './delete.ts';
import type {
  AccountList,
  DeletionProgress,
  IssuedKey,
  LimitedAccount,
  ListedAccount,
  OpenedAccount,
  Refusal,
  RevokedKey,
  RotatedSecret,
  SwitchedAccount,
} from './responses.ts';

const listDependencies = { accountList, accountSwitch, accounts, members };
type Deps = Resolved<typeof listDependencies>;

const AT_ONCE = 25;

/** Every account of the deployment, oldest first, with the email addresses of its administrators. */
async function listAccounts(deps: Deps): Promise<ListedAccount[]> {
  return inChunks(await deps.accountList.listAll(), AT_ONCE, (account) => listedAccount(deps, account));
}

async function listedAccount({ members }: Deps, account: Account): Promise<ListedAccount> {
  const { accountId, name, disabled, createdAt } = account;
  const people = await members.listAll(accountId);
  const admins = people.filter(({ role }) => role === 'admin').map(({ email }) => email);
  return { accountId, name, disabled, admins, createdAt };
}

/** Disables an account's keys, tokens and sending, or enables them again. Repeating it changes nothing. */
async function switchAccount(
  { accountSwitch }: Deps,
  accountId: string,
  disabled: boolean,
): Promise<SwitchedAccount> {
  if (!(await accountSwitch.setDisabled(accountId, disabled))) throw unknownAccount();
  return { accountId, disabled };
}

const NewAccount = { name: filledTextUpTo(128), email: EmailAddress };
const Event = v.variant('action', [
  /** The deployment's first account: created if there is none; if there is one, returned without its keys. */
  v.object({ action: v.literal('first'), ...v.partial(v.object(NewAccount)).entries }),
  v.object({ action: v.literal('create'), ...NewAccount }),
  v.object({ action: v.literal('list') }),
  v.object({ action: v.literal('key'), accountId: Id, scopes: v.optional(v.array(Scope)) }),
  v.object({ action: v.literal('revoke-key'), key: v.string() }),
  v.object({ action: v.picklist(['disable', 'enable']), accountId: Id }),
  /** What a day of the account may cost before its sending is stopped. */
  v.object({ action: v.literal('day-cost'), accountId: Id, usd: v.pipe(v.number(), v.minValue(0)) }),
  /** Deletes the account in steps of about 20 seconds; `start` is `next` of the previous step. */
  v.object({
    action: v.literal('delete'),
    accountId: Id,
    start: v.optional(v.object({ pk: v.string(), sk: v.string() })),
  }),
  /** Replaces the secret that signs links, invitations and cursors. */
  v.object({ action: v.literal('rotate-secret'), leaked: v.optional(v.boolean(), false) }),
]);
type Event = v.InferOutput<typeof Event>;

type AdministrationResponse =
  | OpenedAccount
  | v.InferOutput<typeof AccountList>
  | IssuedKey
  | RevokedKey
  | SwitchedAccount
  | LimitedAccount
  | DeletionProgress
  | RotatedSecret;

const DEPENDENCIES = {
  ...creationDependencies,
  ...listDependencies,
  ...deleteDependencies,
  costWatches,
  deploymentSecret,
};

/** Invoked by the operator with IAM. Returns expected errors as `{error}`; throws only on faults. */
export const handler = eventWorker(
  { name: 'administer-accounts', failed: 'an account was not administered' },
  DEPENDENCIES,
  async (event: unknown, deps): Promise<AdministrationResponse | Refusal> => {
    const parsed = v.safeParse(Event, event);
    if (!parsed.success) return refusal(unreadable(parsed.issues));
    try {
      return await run(deps, parsed.output);
    } catch (error) {
      if (error instanceof AppError && error.code !== 'INTERNAL') return refusal(error);
      throw error;
    }
  },
);

async function run(
  deps: Resolved<typeof DEPENDENCIES> & { clock: Clock },
  event: Event,
): Promise<AdministrationResponse> {
  switch (event.action) {
    case 'first':
      return openFirstAccount(deps, event);
    case 'create':
      return createAccount(deps, event);
    case 'list':
      return { accounts: await listAccounts(deps) };
    case 'key':
      return issueKey(deps, event.accountId, event.scopes);
    case 'revoke-key':
      return revokeKey(deps, event.key);
    case 'delete':
      return deleteAccount(deps, event.accountId, event.start);
    case 'rotate-secret':
      await deps.deploymentSecret.rotate(event.leaked);
      return { rotated: true, leaked: event.leaked };
    case 'day-cost':
      if (!(await deps.accounts.find(event.accountId))) throw unknownAccount();
      await deps.costWatches.setFloor(event.accountId, event.usd);
      return { accountId: event.accountId, usd: event.usd };
    case 'disable':
    case 'enable':
      return switchAccount(deps, event.accountId, event.action === 'disable');
  }
}

function unreadable(issues: readonly v.BaseIssue<unknown>[]): AppError {
  const names = [...new Set(issues.map((issue) => v.getDotPath(issue) ?? 'event'))];
  return new AppError('INVALID_REQUEST', {
    message: `These fields are missing or invalid: ${names.join(', ')}.`,
    fix: 'Send action create (name, email), first (name, email), list, key (accountId, scopes), disable or enable (accountId), day-cost (accountId, usd), revoke-key (key), delete (accountId, start), or rotate-secret (leaked).',
  });
}

function refusal({ code, message, fix }: AppError): Refusal {
  return { error: { code, message, ...defined({ fix: fix || undefined }) } };
}

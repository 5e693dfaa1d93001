import { accountList } from '../../../shared/database/entities/account-list.ts';
import { accountSwitch } from '../../../shared/database/entities/account-switch.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { members } from '../../../shared/database/entities/members.ts';
import { inChunks } from '../../../shared/runtime/chunks.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import type { ListedAccount, SwitchedAccount } from './answers.ts';
import { unknownAccount } from './create.ts';

/** The dependencies of listing and switching accounts, by name. */
export const listDependencies = { accountList, accountSwitch, accounts, members };
type Deps = Resolved<typeof listDependencies>;

const AT_ONCE = 25;

/** Every account of the deployment, oldest first, with the email addresses of its administrators. */
export async function listAccounts(deps: Deps): Promise<ListedAccount[]> {
  const ids = await deps.accountList.listIds();
  const listed = await inChunks(ids, AT_ONCE, (id) => listedAccount(deps, id));
  return listed.sort((left, right) => left.createdAt.localeCompare(right.createdAt));
}

async function listedAccount({ accounts, members }: Deps, id: string): Promise<ListedAccount> {
  const { accountId, name, disabled, createdAt } = await accounts.get(id);
  const people = await members.listAll(id);
  const admins = people.filter(({ role }) => role === 'admin').map(({ email }) => email);
  return { accountId, name, disabled, admins, createdAt };
}

/** Disables an account's keys, tokens and sending, or enables them again. Repeating it changes nothing. */
export async function switchAccount(
  { accountSwitch }: Deps,
  accountId: string,
  disabled: boolean,
): Promise<SwitchedAccount> {
  if (!(await accountSwitch.setDisabled(accountId, disabled))) throw unknownAccount();
  return { accountId, disabled };
}

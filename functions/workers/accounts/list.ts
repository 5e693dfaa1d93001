import { accountList } from '../../../shared/database/entities/account-list.ts';
import { accountSwitch } from '../../../shared/database/entities/account-switch.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { members } from '../../../shared/database/entities/members.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { unknownAccount } from './create.ts';

/** The dependencies of listing and switching accounts, by name. */
export const listDependencies = { accountList, accountSwitch, accounts, members };
type Deps = Resolved<typeof listDependencies>;

/** An account in the operator's list. */
export type ListedAccount = {
  accountId: string;
  name: string;
  disabled: boolean;
  admins: string[];
  createdAt: string;
};

const AT_ONCE = 25;

/** Every account of the deployment, oldest first, with the email addresses of its administrators. */
export async function listAccounts(deps: Deps): Promise<ListedAccount[]> {
  const ids = await deps.accountList.listIds();
  const listed: ListedAccount[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE)
    listed.push(
      ...(await Promise.all(ids.slice(start, start + AT_ONCE).map((id) => listedAccount(deps, id)))),
    );
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
): Promise<{ accountId: string; disabled: boolean }> {
  if (!(await accountSwitch.setDisabled(accountId, disabled))) throw unknownAccount();
  return { accountId, disabled };
}

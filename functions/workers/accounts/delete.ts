import { accountRemoval } from '../../../shared/database/entities/accounts/account-removal.ts';
import { accountSwitch } from '../../../shared/database/entities/accounts/account-switch.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { STEP_MS } from '../../../shared/database/entities/accounts/environment-removals.ts';
import { environments } from '../../../shared/database/entities/accounts/environments.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import type { Key } from '../../../shared/database/keys/key.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { unknownAccount } from './create.ts';
import type { DeletionProgress } from './responses.ts';

export const deleteDependencies = { accountRemoval, accountSwitch, accounts, domains, environments };
type Deps = Resolved<typeof deleteDependencies> & { clock: Clock };

/**
 * Deletes an account for about 20 seconds. The first step disables its keys, sending and webhooks and queues its sender domains for
 * removal at the email provider. The next steps read the whole table, then remove files without an item. The last step deletes the
 * account itself. Repeating any step, or starting again, is safe.
 */
export async function deleteAccount(
  deps: Deps,
  accountId: string,
  start: Key | undefined,
): Promise<DeletionProgress> {
  const account = await deps.accounts.find(accountId);
  if (!account) throw unknownAccount();
  const environmentIds = (await deps.environments.listAll(accountId)).map((each) => each.environmentId);
  if (!start) await stop(deps, accountId, environmentIds);
  const untilMs = performance.now() + STEP_MS;
  const removed = await deps.accountRemoval.removePages({ accountId, environmentIds }, start);
  const { next, last, ...total } = removed;
  const running = (from: Key | undefined) => ({
    accountId,
    state: 'running' as const,
    ...total,
    ...defined({ next: from }),
  });
  if (next) return running(next);
  for (let objects = -1; objects !== 0; total.objects += objects) {
    // The next step reads the last page again, then continues here.
    if (performance.now() >= untilMs) return running(last);
    objects = await deps.accountRemoval.removeObjects(accountId);
  }
  total.items += await deps.accountRemoval.removeAccount(accountId);
  return { accountId, state: 'done', ...total };
}

async function stop(
  { accountSwitch, domains, environments, clock }: Deps,
  accountId: string,
  environmentIds: readonly string[],
): Promise<void> {
  await accountSwitch.setDisabled(accountId, true);
  for (const each of environmentIds) await environments.markRemoved(accountId, each, clock.now());
  for (const { sender } of await domains.listAll(accountId)) {
    await domains.remove(accountId, sender, clock.now());
  }
}

import { accountRemoval, type RemovedPage } from '../../../shared/database/entities/account-removal.ts';
import { accountSwitch } from '../../../shared/database/entities/account-switch.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { domains } from '../../../shared/database/entities/domains.ts';
import { environments } from '../../../shared/database/entities/environments.ts';
import type { Key } from '../../../shared/database/keys/key.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import type { DeletionProgress } from './answers.ts';
import { unknownAccount } from './create.ts';

/** The dependencies of deleting accounts, by name. */
export const deleteDependencies = { accountRemoval, accountSwitch, accounts, domains, environments };
type Deps = Resolved<typeof deleteDependencies> & { clock: Clock };

/** Leaves time for the current page before the function ends. */
const STEP_MS = 20_000;

/**
 * Deletes an account for about 20 seconds. The first step disables its keys and sending and queues its sender
 * domains for removal at the email provider; the next ones read the whole table, then remove files that no item
 * names; the last deletes the account itself. Repeating any step, or starting again, is safe.
 */
export async function deleteAccount(
  deps: Deps,
  accountId: string,
  start: Key | undefined,
): Promise<DeletionProgress> {
  const account = await deps.accounts.find(accountId);
  if (!account) throw unknownAccount();
  if (!start) await stop(deps, accountId);
  const environmentIds = (await deps.environments.listAll(accountId)).map((each) => each.environmentId);
  const total = { examined: 0, items: 0, objects: 0 };
  const untilMs = performance.now() + STEP_MS;
  const running = (next: Key | undefined) => ({
    accountId,
    state: 'running' as const,
    ...total,
    ...defined({ next }),
  });
  let next = start;
  let last: Key | undefined;
  do {
    const page: RemovedPage = await deps.accountRemoval.removePage({ accountId, environmentIds }, next);
    total.examined += page.examined;
    total.items += page.items;
    total.objects += page.objects;
    last = next;
    next = page.next;
  } while (next && performance.now() < untilMs);
  if (next) return running(next);
  for (let objects = -1; objects !== 0; total.objects += objects) {
    // The next step reads the last page again, then continues here.
    if (performance.now() >= untilMs) return running(last);
    objects = await deps.accountRemoval.removeObjects(accountId);
  }
  total.items += await deps.accountRemoval.removeAccount(accountId);
  return { accountId, state: 'done', ...total };
}

async function stop({ accountSwitch, domains, clock }: Deps, accountId: string): Promise<void> {
  await accountSwitch.setDisabled(accountId, true);
  for (const { sender } of await domains.listAll(accountId)) {
    await domains.remove(accountId, sender, clock.now());
  }
}

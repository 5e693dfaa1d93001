import { DeletionProgress } from '../../functions/workers/accounts/responses.ts';
import { withProgress, withSeconds } from '../../infra/progress.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { confirmRemoval } from '../frame/confirm.ts';
import { administer, type InvokeFunction } from '../frame/deployment.ts';

export type DeletedAccount = { accountId: string; deleted: true; items: number; objects: number };

const ANNOUNCEMENT = `This deletes the account permanently: its keys, members, environments, users, types, templates, domains, addresses,
webhooks, logs and usage, with their stored files. Its email addresses and domains become available to other accounts.
Not removed: the members' sign-ins in the user pool, the customer and subscription at the payment provider, phone numbers,
the email provider's own suppression list, log lines in CloudWatch and backups of the table until they expire.`;

/** Confirms, then deletes an account step by step. */
export async function deleteAccount(
  invoke: InvokeFunction,
  accountId: string,
  { isSure, isJson }: { isSure: boolean; isJson: boolean },
): Promise<DeletedAccount> {
  if (!isJson) console.error(ANNOUNCEMENT);
  await confirmRemoval("the account's ID", accountId, isSure);
  const total = { examined: 0, items: 0, objects: 0 };
  const resume = 'Run the same command again to continue.';
  await withProgress({ isJson, resume }, async (show) => {
    show(withSeconds(() => 'reading the first items of the table'));
    let step: DeletionProgress | undefined;
    do {
      const event = { action: 'delete', accountId, ...defined({ start: step?.next }) };
      step = await administer(invoke, event, DeletionProgress);
      total.examined += step.examined;
      total.items += step.items;
      total.objects += step.objects;
      show(
        `${total.examined} items of the table read, ${total.items} items and ${total.objects} files removed`,
      );
    } while (step.state === 'running');
  });
  return { accountId, deleted: true, items: total.items, objects: total.objects };
}

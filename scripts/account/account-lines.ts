import type * as v from 'valibot';
import type { AccountList } from '../../functions/workers/accounts/responses.ts';
import { printable } from '../../infra/terminal.ts';

/** One line per account. Names are their customers' choice. */
export function listLines({ accounts }: v.InferOutput<typeof AccountList>): string {
  if (accounts.length === 0) return 'There is no account yet.';
  return accounts
    .map(({ accountId, disabled, createdAt, name, admins }) =>
      [accountId, disabled ? 'disabled' : 'enabled ', createdAt, name, admins.join(', ')]
        .map(printable)
        .join('  '),
    )
    .join('\n');
}

import type { TransactAction } from '../../client/transactions.ts';
import type { Database } from '../../database.ts';
import { apiKeyCopyKey, apiKeyKey } from '../../keys/account.ts';
import type { Item } from '../../table.ts';

export function copiesOf(item: Item): number {
  return typeof item.copies === 'number' ? item.copies : 0;
}

export function sameCopies(copies: number) {
  return copies === 0
    ? { condition: '(attribute_not_exists(copies) OR copies = :copies)', values: { ':copies': 0 } }
    : { condition: 'copies = :copies', values: { ':copies': copies } };
}

/** The deletion of a key's copies, to be part of the transaction that stops the key. */
export function withoutCopies(accountId: string, keyId: string, copies: number): TransactAction[] {
  return Array.from({ length: copies }, (_, index) => ({
    delete: apiKeyCopyKey(accountId, keyId, index + 1),
  }));
}

/**
 * Creates `copies` copies of a usable key in one transaction. Does nothing if the key was revoked or changed since `item` was
 * read, because only copies can be outdated.
 */
export async function copyKey(table: Database, item: Item, copies: number): Promise<void> {
  const accountId = String(item.accountId);
  const keyId = String(item.keyId);
  const { condition, values } = sameCopies(copiesOf(item));
  const copied = Object.entries({ ...item, copies }).filter(([name]) => name !== 'pk' && name !== 'sk');
  await table.transact([
    {
      update: apiKeyKey(accountId, keyId),
      expression: 'SET copies = :next',
      condition: `${condition} AND revoked = :false AND (attribute_not_exists(accountDisabled) OR accountDisabled = :false)`,
      values: { ...values, ':next': copies, ':false': false },
    },
    ...Array.from({ length: copies }, (_each, index) => ({
      put: { ...Object.fromEntries(copied), ...apiKeyCopyKey(accountId, keyId, index + 1) },
    })),
  ]);
}

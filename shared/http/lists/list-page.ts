import { defined } from '../../runtime/values/defined.ts';
import { LIMIT_DEFAULT } from '../../schemas/fields/list.ts';
import type { Signer } from '../../tokens/signer.ts';
import type { Caller } from '../access/caller.ts';
import { readCursor, writeCursor } from './cursor.ts';

/** Reads a page of a list with a signed cursor; `binding` is the list's name and its owner. */
export async function listPage<P extends { next?: string }>(
  { signer, caller, binding }: { signer: Signer; caller: Caller; binding: readonly string[] },
  { limit = LIMIT_DEFAULT, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  read: (range: { limit: number; after: string | undefined }) => Promise<P>,
): Promise<Omit<P, 'next'> & { nextCursor?: string }> {
  const scope = { signer, binding: [...binding, caller.accountId, caller.environmentId] };
  const after = cursor === undefined ? undefined : String(await readCursor(scope, cursor));
  const { next, ...page } = await read({ limit, after });
  return {
    ...page,
    ...defined({ nextCursor: next === undefined ? undefined : await writeCursor(scope, next) }),
  };
}

import { createHash } from 'node:crypto';
import { AppError } from '../../runtime/errors.ts';
import { newId } from '../../runtime/values/ids.ts';
import { canonicalJson } from './canonical-json.ts';

/** The parts of a request that decide what it creates. */
type Creating = {
  caller: { accountId: string; environmentId: string };
  path: unknown;
  body: unknown;
  request: Replayable;
};
type Replayable = { headers: Readonly<Record<string, string>>; isReplayed?: boolean };

/**
 * What a request creates or replaces. Under an idempotency key, `id` is derived from the key, and what was created keeps
 * `mark`: a repetition finds it there, and no further item is needed.
 */
export type Creation = { id: string; mark?: string; request: Replayable };

const MARK_PART_CHARACTERS = 11;

/** The creation of a request: the same key in the same environment and operation gives the same creation. */
export function creationOf(
  { id: operation }: { id: string },
  { caller, path, body, request }: Creating,
): Creation {
  const key = request.headers['idempotency-key'];
  if (!key) return { id: newId(), request };
  const parts = [caller.accountId, caller.environmentId, operation, key];
  return {
    // Letters and digits, as every ID has.
    id: digestOf(parts).replaceAll(/[-_]/g, 'x').slice(0, 16),
    mark: `${digestOf(parts).slice(-MARK_PART_CHARACTERS)}${digestOf([path, body]).slice(-MARK_PART_CHARACTERS)}`,
    request,
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

/**
 * True if the request repeats the request that left `mark`: its response is the same, and says so. Throws IDEMPOTENCY_KEY_REUSED
 * if another request used the same key.
 */
export function isRepetition(creation: Creation, mark: string | undefined): boolean {
  const { mark: own, request } = creation;
  if (!own || !mark || own.slice(0, MARK_PART_CHARACTERS) !== mark.slice(0, MARK_PART_CHARACTERS))
    return false;
  if (own !== mark) throw new AppError('IDEMPOTENCY_KEY_REUSED', { fix: 'Use a new key for a new request.' });
  request.isReplayed = true;
  return true;
}

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import type { Keyring } from '../../../encryption/keyring.ts';
import { SIGNATURES_IN_ADDRESSES, type SigningPurpose } from '../../../tokens/signer.ts';
import { readStored } from '../../items/stored.ts';
import type { Item } from '../../table.ts';

const Entry = v.object({
  sealed: v.string(),
  retiredAtMs: v.optional(v.number()),
  isLeaked: v.optional(v.boolean()),
});
export type Entry = v.InferOutput<typeof Entry>;
const Stored = v.object({ entries: v.array(Entry) });

/** A secret in plaintext, in memory only. */
export type Secret = Omit<Entry, 'sealed'> & { key: KeyObject };

export const CONTEXT = { accountId: 'deployment', kind: 'signing-secret', id: 'deployment' };
/** A process may use secrets for this long after reading them. */
export const CACHE_MS = 5 * 60_000;

/** False for the secret of an earlier version, which is in plaintext. */
export const isSealed = (item: Item | undefined): item is Item => item?.entries !== undefined;

/** The secrets of an item, the current one first. */
export function readEntries(item: Item | undefined): Entry[] {
  return readStored('deployment secret', Stored, item ?? {}).entries;
}

export async function openEntries(ring: Keyring, entries: readonly Entry[]): Promise<Secret[]> {
  return Promise.all(
    entries.map(async ({ sealed, ...state }) => ({
      ...state,
      key: createSecretKey(await ring.decrypt(CONTEXT, sealed), 'base64'),
    })),
  );
}

export function hmac({ key }: Secret, purpose: SigningPurpose, text: string): string {
  const digest = createHmac('sha256', key).update(`${purpose}\n${text}`);
  const length = SIGNATURES_IN_ADDRESSES[purpose];
  return length === undefined ? digest.digest('base64url') : digest.digest('hex').slice(0, length);
}

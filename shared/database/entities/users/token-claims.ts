import * as v from 'valibot';
import { deviceTokensOf, withoutDeviceTokens } from '../../../domain/users/device-tokens.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { PushToken, WebPushToken } from '../../../schemas/users/user.ts';
import type { TransactAction } from '../../client/transactions.ts';
import type { Database } from '../../database.ts';
import { atRevision } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { deviceTokenKey, profileKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

/** The owner of a token. One without a user was released; it expires. */
const StoredClaim = v.object({ userId: v.optional(v.string()), revision: v.number() });
const Holder = v.looseObject({
  pushTokens: v.optional(
    v.array(v.looseObject({ ...PushToken.entries, environment: v.optional(v.string()) })),
  ),
  webPushTokens: v.optional(v.array(v.looseObject(WebPushToken.entries))),
  revision: v.number(),
});

/** A write of one user's device tokens, by name. `kept`: already the user's, possibly without a claim. */
export type TokenChange = {
  environmentId: string;
  userId: string;
  added: readonly string[];
  kept: readonly string[];
  released: readonly string[];
  nowMs: number;
};

/** Longer than any registration that read the claim before its release. */
const RELEASED_SECONDS = DAY_SECONDS;

/**
 * The actions that commit a change of device tokens together with its user's profile: they claim the tokens,
 * remove them from their previous users, and release the claims of removed tokens. If they fail, another
 * caller was first: read again.
 */
export async function tokenClaimActions(table: Database, change: TokenChange): Promise<TransactAction[]> {
  const { environmentId, userId, nowMs } = change;
  const released = new Set(change.released);
  const keptNames = new Set(change.kept);
  const lost = new Map<string, Set<string>>();
  const claims = await Promise.all(
    [...change.added, ...keptNames, ...released].map(async (token): Promise<TransactAction[]> => {
      const key = deviceTokenKey(environmentId, token);
      const item = await table.get(key, { consistent: true });
      const claim = item && readStored('token claim', StoredClaim, item);
      const isOwn = claim?.userId === userId;
      if (released.has(token)) {
        const expiresAt = secondsAfter(nowMs, RELEASED_SECONDS);
        return isOwn ? [claimWrite({ ...key, expiresAt }, claim)] : [];
      }
      if (isOwn && keptNames.has(token)) return [];
      if (claim?.userId !== undefined && !isOwn) {
        lost.set(claim.userId, (lost.get(claim.userId) ?? new Set()).add(token));
      }
      return [claimWrite({ ...key, environmentId, userId }, claim)];
    }),
  );
  const losses = await Promise.all(
    [...lost].map(([loser, tokens]) => findLoss(table, { environmentId, userId: loser, nowMs }, tokens)),
  );
  return [...claims, ...losses].flat();
}

function claimWrite(item: Item, claim: { revision: number } | undefined): TransactAction {
  const revision = (claim?.revision ?? 0) + 1;
  const unchanged = claim ? atRevision(claim.revision) : { condition: 'attribute_not_exists(pk)' };
  return { put: { ...item, revision }, ...unchanged };
}

/** Removes tokens from the profile of their previous user. The chat token in it stays encrypted. */
async function findLoss(
  table: Database,
  { environmentId, userId, nowMs }: { environmentId: string; userId: string; nowMs: number },
  tokens: ReadonlySet<string>,
): Promise<TransactAction[]> {
  const item = await table.get(profileKey(environmentId, userId), { consistent: true });
  if (!item) return [];
  const holder = readStored('user', Holder, item);
  if (!deviceTokensOf(holder).some((name) => tokens.has(name))) return [];
  const { revision } = holder;
  return [
    {
      put: { ...withoutDeviceTokens(holder, tokens), revision: revision + 1, updatedAtMs: nowMs },
      ...atRevision(revision),
    },
  ];
}

import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import type { ErasedPerson } from '../../../shared/database/entities/erasure/log-erasures.ts';
import { userErasures } from '../../../shared/database/entities/erasure/user-erasures.ts';
import { connections } from '../../../shared/database/entities/inapp/connections.ts';
import { type SmsThread, texts } from '../../../shared/database/entities/incoming/texts.ts';
import { isErasedHead, requestedAtMs } from '../../../shared/database/entities/logs/log-head.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { digests } from '../../../shared/database/entities/sending/digests.ts';
import { sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { topics } from '../../../shared/database/entities/users/topics.ts';
import { userTraces } from '../../../shared/database/entities/users/user-traces.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys/log.ts';
import { SMS_THREAD_PREFIX } from '../../../shared/database/keys/phone.ts';
import { CONTACT_PREFIX, contactPk } from '../../../shared/database/keys/user.ts';
import { connectionEnds } from '../../../shared/providers/clients/realtime.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { withdrawScheduled } from '../../sending/withdraw-scheduled.ts';
import { withdrawDigest } from '../../workers/digest/withdraw.ts';
import { SETTLE_MS } from './erasure-steps.ts';

export const eraseDependencies = {
  ...{ accounts, digests, erasureMarks, logs, sendingRules, signer, texts, topics, userErasures, userTraces },
  ...{ users, connections, connectionEnds },
};
type EraseDependencies = Resolved<typeof eraseDependencies>;

/** A deletion, and when it was requested. */
type Erasure = ErasedPerson & { accountId: string };

const AT_ONCE = 25;

/**
 * Deletes everything stored about a user except the logs: marks them deleted, withdraws scheduled
 * notifications and digest items, leaves topics, deletes SMS threads, closes open sockets, then deletes the
 * user's partition. Safe to repeat.
 */
export async function eraseUser(deps: EraseDependencies, erasure: Erasure, nowMs: number): Promise<void> {
  const { environmentId, userId, atMs } = erasure;
  await deps.erasureMarks.mark(environmentId, userId, atMs, deps.signer);
  await eraseTraces(deps, erasure, nowMs);
  await leaveTopics(deps, erasure);
  // An interrupted deletion is repeated later; by then, the user may have been created again.
  const profile = await deps.users.find(erasure, userId);
  if (profile && profile.createdAtMs > atMs) return;
  const open = await deps.connections.listOfUser(environmentId, userId, atMs);
  await deps.connectionEnds.end(open);
  await deps.userErasures.removeOwn(environmentId, userId);
  await deps.users.remove(erasure, userId, atMs);
}

/** Removes the user from the topics that they were in when the deletion was requested. */
async function leaveTopics(
  { topics }: EraseDependencies,
  { environmentId, userId, atMs }: Erasure,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await topics.listOfUser(environmentId, userId, { limit: AT_ONCE, after });
    for (const { topicId, addedAtMs } of page.topics) {
      if (addedAtMs <= atMs) await topics.remove(environmentId, topicId, [userId], atMs);
    }
    after = page.next;
  } while (after !== undefined);
}

/**
 * Withdraws a user's data in other partitions that was accepted before their deletion. Later again: what was in progress may
 * have stored some after it.
 */
export async function eraseTraces(deps: EraseDependencies, erasure: Erasure, nowMs: number): Promise<void> {
  const [traces, account] = await Promise.all([
    deps.userTraces.list(erasure),
    deps.accounts.get(erasure.accountId),
  ]);
  const { feedShards } = account;
  await inChunks(traces, AT_ONCE, (pk) => eraseTraced(deps, erasure, pk, { feedShards, nowMs }));
  await eraseFormer(deps, erasure, nowMs);
}

/** Deletes what leads from erased addresses to users who had them: threads of text messages, and the references. */
async function eraseFormer(deps: EraseDependencies, erasure: Erasure, nowMs: number): Promise<void> {
  const { environmentId, addresses, formerOf = [] } = erasure;
  const kindOf = (address: string) => (address.includes('@') ? 'email' : 'number');
  const references = addresses.map((address) => contactPk(environmentId, { kind: kindOf(address), address }));
  for (const userId of formerOf) {
    const former = { ...erasure, userId };
    const traces = await deps.userTraces.list(former);
    const isTheirs = (pk: string) =>
      references.includes(pk) ||
      (pk.startsWith(SMS_THREAD_PREFIX) && addresses.some((each) => pk.endsWith(`#${each}`)));
    await inChunks(traces.filter(isTheirs), AT_ONCE, (pk) =>
      eraseTraced(deps, former, pk, { feedShards: 1, nowMs }),
    );
  }
}

async function eraseTraced(
  deps: EraseDependencies,
  erasure: Erasure,
  pk: string,
  { feedShards, nowMs }: { feedShards: number; nowMs: number },
): Promise<void> {
  const erasedAtMs = erasure.atMs;
  if (pk.startsWith(LOG_PK_PREFIX)) {
    const { userId } = erasure;
    await withdrawScheduled(deps, trackingIdOfPk(pk), { userId, erasedAtMs }, feedShards);
    await deps.userTraces.leave(erasure, pk, erasedAtMs);
  } else if (pk.startsWith(DIGEST_PREFIX)) {
    const isThere = await withdrawDigest(deps, pk, { erasedAtMs, nowMs });
    // A collector enters the trace first: what it was about to store is there by then.
    if (!isThere && nowMs >= erasedAtMs + SETTLE_MS) await deps.userTraces.leave(erasure, pk, erasedAtMs);
  } else if (pk.startsWith(CONTACT_PREFIX)) {
    await deps.userErasures.removeFormer(pk, erasure);
    await deps.userTraces.leave(erasure, pk, erasedAtMs);
  } else if (pk.startsWith(SMS_THREAD_PREFIX)) {
    await deps.texts.remove(pk, erasure, (thread) => isOfErased(deps, thread, erasedAtMs));
  }
}

/** A delivery in progress stores its thread after the deletion. A user who is back has threads of later notifications. */
async function isOfErased(
  { logs }: EraseDependencies,
  { atMs, trackingId }: SmsThread,
  erasedAtMs: number,
): Promise<boolean> {
  if (atMs <= erasedAtMs) return true;
  const head = await logs.findHead(trackingId, atMs);
  return !head || isErasedHead(head) || requestedAtMs(head) <= erasedAtMs;
}

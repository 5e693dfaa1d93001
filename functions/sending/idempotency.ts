import { createHash } from 'node:crypto';
import type { Logs } from '../../shared/database/entities/logs.ts';
import { canonicalJson } from '../../shared/domain/canonical-json.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { newTrackingId, trackingIdOf } from '../../shared/runtime/ids.ts';
import type { Accepted, AcceptRequest } from './accept.ts';
import type { Committed } from './commit.ts';

const IDEMPOTENCY_MS = 24 * 3_600_000;
/** A clock may be behind the one that received the request before. */
const MARGIN_MS = 3_600_000;
const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

/** No head is past its retention at this time. */
const ALSO_EXPIRED_MS = 0;

type CommitCall = (trackingId: string, requestHash?: string) => Promise<Committed>;
/** A head that has the tracking ID of a key; undefined when there is none. */
type Taken = {
  messages: string[];
  repeated?: { receivedAtMs: number; requestHash?: string | undefined; expiresAtSeconds: number };
};

/**
 * Commits under a fresh tracking ID, or, with an idempotency key, under the one that belongs to the key: a repeat then
 * fails the head's condition and gets the stored answer. After 24 hours the key stands for a new notification, found by
 * way of the one before: that one's head is kept as long as the new one may be repeated.
 */
export async function commitWithKey(logs: Logs, asked: AcceptRequest, commit: CommitCall): Promise<Accepted> {
  const key = findKey(asked);
  if (key === undefined) {
    const trackingId = newTrackingId(asked.facts.receivedAtMs);
    const committed = await commit(trackingId);
    return { trackingId, messages: committed.messages };
  }
  return withKey(asked, key, commit, async (trackingId, { expiresAtSeconds }) => {
    const untilSeconds = Math.ceil((asked.facts.receivedAtMs + IDEMPOTENCY_MS + MARGIN_MS) / 1000);
    return expiresAtSeconds >= untilSeconds || logs.keepHead(trackingId, untilSeconds);
  });
}

/** The stored answer when the request repeats an accepted one; nothing is written. Throws IDEMPOTENCY_KEY_REUSED. */
export async function findRepeated(logs: Logs, asked: AcceptRequest): Promise<Accepted | undefined> {
  const key = findKey(asked);
  if (key === undefined) return undefined;
  let isRepeated = true;
  const accepted = await withKey(asked, key, async (trackingId) => {
    const head = await logs.findHead(trackingId, ALSO_EXPIRED_MS);
    isRepeated = head !== undefined;
    return head ? { messages: head.messages, repeated: head } : { messages: [] };
  });
  return isRepeated ? accepted : undefined;
}

function findKey(asked: AcceptRequest): string | undefined {
  const key = asked.facts.headers['idempotency-key'];
  if (key !== undefined && key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw new AppError('INVALID_REQUEST', {
      message: `The header Idempotency-Key must be at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
      fix: 'Send a shorter key, such as a UUID.',
    });
  }
  return key || undefined;
}

async function withKey(
  asked: AcceptRequest,
  key: string,
  take: (trackingId: string, requestHash: string) => Promise<Taken>,
  keepOld: (trackingId: string, old: NonNullable<Taken['repeated']>) => Promise<boolean> = async () => true,
): Promise<Accepted> {
  const hash = createHash('sha256')
    .update(canonicalJson([asked.operation, asked.body]))
    .digest('base64url');
  const parts = [asked.caller.accountId, asked.caller.environmentId, key];
  for (;;) {
    const trackingId = trackingIdOf(parts);
    const { messages, repeated } = await take(trackingId, hash);
    if (!repeated) return { trackingId, messages };
    if (repeated.receivedAtMs > asked.facts.receivedAtMs - IDEMPOTENCY_MS) {
      if (repeated.requestHash === hash) return { trackingId, messages };
      throw new AppError('IDEMPOTENCY_KEY_REUSED', { fix: 'Use a new key for a new request.' });
    }
    if (await keepOld(trackingId, repeated)) parts.push(String(repeated.receivedAtMs));
  }
}

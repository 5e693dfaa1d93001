import { createHash } from 'node:crypto';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import type { IdempotencyKeys } from '../../../shared/database/entities/sending/idempotency-keys.ts';
import { canonicalJson } from '../../../shared/domain/routing/canonical-json.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { secondsAfter } from '../../../shared/runtime/values/durations.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import type { AcceptRequest } from './accept-request.ts';

const IDEMPOTENCY_MS = 24 * 3_600_000;
/** Tolerance for a clock that is behind the clock that received the earlier request. */
const MARGIN_MS = 3_600_000;
/** With this time, expired heads count too. */
const EXPIRED_TOO_MS = 0;

/** A request's idempotency key: its identity, and the hash that a request under the same key must have. */
export type IdempotencyKey = { parts: readonly string[]; requestHash: string };

export function findKey({
  operation,
  caller,
  facts,
  body,
  position,
}: AcceptRequest): IdempotencyKey | undefined {
  const key = facts.headers['idempotency-key'];
  if (!key) return undefined;
  const place = position === undefined ? [] : ['bulk', String(position)];
  return {
    parts: [caller.accountId, caller.environmentId, key, ...place],
    requestHash: createHash('sha256')
      .update(canonicalJson([operation, body]))
      .digest('base64url'),
  };
}

/**
 * Yields the tracking IDs that a key may represent. The ID after a notification's is derived from that
 * notification. The caller passes in its time of receipt: after 24 hours, the key represents a new
 * notification.
 */
export function* candidateIds({ parts }: IdempotencyKey): Generator<string, never, number> {
  const named = [...parts];
  for (;;) named.push(String(yield trackingIdOf(named)));
}

export function firstCandidate(key: IdempotencyKey): string {
  return trackingIdOf(key.parts);
}

/**
 * Returns the head that the request duplicates; `first` is the head of the key's first ID, already read. Throws
 * IDEMPOTENCY_KEY_REUSED if the key belongs to another request.
 */
export async function findRepeated(
  logs: Logs,
  key: IdempotencyKey,
  first: StoredLogHead | undefined,
  nowMs: number,
): Promise<StoredLogHead | undefined> {
  const ids = candidateIds(key);
  ids.next();
  let head = first;
  while (head && !isCurrent(head, nowMs)) {
    head = await logs.findHead(ids.next(head.receivedAtMs).value, EXPIRED_TOO_MS);
  }
  if (head) assertSameRequest(key, head);
  return head;
}

export function isCurrent({ receivedAtMs }: StoredLogHead, nowMs: number): boolean {
  return receivedAtMs > nowMs - IDEMPOTENCY_MS;
}

export function assertSameRequest({ requestHash }: IdempotencyKey, head: StoredLogHead): void {
  if (head.requestHash === requestHash) return;
  throw keyReused();
}

const keyReused = () => new AppError('IDEMPOTENCY_KEY_REUSED', { fix: 'Use a new key for a new request.' });

/**
 * Claims the key for the request before its data is stored: of concurrent requests with different bodies, only the first changes
 * contact data. Throws IDEMPOTENCY_KEY_REUSED for the others.
 */
export async function claimKeyFor(keys: IdempotencyKeys, incoming: AcceptRequest): Promise<void> {
  const key = findKey(incoming);
  if (!key) return;
  const { requestHash } = key;
  const nowMs = incoming.facts.receivedAtMs;
  const claimed = { accountId: incoming.caller.accountId, trackingId: firstCandidate(key), requestHash };
  if (!(await keys.claim(claimed, { nowMs, sinceMs: nowMs - IDEMPOTENCY_MS }))) throw keyReused();
}

/** Keeps a head as long as the key's present notification can be repeated; false if the head no longer exists. */
export async function keepAsLink(logs: Logs, head: StoredLogHead, nowMs: number): Promise<boolean> {
  const untilSeconds = secondsAfter(nowMs + IDEMPOTENCY_MS + MARGIN_MS);
  return head.expiresAtSeconds >= untilSeconds || logs.keepHead(head.trackingId, untilSeconds);
}

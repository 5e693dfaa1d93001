import * as v from 'valibot';
import {
  evaluateThrottle,
  hasPlace,
  type ThrottleEvaluation,
  type ThrottleState,
  throttleShards,
} from '../../../domain/timing/throttling.ts';
import { loadOnce } from '../../../runtime/async/lazily.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import type { Throttling } from '../../../schemas/content/notification-type.ts';
import type { TransactAction, TransactOutcome } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { dedupKey, throttleStateKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

/** Rules that a user's notification must pass at the moment when it is recorded. */
export type Rules = {
  environmentId: string;
  userId: string;
  /** `windowSeconds` 0 has no end. */
  deduplication?: { hash: string; windowSeconds: number } | undefined;
  /** `countedAtMs`: when the same notification was counted before. While that count is in the period, it is not counted again. */
  throttling?: { scope: string; config: Throttling; countedAtMs?: readonly number[] | undefined } | undefined;
};

/** Which rule rejects a notification. */
export type RuleRefusal = 'duplicate' | 'throttled';

/** Outcome of a commit. `exists`: the head's own condition failed, with the current item. */
type RulesOutcome =
  | { kind: 'committed' }
  | { kind: 'exists'; current: Item | undefined }
  | { kind: RuleRefusal };

/**
 * Returns the outcome of a commit without committing; notifications that pass count for those evaluated after
 * them.
 */
type Rehearsal = (rules: Rules | undefined, nowMs: number) => Promise<RuleRefusal | undefined>;

/**
 * Commits a head together with its deduplication marker and throttle state: all or nothing, without races.
 */
export type SendingRules = ReturnType<typeof createSendingRules>;

const StoredThrottle = v.object({ state: v.unknown(), revision: v.number() });
const StoredMarker = v.object({ atMs: v.number() });
type ThrottleRule = Rules & { throttling: NonNullable<Rules['throttling']> };

function createSendingRules(table: Database) {
  const loadPlaces = loadOnce(async () => (await import('./throttle-places.ts')).createThrottlePlaces(table));

  async function findThrottle(rules: ThrottleRule) {
    const item = await table.get(keyOfThrottle(rules), { consistent: true });
    return item && readStored('throttle', StoredThrottle, item);
  }

  async function tryCommit(head: TransactAction, rules: Rules | undefined, nowMs: number) {
    const actions: TransactAction[] = [head];
    if (rules?.deduplication) actions.push(markerAction(rules, rules.deduplication, nowMs));
    if (isThrottled(rules)) {
      const stored = await findThrottle(rules);
      const state = asState(stored?.state);
      const { config, countedAtMs = [] } = rules.throttling;
      if (!hasPlace(state, config, countedAtMs, nowMs)) {
        const evaluated = evaluateThrottle(state, config, nowMs);
        if (!evaluated.allowed) return { kind: 'throttled' as const };
        actions.push(throttleAction(rules, evaluated, stored?.revision));
      }
    }
    if (actions.length === 1 && 'put' in head) return singleOutcome(head);
    return outcomeOf(await table.transact(actions), rules);
  }

  /** A head without rules needs no transaction, which would cost twice the write units. */
  async function singleOutcome(head: TransactAction & { put: Item }): Promise<RulesOutcome> {
    const { put, ...options } = head;
    const outcome = await table.put(put, options);
    return outcome.written ? { kind: 'committed' } : { kind: 'exists', current: outcome.current };
  }

  /** A place of a limit that many share is taken before, not in one transaction: every send would wait for one item. */
  async function commitWithPlace(head: TransactAction, rules: ThrottleRule, nowMs: number) {
    const place = await (await loadPlaces()).take(rules, nowMs);
    if (!place) return { kind: 'throttled' as const };
    const outcome = await untilSettled(() => tryCommit(head, { ...rules, throttling: undefined }, nowMs));
    if (outcome.kind !== 'committed') await place.release();
    return outcome;
  }

  return {
    commit: (head: TransactAction, rules: Rules | undefined, nowMs: number): Promise<RulesOutcome> =>
      isThrottled(rules) && isShared(rules)
        ? commitWithPlace(head, rules, nowMs)
        : untilSettled(() => tryCommit(head, rules, nowMs)),

    /** Stores heads without rules whose tracking IDs are new. Returns the heads that were throttled for too long. */
    commitNew: (heads: readonly Item[]): Promise<Item[]> => table.batchPut(heads),

    rehearse(): Rehearsal {
      const throttles = new Map<string, ThrottleState | undefined>();
      const free = new Map<string, number>();
      const markedAtMs = new Map<string, number | undefined>();

      async function readFree(rules: ThrottleRule, nowMs: number): Promise<number> {
        const known = free.get(rules.throttling.scope);
        return known ?? (await (await loadPlaces()).countFree(rules, nowMs));
      }

      async function readState(rules: ThrottleRule): Promise<ThrottleState | undefined> {
        const name = JSON.stringify(keyOfThrottle(rules));
        if (!throttles.has(name)) throttles.set(name, asState((await findThrottle(rules))?.state));
        return throttles.get(name);
      }

      async function readMark(rules: Rules, hash: string): Promise<number | undefined> {
        if (!markedAtMs.has(hash)) {
          const key = dedupKey(rules.environmentId, rules.userId, hash);
          const item = await table.get(key, { consistent: true });
          markedAtMs.set(hash, item && readStored('deduplication marker', StoredMarker, item).atMs);
        }
        return markedAtMs.get(hash);
      }

      return async (rules, nowMs) => {
        const shared = isThrottled(rules) && isShared(rules) ? rules : undefined;
        const places = shared ? await readFree(shared, nowMs) : 1;
        if (places < 1) return 'throttled';
        const throttle = isThrottled(rules) && !shared ? rules : undefined;
        const evaluated =
          throttle && evaluateThrottle(await readState(throttle), throttle.throttling.config, nowMs);
        if (evaluated?.allowed === false) return 'throttled';
        if (rules?.deduplication) {
          const { hash, windowSeconds } = rules.deduplication;
          const atMs = await readMark(rules, hash);
          if (atMs !== undefined && atMs > windowStart(windowSeconds, nowMs)) return 'duplicate';
          markedAtMs.set(hash, nowMs);
        }
        if (shared) free.set(shared.throttling.scope, places - 1);
        if (throttle && evaluated) throttles.set(JSON.stringify(keyOfThrottle(throttle)), evaluated.state);
        return undefined;
      };
    },
  };
}

function isThrottled(rules: Rules | undefined): rules is ThrottleRule {
  return rules?.throttling !== undefined;
}

const isShared = ({ throttling: { config } }: ThrottleRule) => throttleShards(config) > 1;

/** A state that several users share is not stored under any of them. */
function keyOfThrottle({ environmentId, userId, throttling: { scope, config } }: ThrottleRule) {
  return throttleStateKey(environmentId, config.scope.includes('userId') ? userId : undefined, scope);
}

/** Only `throttleAction` writes the state. */
function asState(state: unknown): ThrottleState | undefined {
  return state as ThrottleState | undefined;
}

/** A marker set at or before this time no longer counts: the type's present window applies, not the window when it was set. */
function windowStart(windowSeconds: number, nowMs: number): number {
  return windowSeconds === 0 ? -1 : nowMs - windowSeconds * 1000;
}

function markerAction(
  { environmentId, userId }: Rules,
  { hash, windowSeconds }: NonNullable<Rules['deduplication']>,
  nowMs: number,
): TransactAction {
  const expiresAt = secondsAfter(nowMs, windowSeconds + DAY_SECONDS);
  return {
    put: {
      ...dedupKey(environmentId, userId, hash),
      atMs: nowMs,
      ...(windowSeconds === 0 ? undefined : { expiresAt }),
    },
    condition: 'attribute_not_exists(pk) OR atMs <= :start',
    values: { ':start': windowStart(windowSeconds, nowMs) },
  };
}

function throttleAction(
  rules: ThrottleRule,
  { state, expiresAtMs }: ThrottleEvaluation,
  revision: number | undefined,
): TransactAction {
  const item: Item = { ...keyOfThrottle(rules), state, revision: (revision ?? 0) + 1 };
  if (expiresAtMs !== undefined) item.expiresAt = secondsAfter(expiresAtMs, DAY_SECONDS);
  return revision === undefined
    ? { put: item, condition: 'attribute_not_exists(pk)' }
    : { put: item, ...atRevision(revision) };
}

function outcomeOf(outcome: TransactOutcome, rules: Rules | undefined): RulesOutcome | typeof AGAIN {
  if (outcome.written) return { kind: 'committed' };
  const failed = (index: number) => outcome.failed.find((each) => each.index === index);
  const head = failed(0);
  if (head) return { kind: 'exists', current: head.current };
  return rules?.deduplication && failed(1) ? { kind: 'duplicate' } : AGAIN;
}

export const sendingRules = dependency('sendingRules', () => createSendingRules(resolve(database)));

import * as v from 'valibot';
import { judgeThrottle, type ThrottleJudgement, type ThrottleState } from '../../domain/throttling.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import type { Throttling } from '../../schemas/notification-type.ts';
import { type Database, database, type TransactAction, type TransactOutcome } from '../database.ts';
import { dedupKey, throttleKey } from '../keys.ts';
import type { Item } from '../table.ts';
import { readStored } from './stored.ts';

/** Rules a notification must pass in the same moment in which it is recorded. */
export type Rules = {
  /** `windowSeconds` 0 is for ever. */
  deduplication?: { hash: string; windowSeconds: number };
  throttling?: { environmentId: string; scope: string; config: Throttling };
};

/** What came of a commit. `taken`: the head's own condition failed, with the item as it was. */
export type RulesOutcome =
  | { kind: 'committed' }
  | { kind: 'taken'; current: Item | undefined }
  | { kind: 'duplicate' }
  | { kind: 'throttled' };

const StoredThrottle = v.object({ state: v.unknown(), revision: v.number() });
const FOREVER_MS = Number.MAX_SAFE_INTEGER;
const DAY_SECONDS = 86_400;

/** Commits a head together with its deduplication marker and throttle state: all or nothing, race-free (DESIGN 5.1). */
export type SendingRules = {
  commit(head: TransactAction, rules: Rules, nowMs: number): Promise<RulesOutcome>;
};

/** Builds the commit on the table. `pause` waits between tries of contended transactions. */
export function createSendingRules(table: Database, pause: (attempt: number) => Promise<void>): SendingRules {
  async function readThrottle(rule: NonNullable<Rules['throttling']>) {
    const item = await table.get(throttleKey(rule.environmentId, rule.scope), {
      consistent: true,
    });
    return item && readStored('throttle', StoredThrottle, item);
  }

  async function tryCommit(
    head: TransactAction,
    rules: Rules,
    nowMs: number,
  ): Promise<RulesOutcome | 'again'> {
    const actions: TransactAction[] = [head];
    if (rules.deduplication) actions.push(markerOf(rules.deduplication, nowMs));
    if (rules.throttling) {
      const stored = await readThrottle(rules.throttling);
      const judged = judgeThrottle(asState(stored?.state), rules.throttling.config, nowMs);
      if (!judged.allowed) return { kind: 'throttled' };
      actions.push(throttleAction(rules.throttling, judged, stored?.revision));
    }
    if (actions.length === 1 && 'put' in head) return singleOutcome(head);
    return outcomeOf(await table.transact(actions), rules);
  }

  /** A head without rules needs no transaction, which would cost twice the write units. */
  async function singleOutcome(head: TransactAction & { put: Item }): Promise<RulesOutcome> {
    const { put, ...options } = head;
    const outcome = await table.put(put, options);
    return outcome.written ? { kind: 'committed' } : { kind: 'taken', current: outcome.current };
  }

  return {
    async commit(head, rules, nowMs) {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await tryCommit(head, rules, nowMs);
        if (outcome !== 'again') return outcome;
        await pause(attempt);
      }
    },
  };
}

/** Only `throttleAction` writes the state. */
function asState(state: unknown): ThrottleState | undefined {
  return state as ThrottleState | undefined;
}

function markerOf(rule: NonNullable<Rules['deduplication']>, nowMs: number): TransactAction {
  const untilMs = rule.windowSeconds === 0 ? FOREVER_MS : nowMs + rule.windowSeconds * 1000;
  return {
    put: {
      ...dedupKey(rule.hash),
      untilMs,
      ...(rule.windowSeconds === 0 ? {} : { expiresAt: Math.ceil(untilMs / 1000) + DAY_SECONDS }),
    },
    condition: 'attribute_not_exists(pk) OR untilMs <= :now',
    values: { ':now': nowMs },
  };
}

function throttleAction(
  rule: NonNullable<Rules['throttling']>,
  { state, expiresAtMs }: ThrottleJudgement,
  revision: number | undefined,
): TransactAction {
  const item = {
    ...throttleKey(rule.environmentId, rule.scope),
    state,
    revision: (revision ?? 0) + 1,
    ...(expiresAtMs === undefined ? {} : { expiresAt: Math.ceil(expiresAtMs / 1000) + DAY_SECONDS }),
  };
  return revision === undefined
    ? { put: item, condition: 'attribute_not_exists(pk)' }
    : { put: item, condition: 'revision = :revision', values: { ':revision': revision } };
}

function outcomeOf(outcome: TransactOutcome, rules: Rules): RulesOutcome | 'again' {
  if (outcome.written) return { kind: 'committed' };
  const failed = (index: number) => outcome.failed.find((each) => each.index === index);
  const head = failed(0);
  if (head) return { kind: 'taken', current: head.current };
  if (rules.deduplication && failed(1)) return { kind: 'duplicate' };
  return 'again';
}

/** Rules of this deployment. */
export const sendingRules = dependency('sendingRules', () =>
  createSendingRules(
    resolve(database),
    (attempt) => new Promise((resume) => setTimeout(resume, Math.random() * Math.min(250, 5 * 2 ** attempt))),
  ),
);

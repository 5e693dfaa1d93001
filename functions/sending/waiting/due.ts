import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import type { SendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { capMessage } from '../../../shared/domain/costs/usage-caps.ts';
import { isGoing } from '../../../shared/domain/routing/routing.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { byChannel } from '../../../shared/schemas/channel.ts';
import { readIntake, withLiquid } from '../accept/intake.ts';
import { type ContextDependencies, completed } from '../decide/context.ts';
import { commitOrRefuse, type Evaluation, evaluate } from '../decide/evaluate.ts';
import { decidedHead, fanOutOf } from '../decide/head.ts';

export type DueDependencies = ContextDependencies & {
  logs: Logs;
  sendingRules: SendingRules;
};

/**
 * The outcome: `lost` if it was cancelled, rescheduled or made ready by another worker at the same moment.
 */
export type MadeReady = 'ready' | 'lost';

/**
 * Evaluates a scheduled notification again when it is due, by the data stored now, and makes it ready in one
 * conditional write together with deduplication and throttling. A deleted type is not created again.
 */
export async function makeReady(
  deps: DueDependencies,
  waiting: StoredLogHead,
  context: SendingContext,
  nowMs: number,
): Promise<MadeReady> {
  // Its contact data was stored when it was accepted, and may have changed since.
  const intake = { ...(await withLiquid(readIntake(waiting.request))), contact: {} };
  const known = await completed(deps, context, nowMs);
  const evaluation = evaluate(intake, known, { nowMs, mayCreateType: false });
  const fanOut = fanOutOf(intake, withinCaps(evaluation), nowMs);
  const { feedShards } = context.account;
  const typed = evaluation.type ? evaluation : withheld(evaluation, waiting);
  const decided = withinCaps(typed);
  const outcome = await commitOrRefuse(decided, async (next, rules) => {
    const head = {
      ...decidedHead(waiting, next, nowMs),
      state: fanOut ? ('fanning' as const) : ('accepted' as const),
      ...defined({ fanOut }),
      processedAtMs: nowMs,
      expiresAtSeconds: evaluation.expiresAtSeconds,
    };
    return deps.sendingRules.commit(await deps.logs.replaceScheduled(head, feedShards), rules, nowMs);
  });
  return outcome.kind === 'committed' ? 'ready' : 'lost';
}

/** Without a type, the channels are unknown: waiting channels are not sent. */
function withheld(evaluation: Evaluation, waiting: StoredLogHead): Evaluation {
  return {
    ...evaluation,
    routing: byChannel((channel) =>
      waiting.routing[channel] ? { routing: 'IGNORE', reason: 'NO_TYPE' } : { routing: 'OFF' },
    ),
  };
}

/** Over a cap, nothing is sent and the log has the reason: there is no caller to return 402 to. */
export function withinCaps(evaluation: Evaluation): Evaluation {
  const { hitCap, routing, messages } = evaluation;
  if (!hitCap) return evaluation;
  const because = capMessage(hitCap);
  return {
    ...evaluation,
    routing: byChannel((channel) =>
      isGoing(routing[channel]) ? { routing: 'IGNORE', reason: 'OVER_CAP' } : routing[channel],
    ),
    messages: [...messages, because],
    ignored: 'ALL_CHANNELS_IGNORED',
    failure: { code: 'UNKNOWN', because },
    rules: undefined,
  };
}

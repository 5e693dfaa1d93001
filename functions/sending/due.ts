import type { StoredLogHead } from '../../shared/database/entities/log-head.ts';
import type { NotificationTypes } from '../../shared/database/entities/notification-types.ts';
import type { SendingContext } from '../../shared/database/entities/sending-context.ts';
import type { UsageCaps } from '../../shared/database/entities/usage-caps.ts';
import type { Users } from '../../shared/database/entities/users.ts';
import { isGoing } from '../../shared/domain/routing.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { decide, expiryOf, firstUseType, notOff } from './accept.ts';
import { type CommitDependencies, refusedHead, rulesOf } from './commit.ts';
import { type Intake, readIntake } from './intake.ts';
import { assertWithinCaps } from './usage-limit.ts';

/** What making a scheduled notification ready needs. */
export type DueDependencies = CommitDependencies & {
  users: Users;
  notificationTypes: NotificationTypes;
  usageCaps: UsageCaps;
};

/** What came of it: `lost` when it was cancelled, moved or made ready by another worker in the same moment. */
export type MadeReady = 'ready' | 'lost';

/**
 * Judges a scheduled notification again at its due moment, by what is stored now, and makes it ready by one conditional
 * write together with deduplication and throttling (API 3).
 */
export async function makeReady(
  deps: DueDependencies,
  waiting: StoredLogHead,
  context: SendingContext,
  nowMs: number,
): Promise<MadeReady> {
  const { accountId, environmentId } = waiting;
  const scope = { accountId, environmentId };
  const intake = readIntake(waiting.request);
  const type =
    context.type ??
    (await deps.notificationTypes.createIfMissing(environmentId, firstUseType(intake, nowMs)));
  const user = context.profile && (await deps.users.open(scope, context.profile));
  const decided = decide(intake, context, type, user, undefined);
  const { email: _, number: __, ...rest } = waiting;
  const head: StoredLogHead = {
    ...rest,
    state: 'accepted',
    processedAtMs: nowMs,
    routing: notOff(decided),
    messages: decided.messages,
    expiresAtSeconds: expiryOf(context, type, nowMs, decided),
    ...(decided.ignored ? { ignored: decided.ignored } : {}),
    ...(user?.email ? { email: user.email } : {}),
    ...(user?.number ? { number: user.number } : {}),
  };
  const judged = await withinCaps(deps, context, head, nowMs);
  return commitReady(deps, judged, { type, intake, feedShards: context.account.feedShards });
}

/** Over a cap nothing goes out, and the log says why: there is no caller to answer 402 to. */
async function withinCaps(
  deps: DueDependencies,
  context: SendingContext,
  head: StoredLogHead,
  nowMs: number,
): Promise<StoredLogHead> {
  const exceeded = await deps.usageCaps.findExceeded(context.account, context.organization, nowMs);
  const routing = Object.fromEntries(
    CHANNELS.map((channel) => [channel, head.routing[channel] ?? { routing: 'OFF' as const }]),
  ) as Parameters<typeof assertWithinCaps>[1];
  try {
    assertWithinCaps(exceeded, routing);
    return head;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const ignored = CHANNELS.filter((channel) => isGoing(head.routing[channel]));
    const refused = Object.fromEntries(ignored.map((channel) => [channel, { routing: 'IGNORE' as const }]));
    return {
      ...head,
      routing: { ...head.routing, ...refused },
      messages: [...head.messages, error.message],
      ignored: 'ALL_CHANNELS_IGNORED',
      failedAtMs: nowMs,
      failedCode: 'UNKNOWN',
      failedInternal: error.message,
    };
  }
}

async function commitReady(
  deps: DueDependencies,
  head: StoredLogHead,
  known: { type: Parameters<typeof rulesOf>[1]; intake: Intake; feedShards: number },
): Promise<MadeReady> {
  const { type, intake, feedShards } = known;
  const rules = rulesOf(head, type, intake) ?? {};
  const nowMs = head.processedAtMs ?? head.receivedAtMs;
  const write = await deps.logs.replaceScheduled(head, feedShards);
  const outcome = await deps.sendingRules.commit(write, rules, nowMs);
  if (outcome.kind === 'committed') return 'ready';
  if (outcome.kind === 'taken') return 'lost';
  const refused = await deps.logs.replaceScheduled(
    { ...head, ...refusedHead(head, outcome.kind) },
    feedShards,
  );
  const second = await deps.sendingRules.commit(refused, {}, nowMs);
  return second.kind === 'committed' ? 'ready' : 'lost';
}

import type { SendingContexts } from '../../shared/database/entities/sending-context.ts';
import type { SmsOptOuts } from '../../shared/database/entities/sms-opt-out-list.ts';
import type { Suppressions } from '../../shared/database/entities/suppressions.ts';
import type { AcceptRequest } from './accept-request.ts';
import { type CommitDependencies, commit } from './commit.ts';
import { type ContentCheckDependencies, openContentChecks } from './content-checks.ts';
import { type ContextDependencies, readKnown } from './context.ts';
import { evaluate } from './evaluate.ts';
import { findKey, findRepeated, firstCandidate } from './idempotency.ts';
import { inLocale, readCheckedIntake } from './intake.ts';
import { readOptOuts, readSuppressedCopies } from './opt-outs.ts';
import { recordingRefusal } from './refused.ts';
import type { RehearseDependencies, Rehearsed } from './rehearse.ts';
import type { RehearsedTopic } from './rehearse-topic.ts';
import { readDueAt } from './schedule.ts';
import { countMembers, type TopicDependencies } from './topic-members.ts';
import { assertWithinCaps } from './usage-limit.ts';
import { acceptedOf, type Committed, waitingContextOf } from './waiting.ts';

/** Dependencies of accepting a notification. */
export type AcceptDependencies = CommitDependencies &
  ContextDependencies &
  ContentCheckDependencies &
  RehearseDependencies &
  TopicDependencies & {
    sendingContexts: SendingContexts;
    smsOptOuts: SmsOptOuts;
    suppressions: Suppressions;
  };

/**
 * The response of every endpoint that accepts a notification; a dry run adds the content that would be sent.
 */
export type Accepted = Committed & { topic?: RehearsedTopic } & Partial<Rehearsed>;

/**
 * Accepts a notification: reads the request and the data for evaluating it, evaluates it and commits the
 * outcome. A dry run is identical except for the commit.
 */
export async function accept(deps: AcceptDependencies, incoming: AcceptRequest): Promise<Accepted> {
  const { caller, facts, dryRun } = incoming;
  const nowMs = facts.receivedAtMs;
  const key = dryRun ? undefined : findKey(incoming);
  const intake = inLocale(await readCheckedIntake(incoming.body), incoming.locale);

  const { accountId, environmentId } = caller;
  const { userId, notificationId } = intake;
  const email = intake.contact.email ?? undefined;
  const scope = { accountId, environmentId, userId, notificationId, email };
  const stored = await readKnown(deps, scope, key && firstCandidate(key), nowMs);
  const known = {
    ...stored,
    smsOptOuts: await readOptOuts(deps, caller, intake, stored.context),
    suppressedCopies: await readSuppressedCopies(deps, accountId, intake),
    topicMembers: await countMembers(deps, environmentId, intake),
  };
  const repeated = key && (await findRepeated(deps.logs, key, known.head, nowMs));
  if (repeated) {
    facts.isReplayed = true;
    return acceptedOf(repeated, waitingContextOf(known.context));
  }
  const content = openContentChecks(deps)(intake);
  await content.read(environmentId);

  const { account } = known.context;
  const readTime = () => readDueAt(intake, known, nowMs);
  const time = dryRun
    ? readTime()
    : await recordingRefusal(deps.logs, incoming, async () => account, readTime);
  const moment = { nowMs, ...time, mayCreateType: true };
  const evaluation = evaluate(intake, known, moment);
  await content.assertRendered(evaluation, { environmentId, account, nowMs });
  assertWithinCaps(evaluation);

  if (!dryRun) return commit(deps, incoming, { intake, known, moment, evaluation });
  const { rehearseAny } = await import('./rehearse-topic.ts');
  return rehearseAny(deps, caller, { intake, known, evaluation }, { environmentId, account, nowMs });
}

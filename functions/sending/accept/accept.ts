import type { SmsOptOuts } from '../../../shared/database/entities/incoming/sms-opt-out-list.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { type ContentCheckDependencies, openContentChecks } from '../content/content-checks.ts';
import type { RehearseDependencies, Rehearsed, RehearsedTopic } from '../content/rehearse.ts';
import {
  type ContextDependencies,
  countMembers,
  findSenderProblem,
  readKnown,
  readNewType,
  readOptOuts,
  readSuppressedCopies,
  type SenderDependencies,
  type TopicDependencies,
} from '../decide/context.ts';
import { assertWithinCaps, evaluate, type Known } from '../decide/evaluate.ts';
import { readDueAt } from '../schedule.ts';
import { acceptedOf, type Committed, waitingContextOf } from '../waiting/waiting.ts';
import type { AcceptRequest } from './accept-request.ts';
import { type CommitDependencies, commit } from './commit.ts';
import { findKey, findRepeated, firstCandidate } from './idempotency.ts';
import { inLocale, readCheckedIntake } from './intake.ts';
import { recordingRefusal } from './refused.ts';

export type AcceptDependencies = CommitDependencies &
  ContextDependencies &
  ContentCheckDependencies &
  RehearseDependencies &
  TopicDependencies &
  SenderDependencies & {
    sendingContexts: SendingContexts;
    smsOptOuts: SmsOptOuts;
    suppressions: Suppressions;
  };

/**
 * The response of every endpoint that accepts a notification; a dry run adds the content that would be sent.
 */
export type Accepted = Committed & { topic?: RehearsedTopic } & Partial<Rehearsed>;

const FINISHED = ['email', 'sms'];

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
  const known: Known = {
    ...stored,
    smsOptOuts: await readOptOuts(deps, caller, intake, stored.context),
    senderProblem: await findSenderProblem(deps, intake, stored.context),
    suppressedCopies: await readSuppressedCopies(deps, accountId, intake),
    topicMembers: await countMembers(deps, environmentId, intake),
  };
  const repeated = key && (await findRepeated(deps.logs, key, stored.head, nowMs));
  if (repeated) {
    facts.isReplayed = true;
    return acceptedOf(repeated, waitingContextOf(known.context));
  }
  known.newType = await readNewType(deps.notificationTypes, notificationId, known.context);
  const content = openContentChecks(deps)(intake);
  // What POST /email and POST /sms send is finished: they have no parameters.
  if (!FINISHED.includes(incoming.operation)) await content.assertParameters(known.context.type);
  await content.read(environmentId);

  const { account } = known.context;
  const readTime = () => readDueAt(intake, known, nowMs);
  const time = dryRun
    ? readTime()
    : await recordingRefusal(
        deps.logs,
        incoming,
        async () => account,
        readTime,
        known.context.type?.sensitive,
      );
  const moment = { nowMs, ...time, mayCreateType: true };
  const evaluation = evaluate(intake, known, moment);
  await content.assertRendered(evaluation, { environmentId, account, nowMs });
  assertWithinCaps(evaluation);

  if (!dryRun) return commit(deps, incoming, { intake, known, moment, evaluation });
  const { rehearseAny } = await import('../content/rehearse.ts');
  return rehearseAny(deps, caller, { intake, known, evaluation }, { environmentId, account, nowMs });
}

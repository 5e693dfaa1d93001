import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import type { Intake } from '../accept/intake.ts';
import { type ContextDependencies, readKnown } from '../decide/context.ts';
import { type Evaluation, evaluate, type Known } from '../decide/evaluate.ts';
import { excludedOf, memberIntake, type TopicDependencies } from '../waiting/topic.ts';
import { type Rehearsed, rehearse } from './rehearse.ts';

type Dependencies = Parameters<typeof rehearse>[0] &
  TopicDependencies &
  ContextDependencies &
  Parameters<typeof readKnown>[0] & { sendingContexts: SendingContexts };

/** Additions of a dry run for a topic: the number of members, and the member whose `routing` is shown. */
export type RehearsedTopic = { members: number; sampleUserId?: string };

type Parts = { intake: Intake; known: Known; evaluation: Evaluation };
type Scope = [scope: Parameters<typeof rehearse>[2], pass?: Parameters<typeof rehearse>[3]];

/** Returns the outcome of sending, to a user or to a topic. */
export function rehearseAny(
  deps: Dependencies,
  caller: Caller,
  parts: Parts,
  ...scope: Scope
): Promise<{ trackingId: string; messages: string[] } & Partial<Rehearsed>> {
  return parts.intake.topicId === undefined
    ? rehearse(deps, parts, ...scope)
    : rehearseTopic(deps, caller, parts, ...scope);
}

/** Returns the outcome of sending to the topic, with the routing and content of its first member. */
async function rehearseTopic(
  deps: Dependencies,
  caller: Caller,
  { intake, known, evaluation }: Parts,
  ...[scope, pass]: Scope
): Promise<{ trackingId: string; messages: string[]; topic: RehearsedTopic } & Partial<Rehearsed>> {
  const { accountId, environmentId } = caller;
  const { topicId = '', notificationId } = intake;
  const { messages, ignored } = evaluation;
  const { topicMembers: members = 0, newType, senderProblem } = known;
  const excluded = excludedOf(intake.request);
  const page = await deps.topics.listMembers(environmentId, topicId, { limit: excluded.size + 1 });
  const sample = page.members.find(({ userId }) => !excluded.has(userId))?.userId;
  if (sample === undefined || ignored !== undefined || !evaluation.type) {
    return { trackingId: newTrackingId(scope.nowMs), messages, topic: { members } };
  }
  const own = { accountId, environmentId, userId: sample, notificationId };
  const memberProfiles = await readKnown(deps, own, undefined, scope.nowMs);
  const context = { ...memberProfiles.context, type: evaluation.type };
  const moment = { nowMs: scope.nowMs, dueAtMs: evaluation.dueAtMs, mayCreateType: true };
  // The language of the dry run.
  const member = { ...memberIntake(intake, sample), contact: intake.contact };
  const decided = evaluate(member, { ...memberProfiles, context, newType, senderProblem }, moment);
  const rehearsed = await rehearse(deps, { intake: member, evaluation: decided }, scope, pass);
  return { ...rehearsed, topic: { members, sampleUserId: sample } };
}

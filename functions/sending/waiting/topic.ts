import type { Topics } from '../../../shared/database/entities/users/topics.ts';
import type { FanOut } from '../../../shared/domain/logs/log.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { Intake } from '../accept/intake.ts';
import type { Evaluation } from '../decide/evaluate.ts';

export type TopicDependencies = { topics: Topics };

/** The IDs of the members whom a request to a topic leaves out. */
export const excludedOf = ({ to }: SendRequest): ReadonlySet<string> => new Set(to?.exclude);

/** Returns the number of members of the notification's topic who are not left out; undefined if it is for a user. */
export async function countMembers(
  { topics }: TopicDependencies,
  environmentId: string,
  { topicId, request }: Pick<Intake, 'topicId' | 'request'>,
): Promise<number | undefined> {
  if (topicId === undefined) return undefined;
  const [topic, excluded] = await Promise.all([
    topics.find(environmentId, topicId),
    topics.countOf(environmentId, topicId, [...excludedOf(request)]),
  ]);
  return Math.max(0, (topic?.members ?? 0) - excluded);
}

/**
 * The fan-out of a notification to a topic that begins now; undefined if it is for a user, or nothing is to
 * be sent.
 */
export function fanOutOf(
  { topicId }: Pick<Intake, 'topicId'>,
  { ignored, failure }: Pick<Evaluation, 'ignored' | 'failure'>,
  nowMs: number,
): FanOut | undefined {
  if (topicId === undefined || ignored !== undefined || failure !== undefined) return undefined;
  return { dueAtMs: nowMs, members: 0, accepted: 0, ignored: 0, channels: [] };
}

/** The request for a member of the topic: the same request, to that user. */
export function memberIntake(base: Intake, userId: string): Intake {
  const { topicId: _, ...intake } = base;
  return { ...intake, userId, contact: {}, request: { ...base.request, to: { id: userId } } };
}

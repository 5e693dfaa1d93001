import type { Topics } from '../../../shared/database/entities/users/topics.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { Intake } from '../accept/intake.ts';

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

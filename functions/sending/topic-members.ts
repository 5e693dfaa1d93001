import type { Topics } from '../../shared/database/entities/topics.ts';
import type { Intake } from './intake.ts';

/** What sending to a topic needs. */
export type TopicDependencies = { topics: Topics };

/** How many members the topic has that the notification is for; undefined if it is for a user. */
export async function countMembers(
  { topics }: TopicDependencies,
  environmentId: string,
  { topicId }: Pick<Intake, 'topicId'>,
): Promise<number | undefined> {
  if (topicId === undefined) return undefined;
  return (await topics.find(environmentId, topicId))?.members ?? 0;
}

import type { Topics } from '../../shared/database/entities/topics.ts';
import type { Intake } from './intake.ts';

/** Dependencies of sending to a topic. */
export type TopicDependencies = { topics: Topics };

/** Returns the number of members of the notification's topic; undefined if it is for a user. */
export async function countMembers(
  { topics }: TopicDependencies,
  environmentId: string,
  { topicId }: Pick<Intake, 'topicId'>,
): Promise<number | undefined> {
  if (topicId === undefined) return undefined;
  return (await topics.find(environmentId, topicId))?.members ?? 0;
}

import type { FanOut } from '../../../shared/domain/logs/log.ts';
import type { Intake } from '../accept/intake.ts';
import type { Evaluation } from '../decide/evaluate.ts';

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

import type { Profile } from '../../../shared/domain/profile.ts';
import { evaluateCondition } from '../../../shared/rendering/condition.ts';
import { requestParameters, visibleUser } from '../../../shared/rendering/variables.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../shared/schemas/log-record.ts';
import type { SendRequest } from '../../../shared/schemas/send-request.ts';

/** Why an item is not collected: its condition is not met, or cannot be evaluated. */
export type Unmet = { stage: 'withheld' | 'failed'; fields: LogFields };

/** Evaluates an item's own condition. Returns undefined when there is none or it is met. */
export function findUnmet(
  channel: Channel,
  request: SendRequest,
  user: Profile,
  nowMs: number,
): Unmet | undefined {
  const condition = channel === 'EMAIL' ? request.options?.email?.condition : undefined;
  if (condition === undefined) return undefined;
  const variables = { ...requestParameters(request), user: visibleUser(user) };
  const result = evaluateCondition(condition, variables, nowMs);
  if (!result.ok) {
    const fields = {
      email_failed_code: 'UNDETERMINED_BOUNCE',
      email_failed_internal: result.problem,
    } as const;
    return { stage: 'failed', fields };
  }
  if (result.value) return undefined;
  const email_failed_internal = 'options.email.condition is not met';
  return { stage: 'withheld', fields: { email_routing: 'IGNORE', email_failed_internal } };
}

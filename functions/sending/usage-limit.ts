import type { SendingContext } from '../../shared/database/entities/sending-context.ts';
import type { UsageCaps } from '../../shared/database/entities/usage-caps.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type { Evaluation } from './evaluate.ts';

/** Throws USAGE_LIMIT if the notification would exceed a cap. */
export function assertWithinCaps({ hitCap }: Pick<Evaluation, 'hitCap'>): void {
  if (!hitCap) return;
  throw new AppError('USAGE_LIMIT', {
    message: capMessage(hitCap),
    fix: 'GET /organization/usage shows when the period ends; POST /billing buys a larger one.',
  });
}

/** Throws USAGE_LIMIT if the reserve of a cap that is near has nothing left for the notification. */
export async function takeReserve(
  { usageCaps }: { usageCaps: UsageCaps },
  { account, organization }: SendingContext,
  evaluation: Evaluation,
  nowMs: number,
): Promise<void> {
  const sent = CHANNELS.filter((channel) => evaluation.routing[channel].routing === 'SEND');
  if (!sent.includes('SMS') && !sent.includes('CALL')) return;
  assertWithinCaps({ hitCap: await usageCaps.findUsedUp(account, organization, sent, nowMs) });
}

/** The sentence for a cap that is reached. */
export function capMessage(cap: NonNullable<Evaluation['hitCap']>): string {
  return `The ${cap} of the organization is reached for this billing period.`;
}

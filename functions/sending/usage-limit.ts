import type { SendingContext } from '../../shared/database/entities/sending-context.ts';
import type { ReservedMessages, UsageCaps } from '../../shared/database/entities/usage-caps.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type { Evaluation } from './evaluate.ts';

/** Throws USAGE_LIMIT if the notification would exceed a cap. */
export function assertWithinCaps({ hitCap }: Pick<Evaluation, 'hitCap'>): void {
  if (!hitCap) return;
  throw new AppError('USAGE_LIMIT', {
    message: capMessage(hitCap),
    fix: 'GET /organization/usage shows when the period ends; POST /billing buys a larger plan.',
  });
}

/** Throws USAGE_LIMIT if the reserve of a cap that is nearly reached is used up. */
export async function takeReserve(
  { usageCaps }: { usageCaps: UsageCaps },
  { account, organization }: SendingContext,
  evaluation: Evaluation,
  nowMs: number,
): Promise<void> {
  const sent = CHANNELS.filter((channel) => evaluation.routing[channel].routing === 'SEND');
  assertWithinCaps({
    hitCap: await findUsedUp({ usageCaps }, { account, organization }, { channels: sent, nowMs }),
  });
}

/**
 * Subtracts messages from the reserves of their caps; returns the first cap whose reserve is used up.
 */
export async function findUsedUp(
  { usageCaps }: { usageCaps: UsageCaps },
  { account, organization }: Pick<SendingContext, 'account' | 'organization'>,
  messages: ReservedMessages,
): Promise<Evaluation['hitCap']> {
  // The caps of other channels have no reserve: their messages cost little.
  if (!messages.channels.includes('SMS') && !messages.channels.includes('CALL')) return undefined;
  return usageCaps.findUsedUp(account, organization, messages);
}

/** The message for a reached cap. */
export function capMessage(cap: NonNullable<Evaluation['hitCap']>): string {
  return `The ${cap} of the organization is reached for this billing period.`;
}

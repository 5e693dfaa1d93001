import type { SendingContext } from '../../shared/database/entities/sending-context.ts';
import type { UsageCaps } from '../../shared/database/entities/usage-caps.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
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
  assertWithinCaps({ hitCap: await findUsedUp({ usageCaps }, { account, organization }, sent, nowMs) });
}

/**
 * Takes the messages on `channels` from the reserves of their caps; returns the first cap whose reserve is used up.
 * `name` of what may be evaluated more than once: it takes its part only once.
 */
export async function findUsedUp(
  { usageCaps }: { usageCaps: UsageCaps },
  { account, organization }: Pick<SendingContext, 'account' | 'organization'>,
  channels: readonly Channel[],
  nowMs: number,
  name?: string,
): Promise<Evaluation['hitCap']> {
  // The caps of other channels have no reserve: their messages cost little.
  if (!channels.includes('SMS') && !channels.includes('CALL')) return undefined;
  return usageCaps.findUsedUp(account, organization, channels, nowMs, name);
}

/** The message for a reached cap. */
export function capMessage(cap: NonNullable<Evaluation['hitCap']>): string {
  return `The ${cap} of the organization is reached for this billing period.`;
}

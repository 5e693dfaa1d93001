import { isGoing, type RoutingResult } from '../../shared/domain/routing.ts';
import { type ExceededCap, isCapped } from '../../shared/domain/usage-caps.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';

/** Throws USAGE_LIMIT when an exceeded cap counts something that would go out. */
export function assertWithinCaps(exceeded: readonly ExceededCap[], routing: RoutingResult['routing']): void {
  const going = CHANNELS.filter((channel) => isGoing(routing[channel]));
  const hit = exceeded.find((cap) => isCapped(cap, going));
  if (!hit) return;
  throw new AppError('USAGE_LIMIT', {
    message: `The ${hit} of the organization is reached for this billing period.`,
    fix: 'GET /organization/usage tells when the period ends; POST /billing buys a larger one.',
  });
}

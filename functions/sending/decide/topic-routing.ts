import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import { type Cap, findHitCap } from '../../../shared/domain/costs/usage-caps.ts';
import type { RoutingResult } from '../../../shared/domain/routing/routing.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { byChannel, type Channel } from '../../../shared/schemas/channel.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';

/**
 * Decides whether to notify the members of a topic at all. Their channels are decided one by one, when the
 * fan-out reaches them.
 */
export function decideTopic(
  type: StoredType,
  { account }: SendingContext,
  { forceChannels, to }: SendRequest,
  members: number | undefined,
): RoutingResult {
  const routing = byChannel(() => ({ routing: 'OFF' as const }));
  const nothing = (because: string, ignored: RoutingResult['ignored']) => ({
    routing,
    messages: [`Nothing is sent: ${because}.`],
    ...defined({ ignored }),
  });
  if (account.disabled) return nothing('the account is disabled', 'ALL_CHANNELS_IGNORED');
  if (!type.enabled) return nothing('the notification type is disabled', 'DISABLED_NOTIFICATION');
  if ((forceChannels ?? type.channels).length === 0)
    return nothing('the notification type has no channel enabled', 'ALL_CHANNELS_IGNORED');
  const others = to?.exclude?.length ? 'other members than those to exclude' : 'members';
  if (members === 0) return nothing(`the topic has no ${others}`, undefined);
  return { routing, messages: [] };
}

/** A cap that would stop every member on every channel. Others are evaluated for each member. */
export function findTopicCap(
  exceeded: readonly Cap[],
  channels: readonly Channel[],
  dueAtMs: number | undefined,
): Cap | undefined {
  if (dueAtMs !== undefined) return undefined;
  const hits = channels.map((channel) => findHitCap(exceeded, [channel]));
  return hits.every((hit) => hit !== undefined) ? hits[0] : undefined;
}

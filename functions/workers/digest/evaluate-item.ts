import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { Bucket } from '../../../shared/database/entities/sending/digest-bucket.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import { type Cap, findHitCap } from '../../../shared/domain/costs/usage-caps.ts';
import type { ChannelRouting, LogEvent } from '../../../shared/domain/logs/log.ts';
import { isGoing, routeNotification } from '../../../shared/domain/routing/routing.ts';
import type { Quiet } from '../../../shared/domain/timing/quiet-hours.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { LogFields } from '../../../shared/schemas/logs/log-record.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { rulesFor } from '../../sending/decide/decide.ts';
import { failureFields, withheldEvent } from '../delivery/outcome/withheld-event.ts';
import { overCapEvent } from '../delivery/waiting/over-cap.ts';

/** The data for evaluating the items of a bucket, as stored at the flush. */
export type Known = {
  context: SendingContext;
  user: Profile | undefined;
  exceeded: readonly Cap[];
  /** True if quiet hours or a pause of the user hold or drop the channel. */
  quiet: Quiet | undefined;
  nowMs: number;
};

/**
 * Returns whether an item is sent with its digest, or the event with the reason why not. `content` is the template of
 * the mode.
 */
export type Evaluated =
  | { kind: 'going'; content: Pick<ChannelRouting, 'template' | 'locale'> }
  | { kind: 'withheld'; event: LogEvent };

/**
 * Evaluates a collected item again: preferences, addresses, type, caps and switches may have changed since.
 */
export function evaluateItem(bucket: Bucket, known: Known, request: SendRequest): Evaluated {
  const { channel } = bucket;
  const { context, exceeded, nowMs: atMs } = known;
  const withhold = (routing: ChannelRouting, because?: string, fields: LogFields = {}): Evaluated => ({
    kind: 'withheld',
    event: withheldEvent(channel, routing, { atMs, because, fields }),
  });
  const { type } = context;
  if (!type) {
    const fields = failureFields(atMs, 'MISSING_NOTIFICATION_TYPE', TYPE_DELETED);
    return withhold({ routing: 'IGNORE', reason: 'NO_TYPE' }, TYPE_DELETED, fields);
  }
  const { routing, message } = routeItem(bucket, known, type, request);
  if (!isGoing(routing)) return withhold(routing, message);
  if (known.quiet?.kind === 'dropped') {
    const because = `${channel} is not sent: the user's quiet hours drop it.`;
    return withhold({ routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' }, because);
  }
  const cap = findHitCap(exceeded, [channel]);
  if (cap) return { kind: 'withheld', event: overCapEvent(channel, cap, atMs) };
  const { template, locale } = routing;
  return { kind: 'going', content: defined({ template, locale }) };
}

const TYPE_DELETED = 'The notification type no longer exists.';

function routeItem(
  { channel, mode, notificationId, subNotificationId }: Bucket,
  { context, user }: Known,
  type: StoredType,
  request: SendRequest,
): { routing: ChannelRouting; message: string | undefined } {
  const decided = routeNotification({
    ...rulesFor({ notificationId, subNotificationId, request }, context, type, user ?? {}),
    content: request,
    scheduled: false,
    collectedBy: mode,
  });
  const routing = decided.routing[channel];
  const message = decided.messages.find((each) => each.startsWith(`${channel} is not sent: `));
  return {
    routing,
    message: message ?? `${channel} is not sent: the channel is not enabled on the notification type.`,
  };
}

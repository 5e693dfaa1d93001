import type { InappItem } from '../../database/entities/inapp/inapp-item.ts';
import type { InappItems } from '../../database/entities/inapp/inapp-items.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isoOf } from '../../runtime/clock.ts';
import { log } from '../../runtime/logger.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { ChannelProvider } from '../channel.ts';
import type { RealtimePublisher } from './realtime.ts';

/**
 * INAPP_WEB: the item is stored first. Sent means stored: the user finds it in the feed. Delivered means
 * accepted by an open connection; an outage of the socket costs only the push, never the item. A storage
 * failure is this service's own fault and thrown. A second attempt stores nothing new, and pushes the item as it is by then.
 */
export function createInappProvider(deps: {
  items: InappItems;
  publisher: RealtimePublisher;
  clock: Clock;
}): ChannelProvider<'INAPP_WEB'> {
  return {
    name: 'inapp',
    async deliver(delivery) {
      const item: InappItem = {
        id: delivery.trackingId,
        trackingId: delivery.trackingId,
        notificationId: delivery.notificationId,
        ...defined({ subNotificationId: delivery.subNotificationId || undefined }),
        title: delivery.title,
        ...defined({
          body: delivery.body,
          actions: delivery.actions,
          redirectURL: delivery.redirectURL || undefined,
          imageURL: delivery.imageURL || undefined,
        }),
        date: isoOf(delivery.sentAtMs ?? delivery.acceptedAtMs),
        version: 1,
        parameters: delivery.parameters,
        deliveryOptions: delivery.deliveryOptions,
        ...defined({ template: delivery.template }),
        expDate: delivery.expiresAtSeconds,
      };
      const { environmentId, userId, trackingId, acceptedAtMs, expiresAtSeconds } = delivery;
      const stored = await deps.items.add({
        environmentId,
        userId,
        item,
        atMs: acceptedAtMs,
        expiresAtSeconds,
      });
      try {
        const isAccepted = await deps.publisher.publish(environmentId, userId, stored);
        return { kind: 'sent', fields: {}, ...defined({ delivered: isAccepted ? {} : undefined }) };
      } catch (error) {
        log.error('an in-app item was stored but not pushed', { channel: 'INAPP_WEB', trackingId }, error);
        return { kind: 'sent', fields: {} };
      }
    },
  };
}

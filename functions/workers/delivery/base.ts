import type { DeliveryBase } from '../../../shared/channels/channel.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { BuildContext } from './content/built.ts';

export function deliveryBase({ head, attempt, timeLeftMs, validUntilMs }: BuildContext): DeliveryBase {
  return {
    trackingId: head.trackingId,
    accountId: head.accountId,
    environmentId: head.environmentId,
    notificationId: head.notificationId,
    userId: head.userId,
    attempt,
    timeLeftMs,
    ...defined({ validUntilMs, isSensitive: head.isSensitive }),
  };
}

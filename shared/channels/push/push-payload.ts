import { defined } from '../../runtime/values/defined.ts';
import type { PushDelivery } from '../channel.ts';

export type PushParts = Pick<
  PushDelivery,
  'trackingId' | 'notificationId' | 'title' | 'message' | 'customData' | 'apn' | 'url' | 'image'
>;

/** True for a push without text that wakes the app: nothing is shown. */
export const isSilent = ({ title, message, apn }: PushParts) =>
  apn?.contentAvailable === true && title === '' && message === '';

/** What the app gets beside the notification, on both services. Its own keys win. */
function dataOf({ trackingId, notificationId, url, image, customData }: PushParts) {
  return { trackingId, notificationId, ...defined({ link: url, image }), ...customData };
}

/** Apple's part. Apple accepts a silent push only without alert, badge and sound; FCM adds the alert itself. */
export function apsOf(parts: PushParts, alert?: object): Record<string, unknown> {
  const { apn = {}, image } = parts;
  if (isSilent(parts)) return { 'content-available': 1 };
  return defined({
    alert,
    badge: apn.badge,
    sound: apn.sound,
    'thread-id': apn.threadId,
    category: apn.category,
    'interruption-level': apn.interruptionLevel,
    // The app's extension loads the image.
    'mutable-content': apn.mutableContent || image !== undefined ? 1 : undefined,
    'content-available': apn.contentAvailable ? 1 : undefined,
  });
}

export const apnsBodyOf = (parts: PushParts) => ({
  aps: apsOf(parts, { title: parts.title, body: parts.message }),
  ...dataOf(parts),
});

/** The part of FCM's message that every device gets. */
export function fcmMessageOf(parts: PushParts) {
  const { title, message: body, image } = parts;
  const notification = isSilent(parts) ? undefined : { title, body, ...defined({ image }) };
  return { ...defined({ notification }), data: dataOf(parts) };
}

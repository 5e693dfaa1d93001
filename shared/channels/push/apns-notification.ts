import { defined } from '../../runtime/defined.ts';
import type { PushDelivery } from '../channel.ts';
import { PUSH_BYTES_MAX } from '../message-size.ts';

/** Headers and body of a notification, or why APNs would reject it for every device. */
export type ApnsNotification =
  | { ok: true; headers: Record<string, string>; body: string }
  | { ok: false; problem: string };

const COLLAPSE_ID = /^[\x20-\x7e]{1,64}$/;

/**
 * Builds the notification. With `contentAvailable` it is silent: Apple accepts a background push only without
 * alert, badge and sound, and with priority 5.
 */
export function buildNotification(delivery: PushDelivery, topic: string): ApnsNotification {
  const { apn = {}, customData = {} } = delivery;
  if (Object.hasOwn(customData, 'aps'))
    return { ok: false, problem: 'customData has the key aps, which APNs reserves' };
  if (apn.collapseId !== undefined && !COLLAPSE_ID.test(apn.collapseId)) {
    return { ok: false, problem: 'collapseId must be 1 to 64 ASCII characters' };
  }
  const body = JSON.stringify({ aps: buildAps(delivery), ...customData });
  const sizeBytes = Buffer.byteLength(body);
  if (sizeBytes > PUSH_BYTES_MAX) {
    return { ok: false, problem: `the payload has ${sizeBytes} bytes, APNs accepts ${PUSH_BYTES_MAX}` };
  }
  return { ok: true, headers: buildHeaders(delivery, topic), body };
}

function buildAps({ title, message, apn = {} }: PushDelivery): Record<string, unknown> {
  if (apn.contentAvailable) return { 'content-available': 1 };
  return {
    alert: { title, body: message },
    ...defined({ badge: apn.badge, sound: apn.sound, 'thread-id': apn.threadId }),
  };
}

/** 0 means that APNs tries once and keeps nothing, which is early enough. */
function expirationOf({ apn, validUntilMs }: PushDelivery): number | undefined {
  if (validUntilMs === undefined || apn?.expiry === 0) return apn?.expiry;
  return Math.min(apn?.expiry ?? Number.POSITIVE_INFINITY, Math.floor(validUntilMs / 1000));
}

function buildHeaders(delivery: PushDelivery, topic: string): Record<string, string> {
  const { apn = {} } = delivery;
  const expiration = expirationOf(delivery);
  return {
    'apns-topic': topic,
    'apns-push-type': apn.contentAvailable ? 'background' : 'alert',
    'apns-priority': apn.contentAvailable ? '5' : String(apn.priority ?? 10),
    ...defined({
      'apns-expiration': expiration === undefined ? undefined : String(expiration),
      'apns-collapse-id': apn.collapseId,
    }),
    'content-type': 'application/json',
  };
}

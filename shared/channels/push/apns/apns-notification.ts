import { defined } from '../../../runtime/values/defined.ts';
import type { PushDelivery } from '../../channel.ts';
import { apnsBodyOf, isSilent } from '../push-payload.ts';

/** Headers and body of a notification, or why APNs would reject it for every device. */
export type ApnsNotification =
  | { ok: true; headers: Record<string, string>; body: string }
  | { ok: false; problem: string };

const COLLAPSE_ID = /^[\x20-\x7e]{1,64}$/;

export function buildNotification(delivery: PushDelivery, topic: string): ApnsNotification {
  const { apn = {}, customData = {} } = delivery;
  if (Object.hasOwn(customData, 'aps'))
    return { ok: false, problem: 'customData has the key aps, which APNs reserves' };
  if (apn.collapseId !== undefined && !COLLAPSE_ID.test(apn.collapseId)) {
    return { ok: false, problem: 'collapseId must be 1 to 64 ASCII characters' };
  }
  return {
    ok: true,
    headers: { 'apns-topic': topic, ...apnsHeadersOf(delivery), 'content-type': 'application/json' },
    body: JSON.stringify(apnsBodyOf(delivery)),
  };
}

/** 0 means that APNs tries once and keeps nothing, which is early enough. */
function expirationOf({ apn, validUntilMs }: PushDelivery): number | undefined {
  if (validUntilMs === undefined || apn?.expiry === 0) return apn?.expiry;
  return Math.min(apn?.expiry ?? Number.POSITIVE_INFINITY, Math.floor(validUntilMs / 1000));
}

/** The headers that FCM passes on too. Apple accepts a background push with priority 5 only. */
export function apnsHeadersOf(delivery: PushDelivery): Record<string, string> {
  const { apn = {} } = delivery;
  const isBackground = isSilent(delivery);
  const expiration = expirationOf(delivery);
  return {
    'apns-push-type': isBackground ? 'background' : 'alert',
    'apns-priority': isBackground ? '5' : String(apn.priority ?? 10),
    ...defined({
      'apns-expiration': expiration === undefined ? undefined : String(expiration),
      'apns-collapse-id': apn.collapseId,
    }),
  };
}

import type { Methods } from '../generated/methods.ts';
import type { OperationRow } from '../generated/operations.ts';
import { methodsOf } from '../methods.ts';
import type { ClientOptions } from '../request.ts';

/** The user who gets notifications of the browser, and where the service worker is. */
export type WebPushOptions = Omit<ClientOptions, 'user' | 'key'> & {
  /** A public key: `nds_pk_…`. */
  key: string;
  user: { id: string; hash?: string };
  /** The packed service worker, served from this page's own origin; `/service-worker.js` by default. */
  serviceWorker?: string;
  /** Pages that the service worker serves; those below its own folder by default. */
  scope?: string;
};

/**
 * The outcome: `unsupported` by the browser (on iOS, until the page is on the home screen), `off` in the environment, `denied`
 * or `dismissed` by the person.
 */
export type WebPushResult =
  | { state: 'subscribed'; endpoint: string; unsubscribe: () => Promise<void> }
  | { state: 'unsupported' | 'off' | 'denied' | 'dismissed' };

/** The rows of the operations that it calls, so that its bundle has no others. */
const OPERATIONS = {
  'account.getMetadata': ['GET', '/users/account-metadata', ''],
  'users.save': ['POST', '/users/{userId}', 'br'],
  'users.removeDevice': ['DELETE', '/users/{userId}/devices/{device}', ''],
} satisfies Record<string, OperationRow>;

/**
 * Subscribes this browser to the user's web push notifications: asks for permission, registers the service worker, and stores
 * the subscription with the user. Call it from a click, as browsers require, and again at each start of the page: it then
 * asks nothing, and renews a subscription whose key is no longer the environment's.
 */
export async function subscribeToWebPush(options: WebPushOptions): Promise<WebPushResult> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return { state: 'unsupported' };
  const client = methodsOf(options, OPERATIONS) as unknown as Pick<Methods, 'account' | 'users'>;
  const { userAccountMetadata } = await client.account.getMetadata();
  if (!userAccountMetadata.hasWebPushEnabled) return { state: 'off' };
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return { state: permission === 'denied' ? 'denied' : 'dismissed' };
  const registration = await register(options);
  const subscription = await subscriptionOf(registration, userAccountMetadata.environmentVapidPublicKey);
  const { endpoint, keys } = subscription.toJSON();
  const sub = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  await client.users.save(options.user.id, { webPushTokens: [{ sub }] });
  return {
    state: 'subscribed',
    endpoint: sub.endpoint,
    unsubscribe: async () => {
      await client.users.removeDevice(options.user.id, sub.endpoint);
      await subscription.unsubscribe();
    },
  };
}

/** The service worker reads from its own address where it reports clicks, and for whom. */
async function register({ serviceWorker = '/service-worker.js', scope, ...rest }: WebPushOptions) {
  const address = new URL(serviceWorker, location.href);
  const { baseUrl, key, user } = rest;
  for (const [name, value] of Object.entries({ baseUrl, key, userId: user.id, userHash: user.hash })) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  const registration = await navigator.serviceWorker.register(address, scope === undefined ? {} : { scope });
  await navigator.serviceWorker.ready;
  return registration;
}

async function subscriptionOf({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const applicationServerKey = bytesOf(publicKey);
  const known = await pushManager.getSubscription();
  if (known && isSameKey(known.options.applicationServerKey, applicationServerKey)) return known;
  // The browser rejects a new subscription while it has one with another key.
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSameKey(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? new ArrayBuffer(0));
  return bytes.length === wanted.length && bytes.every((byte, index) => byte === wanted[index]);
}

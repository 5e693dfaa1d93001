/** The parts of a service worker that it uses: the types of pages and of workers cannot be loaded together. */
type Action = { action: string; title: string; url?: string };
type Message = {
  title?: string;
  message?: string;
  icon?: string;
  image?: string;
  badge?: string;
  tag?: string;
  actions?: Action[];
  url?: string;
  trackingId?: string;
};
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };
type ClickEvent = WorkerEvent & { notification: Notification; action?: string };
type Worker = EventTarget & {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: object): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
};

const worker = globalThis as unknown as Worker;
/** Where clicks are reported, and for whom: `subscribeToWebPush` registers the worker with it. */
const settings = new URLSearchParams(worker.location.search);

function on<E extends WorkerEvent>(name: string, listen: (event: E) => Promise<unknown>): void {
  worker.addEventListener(name, (event) => (event as E).waitUntil(listen(event as E)));
}

on('install', () => worker.skipWaiting());

on<WorkerEvent & { data: { json(): Message } | null }>('push', (event) => {
  const { title = '', message = '', url, trackingId, tag = trackingId, ...shown } = event.data?.json() ?? {};
  const links = Object.fromEntries((shown.actions ?? []).map(({ action, url: link }) => [action, link]));
  // The same message replaces its earlier notification.
  const identity = tag === undefined ? {} : { tag };
  const options = { ...shown, body: message, data: { url, trackingId, links }, ...identity };
  return worker.registration.showNotification(title, options);
});

on<ClickEvent>('notificationclick', ({ notification, action = '' }) => {
  notification.close();
  const { url, trackingId, links } = notification.data ?? {};
  return Promise.all([open(links?.[action] ?? url), report(trackingId)]);
});

/** Shows a page that is open at the address, or opens it; without an address, the site. */
async function open(url: unknown): Promise<void> {
  const address = new URL(typeof url === 'string' && url !== '' ? url : '/', worker.location.origin);
  if (!/^https?:$/.test(address.protocol)) return;
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = pages.find((page) => page.url === address.href);
  await (shown ? shown.focus() : worker.clients.openWindow(address.href));
}

/** A report that fails must not keep the page from opening. The query may name a user whom no header can. */
async function report(trackingId: unknown): Promise<void> {
  const [baseUrl, key, userId, userHash] = ['baseUrl', 'key', 'userId', 'userHash'].map((name) =>
    settings.get(name),
  );
  if (typeof trackingId !== 'string' || !baseUrl || !key || !userId) return;
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(userHash ? { 'x-user-hash': userHash } : {}),
  };
  const address = `${baseUrl.replace(/\/$/, '')}/user/messages?${new URLSearchParams({ userId })}`;
  const body = JSON.stringify({ trackingIds: [trackingId], channel: 'WEB_PUSH', clicked: true });
  await fetch(address, { method: 'PATCH', headers, body }).catch(() => {});
}

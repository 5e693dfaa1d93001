import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type Subscription = { endpoint: string; options: { applicationServerKey: ArrayBuffer } };

const [OLD_KEY, NEW_KEY] = [1, 2].map((byte) => Buffer.alloc(65, byte).toString('base64url')) as [
  string,
  string,
];
let environmentKey = OLD_KEY;
let current: Subscription | undefined;
let count = 0;
const saved: string[] = [];
const ended: string[] = [];

const pushManager = {
  getSubscription: async () => current,
  subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
    if (current) throw new DOMException('a subscription with another key exists', 'InvalidStateError');
    count += 1;
    const endpoint = `https://push.example.com/${count}`;
    current = {
      endpoint,
      options: { applicationServerKey: applicationServerKey.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: async () => {
        ended.push(endpoint);
        current = undefined;
        return true;
      },
    } as Subscription;
    return current;
  },
};

const fetch = async (url: string | URL, init: RequestInit = {}) => {
  if (String(url).endsWith('/users/account-metadata')) {
    const userAccountMetadata = {
      logo: '',
      environmentVapidPublicKey: environmentKey,
      hasWebPushEnabled: true,
    };
    return Response.json({ userAccountMetadata });
  }
  saved.push(JSON.parse(String(init.body)).webPushTokens[0].sub.endpoint);
  return Response.json({ id: 'ada' });
};

beforeEach(() => {
  vi.stubGlobal('navigator', {
    serviceWorker: { register: async () => ({ pushManager }), ready: Promise.resolve() },
  });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' });
  vi.stubGlobal('location', { href: 'https://app.example.com/' });
});
afterEach(() => vi.unstubAllGlobals());

/** Imported by name, because a page has other types than this project. */
const PAGE = '../../client/src/web-push/subscribe.ts';
const WORKER = '../../client/src/web-push/service-worker.ts';

async function subscribe(): Promise<object> {
  const { subscribeToWebPush } = await import(PAGE);
  const user = { id: 'ada' };
  return subscribeToWebPush({ baseUrl: 'https://api.example.com', key: 'nds_pk_x', user, fetch });
}

it('keeps a subscription while the key is the same, and renews it when the environment has another', async () => {
  const first = { state: 'subscribed', endpoint: 'https://push.example.com/1' };
  expect(await subscribe()).toMatchObject(first);
  expect(await subscribe()).toMatchObject(first);
  expect(ended).toEqual([]);
  environmentKey = NEW_KEY;
  expect(await subscribe()).toMatchObject({ state: 'subscribed', endpoint: 'https://push.example.com/2' });
  expect(ended).toEqual(['https://push.example.com/1']);
  expect(saved).toEqual([1, 1, 2].map((each) => `https://push.example.com/${each}`));
});

it('reports a click on a message to a user whom no header can name', async () => {
  const listeners = new Map<string, (event: object) => void>();
  const requests: [url: string, headers: Headers][] = [];
  const search = `?${new URLSearchParams({ baseUrl: 'https://api.example.com', key: 'nds_pk_x', userId: '李雷' })}`;
  vi.stubGlobal('location', { search, origin: 'https://shop.example.com' });
  vi.stubGlobal('addEventListener', (name: string, listen: (event: object) => void) =>
    listeners.set(name, listen),
  );
  const openWindow = vi.fn(async () => undefined);
  vi.stubGlobal('clients', { matchAll: async () => [], openWindow });
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    requests.push([url, new Headers(headers)]);
  });
  await import(WORKER);
  const notification = { close: () => {}, data: { url: '/orders/7', trackingId: 't' } };
  await new Promise((done) =>
    listeners.get('notificationclick')?.({
      notification,
      waitUntil: (work: Promise<unknown>) => work.then(done),
    }),
  );
  expect(openWindow).toHaveBeenCalledWith('https://shop.example.com/orders/7');
  const [url, headers] = requests[0] ?? [];
  expect(url).toBe(`https://api.example.com/user/messages?userId=${encodeURIComponent('李雷')}`);
  expect(headers?.get('authorization')).toBe('Bearer nds_pk_x');
});

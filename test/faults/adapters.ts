import { randomBytes } from 'node:crypto';
import { createShares, shares } from '../../functions/workers/delivery/waiting/shares.ts';
import { createLocalKeyWrapper } from '../../infra/local/files/key-file.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import { database } from '../../shared/database/database.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import { FOLLOW_UP_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues } from '../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../shared/messaging/queues-port.ts';
import { guardedClient } from '../../shared/providers/clients/http-clients.ts';
import { connectionClose, connectionPost } from '../../shared/providers/clients/realtime.ts';
import { inappProvider } from '../../shared/providers/inapp.ts';
import { priceReader } from '../../shared/providers/phone/twilio-readers.ts';
import { clock, dropMade, jitter, machineClock, replace } from '../../shared/runtime/dependency.ts';
import { installProviders } from './providers.ts';
import { applyingMutant, tableAdapter } from './table-adapter.ts';
import type { World } from './world.ts';

/** One of the process, as the account that its worlds begin with. */
const KEY = randomBytes(32);

/** Messages per second. */
const CROWDED_RATE = 2;

/** The price that the provider reports for a text or call. */
const PRICE_USD = 0.0075;

const SETTINGS = {
  EMAIL_PROVIDER: 'sandbox',
  SMS_PROVIDER: 'sandbox',
  CALL_PROVIDER: 'sandbox',
  INAPP_PROVIDER: 'live',
  WEBSOCKET_ENDPOINT: 'https://sockets.example.com',
  PUBLIC_BASE_URL: 'https://api.example.com',
  MAIL_DOMAIN: 'mail.example.com',
  QUEUE_CONCURRENCY: '1',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'token',
};

/** The world of the present run: adapters are made once, because the entities keep theirs. */
let current: World;

/** Runs in that world from now on, in a process without state of the previous world. */
export function enterWorld(world: World): void {
  current = world;
  dropMade();
}

/** Puts the adapters of the simulation in the place of AWS. Call it once per process. */
export function installAdapters(): void {
  Object.assign(process.env, SETTINGS);
  for (const each of [clock, machineClock]) replace(each, () => ({ now: () => current.now() }));
  replace(jitter, () => () => 0.5);
  // Rates are scarce where others' messages wait.
  replace(shares, () => createShares(() => (current.script.crowd ? CROWDED_RATE : undefined)));
  replace(database, () => tableAdapter(() => current));
  replace(keyWrapper, () => {
    const wrapper = createLocalKeyWrapper(KEY);
    return {
      ...wrapper,
      unwrap: (accountId, wrapped) =>
        current.external('unwrap a key', 'storage', () => wrapper.unwrap(accountId, wrapped)),
    };
  });
  replace(blobs, () => ({
    put: (name, bytes) =>
      current.external('blob put', 'storage', async () => void current.blobs.set(name, bytes)),
    get: (name) => current.external('blob get', 'storage', async () => current.blobs.get(name)),
    delete: (name) => current.external('blob delete', 'storage', async () => void current.blobs.delete(name)),
    list: (prefix) =>
      current.external('blob list', 'storage', async () =>
        [...current.blobs.keys()].filter((name) => name.startsWith(prefix)),
      ),
  }));
  replace(queues, () => ({
    send: (queue, messages) =>
      current.external(
        `send ${queue}`,
        'queue',
        async () => {
          const mutant = applyingMutant(current);
          if (mutant?.loses?.test(queue)) return [];
          const isPrice = queue === FOLLOW_UP_QUEUE && messages.some(({ body }) => body.includes('"price"'));
          if (isPrice && mutant?.isPriceOfNewOnly && current.running()?.hasRepeated) return [];
          return current.queues.send(queue, mutant?.isUnescaped ? messages.map(unescaped) : messages);
        },
        () => (current.mutant?.isRefusalHidden ? [] : messages.map((_, index) => index)),
      ),
    changeVisibility: (queue, handle, seconds) =>
      current.external('change visibility', 'queue', async () =>
        current.queues.changeVisibility(queue, handle, seconds),
      ),
    countWaiting: async () => current.script.crowd ?? 0,
  }));
  replace(inappProvider, () => {
    const provider = inappProvider.create();
    return {
      ...provider,
      async deliver(delivery) {
        const outcome = await provider.deliver(delivery);
        const isLost = current.mutant?.needsSocket && outcome.kind === 'sent' && !outcome.delivered;
        return isLost ? { kind: 'rejected', code: 'IN_APP_WEB_FAILED', internal: 'not pushed' } : outcome;
      },
    };
  });
  installProviders(() => current);
  installReceivers();
}

const NONCHARACTERS = /\\u(fff[ef])/g;

/** The message without the escapes of characters that queues reject. */
function unescaped(message: QueueMessage): QueueMessage {
  const body = message.body.replace(NONCHARACTERS, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return { ...message, body };
}

/** Receivers of webhooks, open sockets, and where prices come from. */
function installReceivers(): void {
  replace(guardedClient, () => ({
    request: ({ headers = {}, body }) =>
      current.external('webhook post', 'provider', async () => {
        const status = current.script.receive?.(current.posts.length + 1) ?? 200;
        current.posts.push({ id: String(headers['webhook-id']), body: String(body), status });
        const none = { headers: {}, body: Buffer.alloc(0), truncated: false, durationMs: 1 };
        return { kind: 'response', status, ...none } as const;
      }),
  }));
  replace(
    connectionPost,
    () => (_, message) =>
      current.external('socket post', 'provider', async () => {
        current.pushes.push(message);
        return 'accepted' as const;
      }),
  );
  replace(connectionClose, () => () => current.external('socket close', 'provider', async () => {}));
  replace(priceReader, () => ({
    findCostUsd: () => current.external('price', 'provider', async () => PRICE_USD),
  }));
}

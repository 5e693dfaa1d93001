import { randomBytes } from 'node:crypto';
import { createLocalKeyWrapper } from '../../infra/local/key-file.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import type { ChannelProvider, DeliveryOutcome } from '../../shared/channels/channel.ts';
import { database } from '../../shared/database/database.ts';
import { providerCalls } from '../../shared/database/entities/provider-calls.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import { FOLLOW_UP_QUEUE } from '../../shared/messaging/queue-names.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { createBreakers } from '../../shared/providers/breakers.ts';
import { chatProvider } from '../../shared/providers/chat.ts';
import { emailProvider } from '../../shared/providers/email.ts';
import { failover } from '../../shared/providers/failover.ts';
import { guardedClient } from '../../shared/providers/http-clients.ts';
import { callProvider, smsProvider } from '../../shared/providers/phone.ts';
import { priceReader } from '../../shared/providers/price-reader.ts';
import type { OrderedChannel } from '../../shared/providers/provider-order.ts';
import { pushProvider, webPushProvider } from '../../shared/providers/push.ts';
import { connectionClose, connectionPost } from '../../shared/providers/realtime.ts';
import {
  clock,
  type Dependency,
  dropMade,
  jitter,
  machineClock,
  replace,
  resolve,
} from '../../shared/runtime/dependency.ts';
import { type Channel, LOG_PREFIX } from '../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../shared/schemas/failure-codes.ts';
import type { LogFields } from '../../shared/schemas/log-record.ts';
import { nameOf, tableAdapter } from './table-adapter.ts';
import type { World } from './world.ts';

/** Our number, from which texts go out. */
export const OUR_NUMBER = '+15005550006';
/** What a text or call costs when the provider is asked. */
const PRICE_USD = 0.0075;

const SETTINGS = {
  EMAIL_PROVIDER: 'sandbox',
  SMS_PROVIDER: 'sandbox',
  CALL_PROVIDER: 'sandbox',
  INAPP_PROVIDER: 'live',
  WEBSOCKET_ENDPOINT: 'https://sockets.example.com',
  PUBLIC_BASE_URL: 'https://api.example.com',
  MAIL_DOMAIN: 'mail.example.com',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'token',
};

/** The world of the present run: adapters are made once, because the entities keep theirs. */
let current: World;

/** Runs in that world from now on, in a process that knows nothing of the one before. */
export function enterWorld(world: World): void {
  current = world;
  dropMade();
}

/** Puts the adapters of the simulation in the place of AWS. Call it once per process. */
export function installAdapters(): void {
  Object.assign(process.env, SETTINGS);
  const key = randomBytes(32);
  for (const each of [clock, machineClock]) replace(each, () => ({ now: () => current.now() }));
  replace(jitter, () => () => 0.5);
  replace(database, () => tableAdapter(() => current));
  replace(keyWrapper, () => {
    const wrapper = createLocalKeyWrapper(key);
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
          const isPrice = queue === FOLLOW_UP_QUEUE && messages.some(({ body }) => body.includes('"price"'));
          if (isPrice && current.mutant?.isPriceOfNewOnly && current.running()?.hasRepeated) return [];
          return current.queues.send(queue, messages);
        },
        () => (current.mutant?.isRefusalHidden ? [] : messages.map((_, index) => index)),
      ),
    changeVisibility: (queue, handle, seconds) =>
      current.external('change visibility', 'queue', async () =>
        current.queues.changeVisibility(queue, handle, seconds),
      ),
    countWaiting: async () => 0,
  }));
  setOrder(emailProvider, 'EMAIL', ({ trackingId }) => ({ email_sent_message_id: `m-${trackingId}` }));
  setOrder(smsProvider, 'SMS', () => ({ sms_sent_from: OUR_NUMBER }));
  setOrder(callProvider, 'CALL');
  setProvider(pushProvider, 'PUSH');
  setProvider(webPushProvider, 'WEB_PUSH');
  setProvider(chatProvider, 'CHAT');
  installReceivers();
}

/** Receivers of webhooks, open sockets, and where prices come from. */
function installReceivers(): void {
  replace(guardedClient, () => ({
    request: ({ headers = {}, body }) =>
      current.external('webhook post', 'provider', async () => {
        const status = current.script.receive?.(current.posts.length + 1) ?? 200;
        current.posts.push({ id: String(headers['webhook-id']), body: String(body), status });
        const none = { headers: {}, body: Buffer.alloc(0), truncated: false, durationMs: 1 };
        return { kind: 'answer', status, ...none } as const;
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

type Simulated = Exclude<Channel, 'INAPP_WEB'>;
type FieldsOf = (delivery: { trackingId: string }) => LogFields;

function setProvider<C extends Simulated>(dependency: Dependency<ChannelProvider<C>>, channel: C): void {
  replace(dependency, () => simulated(channel, 'simulated', () => ({})));
}

/** One provider, or two in order, as the scenario requires. */
function setOrder<C extends OrderedChannel>(
  dependency: Dependency<ChannelProvider<C>>,
  channel: C,
  fieldsOf: FieldsOf = () => ({}),
): void {
  replace(dependency, () => {
    if (!current.script.isOrdered) return simulated(channel, 'simulated', fieldsOf);
    const calls = resolve(providerCalls);
    const order = [simulated(channel, 'first', fieldsOf), simulated(channel, 'second', fieldsOf)] as const;
    return failover(channel, order, { calls, breakers: createBreakers(calls), clock: resolve(clock) });
  });
}

function simulated<C extends Simulated>(
  channel: C,
  provider: string,
  fieldsOf: FieldsOf,
): ChannelProvider<C> {
  return {
    name: provider,
    async deliver(delivery) {
      const world = current;
      const name = nameOf(delivery.trackingId, LOG_PREFIX[channel]);
      let isAccepted = false;
      const busy = (): DeliveryOutcome => {
        if (isAccepted) world.mayRepeat.add(name);
        return { kind: 'retry', code: CATCH_ALL_CODE[channel], internal: 'busy' };
      };
      const take = async (): Promise<DeliveryOutcome> => {
        const given = { channel, provider, trackingId: delivery.trackingId, delivery };
        const scripted = world.script.deliver?.(given);
        if (scripted && scripted.kind !== 'sent') return scripted;
        world.accepted.push(given);
        isAccepted = true;
        world.running()?.open.add(name);
        return scripted ?? { kind: 'sent', fields: fieldsOf(delivery) };
      };
      try {
        const outcome = await world.external(`provider ${channel}`, 'provider', take, busy);
        return outcome as DeliveryOutcome<C>;
      } catch (error) {
        if (isAccepted) world.mayRepeat.add(name);
        throw error;
      }
    },
  };
}

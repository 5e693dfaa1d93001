import { handler as send } from '../../functions/sending/send.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import type { WireItem } from '../../infra/local/database/embedded/values/wire.ts';
import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import {
  accountCreation,
  type CreatedAccount,
} from '../../shared/database/entities/accounts/account-creation.ts';
import { logPk } from '../../shared/database/keys/key.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { newId } from '../../shared/runtime/values/ids.ts';
import { type Channel, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import { type CallResult, call } from '../support/app.ts';
import { createDrive } from './drive.ts';
import type { World } from './world.ts';

/** The allowed outcomes of a notification's channel; `none` if it was not to be sent. */
export type End = 'none' | 'sent' | 'failed' | 'withheld' | 'skipped' | 'cancelled';
export type Ends = Partial<Record<Channel, End | readonly End[]>>;
export type Tracked = { trackingId: string; ends: Ends };

type Operation = Parameters<typeof call>[0];
type Asked = Omit<Parameters<typeof call>[1], 'key'>;

/** The actions of a scenario: requests of a client that retries, the passing of time, inbound events. */
export type Story = CreatedAccount & {
  world: World;
  key: string;
  /** Notifications that a client got a 200 for, and how each must end. */
  tracked: Tracked[];
  /** Repeats a request until the response is a 2xx, or a 4xx where that is `accepted`: `again` for a repeated request only. */
  request(operation: Operation, asked: Asked, accepted?: 'again' | 'any'): Promise<CallResult>;
  /** Sends under an idempotency key, and expects these ends. */
  send(body: object, ends: Ends): Promise<string>;
  /** Lets time pass while everything runs. */
  pass(minutes: number): Promise<void>;
  /** Sends, and lets time pass until all of it is sent. */
  sendAndWait(body: object, ends: Ends): Promise<string>;
  /** Something reaches a queue from outside. */
  comesIn(queue: string, body: string): void;
  /** Runs a worker that an operator invokes. */
  invoke<T>(run: () => Promise<T>): Promise<T>;
};

export const MINUTE_MS = 60_000;
const TRIES_MAX = 12;
/** A client waits before it asks again: longer than anything is down. */
const CLIENT_WAIT_MINUTES = 5;
const WAIT_MINUTES_MAX = 240;

const ADA = {
  email: 'ada@example.com',
  number: '+12025550123',
  pushTokens: [{ type: 'FCM', token: 'token' }],
  webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'BPk', auth: 'a' } } }],
  chatChannel: '#general',
  chatToken: { access_token: 't' },
};
const CONTENT = {
  email: { subject: 's', html: 'h' },
  inapp: { title: 't' },
  sms: { message: 'm' },
  call: { message: 'm' },
  mobile_push: { title: 't', message: 'm' },
  web_push: { title: 't', message: 'm' },
  chat: { text: 't' },
};

/** A request that goes to these channels of Ada's and no others. */
export function toChannels(channels: readonly Channel[], more: object = {}): object {
  const blocks = channels.map((channel) => [CONTENT_BLOCK[channel], CONTENT[CONTENT_BLOCK[channel]]]);
  return {
    type: 'welcome',
    to: { id: 'ada' },
    forceChannels: channels,
    ...Object.fromEntries(blocks),
    ...more,
  };
}

/** Made once: every world of this process begins with its items. */
let opened: (CreatedAccount & { key: string; items: WireItem[] }) | undefined;

async function openAccount(world: World): Promise<CreatedAccount & { key: string }> {
  const name = newId();
  const created = await resolve(accountCreation).createAccount({
    name,
    adminEmail: `${name}@example.com`,
    secureMode: false,
    nowMs: world.nowMs,
  });
  const { key } = await resolve(apiKeys).create({
    accountId: created.account.accountId,
    keyType: 'secret',
    name: 'secret',
    defaultEnvironmentId: created.environment.environmentId,
    issuedBy: created.admin.userId,
    nowMs: world.nowMs,
  });
  await call(saveUser, { key, path: { userId: 'ada' }, body: ADA });
  return { ...created, key };
}

/** An account with a key and one user, Ada, whom every channel reaches. */
export async function openStory(world: World): Promise<Story> {
  const drive = createDrive(world);
  if (opened) world.table.fill(opened.items);
  opened ??= { ...(await openAccount(world)), items: world.table.copy() };
  const { items: _, key, ...account } = opened;

  let sends = 0;
  const story: Story = {
    ...structuredClone(account),
    world,
    key,
    tracked: [],

    async request(operation, asked, accepted) {
      const isRepeated = world.faultAt('request', 'request') === 'duplicate';
      const ask = () => drive.request(() => call(operation, { ...asked, key }));
      let last: unknown;
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const outcome = await ask();
        if (outcome.kind === 'done') {
          const { status, json } = outcome.value;
          const isAccepted = accepted === 'any' || (accepted === 'again' && tries > 0);
          if (status < 300 || (isAccepted && status < 500)) {
            if (isRepeated) await ask();
            return outcome.value;
          }
          last = json;
        }
        if (tries > 0) await story.pass(CLIENT_WAIT_MINUTES);
      }
      throw new Error(`the client gave up: ${JSON.stringify(last)}`);
    },

    async send(body, ends) {
      sends += 1;
      const headers = { 'idempotency-key': `send-${sends}` };
      const { json } = await story.request(send, { body, headers });
      story.tracked.push({ trackingId: json.trackingId, ends });
      return json.trackingId;
    },

    async sendAndWait(body, ends) {
      const trackingId = await story.send(body, ends);
      const isSent = () =>
        world.table
          .list(logPk(trackingId))
          .filter(({ sk }) => String(sk).startsWith('EVENT#') && String(sk).endsWith('#sent')).length ===
        Object.keys(ends).length;
      for (let minutes = 0; !isSent() && minutes < WAIT_MINUTES_MAX; minutes += 2) await story.pass(2);
      return trackingId;
    },

    pass: (minutes) => drive.settleUntil(world.nowMs + minutes * MINUTE_MS),

    comesIn: (queue, body) => void world.queues.send(queue, [{ body }]),

    async invoke(run) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const outcome = await drive.request(run, { isOperator: true });
        if (outcome.kind === 'done') return outcome.value;
      }
      throw new Error('the operator gave up');
    },
  };
  return story;
}

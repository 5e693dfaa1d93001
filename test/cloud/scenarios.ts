import { once } from 'node:events';
import { WebSocket } from 'ws';
import { buildCallbackUrl } from '../../shared/channels/phone/callback-url.ts';
import { userHashOf } from '../../shared/http/user-hash.ts';
import { buildServiceAccount } from '../support/fakes/fcm.ts';
import { buildTwilioCallback } from '../support/fakes/twilio.ts';
import { HANG_MS } from '../support/until.ts';
import { LARGE, NOTIFICATION } from './route-requests.ts';
import type { Keys } from './routes.ts';
import type { HttpAnswer, World } from './world.ts';

/** Its sender is the service's own mail domain. */
const EMAIL = { subject: 'Hello', html: '<p>Hello</p>' };

const CHAT_TOKEN = {
  access_token: 'xoxb-1',
  incoming_webhook: { channel: '#general', channel_id: 'C1' },
};

/** After this time without an invocation, nothing more happens. */
const REST_MS_MAX = 8000;
const HOUR_MS = 3_600_000;

/** A record of the delivery log. */
type Log = Record<string, unknown>;

/** An account of a running cloud, with what its scenarios do. */
export type Account = Awaited<ReturnType<typeof openAccount>>;

/** Creates the first account as the deploy command does: by direct invocation. */
export async function openAccount(world: World) {
  const made = (await world.cloud.invoke('administer-accounts', {
    action: 'first',
    name: 'Shop',
    email: 'admin@example.com',
  })) as Record<string, string>;
  const keys: Keys = { secretKey: String(made.secretKey), publicKey: String(made.publicKey) };
  const ask = async (method: string, path: string, body?: unknown): Promise<HttpAnswer> => {
    const answer = await world.request(method, path, { key: keys.secretKey, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  return {
    keys,
    /** The account's environment, which is in secure mode, with its client secret. */
    async environment(): Promise<{ clientId: string; clientSecret: string }> {
      return (await ask('GET', '/environments')).json.environments[0];
    },
    accountId: String(made.accountId),
    environmentId: String(made.environmentId ?? made.clientId),
    ask,
    send: async (body: object): Promise<string> => (await ask('POST', '/send', body)).json.trackingId,
    log: async (trackingId: string): Promise<Log> => (await ask('GET', `/logs/${trackingId}`)).json.logs[0],
  };
}

/** Waits until a log record has every field; throws with what it has, and with what failed in the cloud. */

export async function untilLogged(
  world: World,
  account: Account,
  trackingId: string,
  fields: readonly string[],
): Promise<Log> {
  let restedAtMs: number | undefined;
  for (const endsAtMs = Date.now() + HANG_MS; ; ) {
    const invocations = invocationsOf(world);
    await Promise.race([world.cloud.settle(), failure(world, endsAtMs)]);
    const record = await account.log(trackingId);
    const missing = fields.filter((field) => record?.[field] === undefined);
    if (missing.length === 0) return record;
    // Reading the log is an invocation itself.
    const isAtRest = invocationsOf(world) <= invocations + 1;
    restedAtMs = isAtRest ? (restedAtMs ?? Date.now()) : undefined;
    if (Date.now() > endsAtMs || Date.now() - (restedAtMs ?? Date.now()) > REST_MS_MAX)
      throw new Error(
        `missing in the log: ${missing.join(', ')}\n${world.cloud.failures().join('\n')}\n${JSON.stringify(Object.entries(record ?? {}).filter(([name]) => missing.some((field) => name.startsWith(field.split('_')[0] ?? ''))))}`,
      );
    await new Promise((resume) => setTimeout(resume, 200));
  }
}

/** Invocations that have ended. */
function invocationsOf({ cloud }: World): number {
  return [...cloud.lambda.usage.values()].reduce((sum, { durationsMs }) => sum + durationsMs.length, 0);
}

/** Throws as soon as something failed in the cloud; resolves when time is up. */
async function failure({ cloud }: World, endsAtMs: number): Promise<void> {
  while (Date.now() < endsAtMs) {
    if (cloud.failures().length > 0) throw new Error(cloud.failures().join('\n'));
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/** Opens the socket of a user's browser. */
export async function openSocket(
  world: World,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  userId: string,
): Promise<WebSocket> {
  const query = new URLSearchParams({
    userId,
    envId: clientId,
    userIdHash: userHashOf(clientSecret, userId),
  });
  const socket = new WebSocket(`${world.cloud.websocketUrl}?${query}`);
  await once(socket, 'open');
  return socket;
}

/** The stage fields of a notification on all seven channels. */
const SENT_FIELDS = ['email', 'inapp', 'sms', 'call', 'mobile_push', 'web_push', 'chat'].map(
  (channel) => `${channel}_sent_at`,
);

/** One notification on every channel: over the socket of a browser, to each provider, with receipts of those on AWS. */
export async function everyChannel(world: World, account: Account) {
  await account.ask('PUT', '/settings/push/fcm', { fcmConfig: buildServiceAccount() });
  await account.ask('POST', '/users/ada', { chatToken: CHAT_TOKEN });
  const socket = await openSocket(world, await account.environment(), 'ada');
  const received = new Promise<string>((done) => socket.on('message', (data) => done(String(data))));
  socket.send('ping');
  const attachments = [{ filename: 'invoice.txt', url: world.receiver.url }];
  const trackingId = await account.send({
    ...NOTIFICATION,
    type: 'all_channels',
    email: EMAIL,
    options: { email: { attachments } },
  });
  const record = await untilLogged(world, account, trackingId, [
    ...SENT_FIELDS,
    'email_delivered_at',
    'sms_delivered_at',
  ]);
  const pushed = await received;
  socket.close();
  world.receiver.received.length = 0;
  const email = world.cloud.emails
    .map(({ message }) => message)
    .findLast(({ EmailTags = [] }) => EmailTags.some(({ Value }) => Value === trackingId));
  return { trackingId, record, pushed, email };
}

/** The outcome of a text message as Twilio reports it, with its signature. */
export async function twilioReceipt(world: World, account: Account, trackingId: string): Promise<number> {
  const { accountId, environmentId } = account;
  const address = `${world.cloud.baseUrl}/callbacks/twilio/sms`;
  const url = buildCallbackUrl(address, { trackingId, accountId, environmentId });
  const params = { MessageSid: 'SM1', MessageStatus: 'delivered', To: '+14155550123' };
  const { headers, body } = buildTwilioCallback({ authToken: world.twilio.authToken, url, params });
  const path = url.slice(world.cloud.baseUrl.length);
  return (await world.request('POST', path, { body, headers })).status;
}

/** A notification in two hours, another that waits for a digest: both after the clock has moved on. */
export async function dueWork(world: World, account: Account) {
  const option = { enabled: true };
  const choice = {
    defaultDeliveryOption: 'hourly',
    off: option,
    instant: option,
    hourly: option,
    daily: option,
    weekly: option,
    monthly: option,
  };
  await account.ask('POST', '/types', {
    notificationId: 'comment',
    title: 'Comment',
    channels: ['SMS'],
    options: { SMS: choice },
  });
  const to = { id: 'ada', email: 'ada@example.com', number: '+14155550123' };
  const schedule = new Date(Date.now() + 2 * HOUR_MS).toISOString();
  const scheduled = await account.send({ type: 'later', to, schedule, email: EMAIL });
  const collected = await account.send({
    type: 'comment',
    to,
    sms: { message: 'Collected' },
    parameters: { note: LARGE },
  });
  await world.cloud.settle();
  await world.cloud.tick('sweep');
  await world.cloud.moveClock(3 * HOUR_MS);
  await world.cloud.tick('sweep');
  return {
    scheduled: await untilLogged(world, account, scheduled, ['email_sent_at']),
    collected: await untilLogged(world, account, collected, ['sms_sent_at']),
  };
}

/** One email from acceptance to its receipt, and a run of the schedule that looks for due work. */
export async function emailWithReceipt(world: World, account: Account): Promise<void> {
  // A function whose role is limited to the partition keys of its caller.
  await account.ask('GET', '/account');
  // Its token is stored encrypted: accepting a notification for the user decrypts it.
  await account.ask('POST', '/users/ada', { chatToken: CHAT_TOKEN });
  const to = { id: 'ada', email: 'ada@example.com' };
  // A request that is too large for its item is stored in a file.
  const trackingId = await account.send({ type: 'hello', to, email: EMAIL, parameters: { note: LARGE } });
  await untilLogged(world, account, trackingId, ['email_sent_at', 'email_delivered_at']);
  await world.cloud.tick('sweep');
}

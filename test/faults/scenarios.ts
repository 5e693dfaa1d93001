import { handler as cancel } from '../../functions/sending/cancel-scheduled.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as save } from '../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../functions/webhooks/save-event-webhook.ts';
import { handler as redrive } from '../../functions/workers/redrive/redrive.ts';
import { accountCreation } from '../../shared/database/entities/account-creation.ts';
import { apiKeys } from '../../shared/database/entities/api-keys.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { usageCounters } from '../../shared/database/entities/usage-counters.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { type Channel, CONTENT_BLOCK, LOG_PREFIX } from '../../shared/schemas/channel.ts';
import { call } from '../support/app.ts';
import { createWorld, type Fault, type Mutant, type World } from './world.ts';

/** One story that must end well whatever fails once. */
export type Scenario = {
  name: string;
  channel: Channel;
  body: object;
  /** Hours until everything is over. */
  hours?: number;
  /** Is cancelled right after it was accepted. */
  isCancelled?: boolean;
};

const to = {
  id: 'ada',
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

function toChannel(channel: Channel, more: object = {}) {
  const block = CONTENT_BLOCK[channel];
  return { type: 'welcome', to: { id: 'ada' }, forceChannels: [channel], [block]: CONTENT[block], ...more };
}

const CHANNELS = ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'CHAT'] as const;
const SCHEDULE = '2026-11-21T09:30:00.000Z';

export const SCENARIOS: readonly Scenario[] = [
  ...CHANNELS.map((channel) => ({ name: channel, channel, body: toChannel(channel) })),
  { name: 'schedule', channel: 'EMAIL', body: toChannel('EMAIL', { schedule: SCHEDULE }), hours: 4 },
  {
    name: 'cancel',
    channel: 'EMAIL',
    body: toChannel('EMAIL', { schedule: SCHEDULE }),
    hours: 4,
    isCancelled: true,
  },
];

/** What a run did, and what it broke. */
export type Run = { calls: readonly string[]; faulted: string | undefined; problems: string[] };

/** Runs a scenario with one fault at the call of that number; without `fault` it lists the calls. */
export async function runScenario(
  scenario: Scenario,
  planned?: { at: number; fault: Fault },
  mutant?: Mutant,
  outage?: 'writes',
): Promise<Run> {
  const world = createWorld(mutant);
  const { key, account } = await openAccount(world);
  await call(save, { key, path: { userId: 'ada' }, body: { ...to, id: undefined } });
  await call(saveWebhook, { key, body: { webhook: 'https://hook.example.com/', events: ['EMAIL_FAILED'] } });
  world.arm(planned?.at ?? -1, planned?.fault ?? 'error before');
  const startMs = world.now();
  const trackingId = await accept(world, key, scenario);
  if (outage) world.breakEventWrites(40 * 60_000);
  if (scenario.isCancelled) await retried(world, () => call(cancel, { key, path: { trackingId } }));
  await world.settle(scenario.hours);
  const [from, until] = [new Date(startMs - 1000), new Date(world.now() + 1000)].map((each) =>
    each.toISOString(),
  );
  await world.invoke(() => redrive({ from, to: until }));
  await world.settle();
  const calls = [...world.calls];
  world.disarm();
  const problems = await problemsOf(world, scenario, { trackingId, accountId: account.accountId });
  return { calls, faulted: world.faulted, problems };
}

async function openAccount(world: World) {
  const name = newId();
  const opened = await resolve(accountCreation).createAccount({
    name,
    adminEmail: `${name}@example.com`,
    secureMode: false,
    nowMs: world.now(),
  });
  const { key } = await resolve(apiKeys).create({
    accountId: opened.account.accountId,
    keyType: 'secret',
    name: 'secret',
    defaultEnvironmentId: opened.environment.environmentId,
    issuedBy: opened.admin.userId,
    nowMs: world.now(),
  });
  return { ...opened, key };
}

/** A client that retries what failed or never came back, under the same idempotency key. */
async function accept(world: World, key: string, { body }: Scenario): Promise<string> {
  const headers = { 'idempotency-key': 'once' };
  const { json } = await retried(world, () => call(send, { key, body, headers }));
  return json.trackingId;
}

async function retried(world: World, request: () => ReturnType<typeof call>): ReturnType<typeof call> {
  let last: unknown;
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await world.invoke(request);
    if (answer && answer.status < 300) return answer;
    last = answer?.json;
  }
  throw new Error(`the client gave up: ${JSON.stringify(last)}`);
}

async function problemsOf(
  world: World,
  { channel, isCancelled }: Scenario,
  { trackingId, accountId }: { trackingId: string; accountId: string },
): Promise<string[]> {
  const record = await resolve(logs).findRecord(accountId, trackingId, world.now());
  const fields: Record<string, unknown> = { ...record };
  const prefix = LOG_PREFIX[channel];
  const deliveries = world.accepted.filter((each) => each.trackingId === trackingId).length;
  const isInapp = channel === 'INAPP_WEB';
  // Between the provider's response and its record a lost response or a kill may repeat a message, once.
  const isWindow = world.isBroken || /^(provider|table put)/.test(world.faulted ?? '');
  const problems: string[] = [];
  if (!record) problems.push('the log is gone');
  if (isCancelled) {
    if (deliveries > 0) problems.push('what was cancelled was sent');
    return problems;
  }
  if (fields[`${prefix}_sent_at`] === undefined) problems.push('nothing was sent');
  if (fields[`${prefix}_failed_code`] !== undefined) problems.push('the notification failed');
  if (!isInapp && deliveries > (isWindow ? 2 : 1)) problems.push(`the provider got it ${deliveries} times`);
  const usage = await resolve(usageCounters).ofMonth(accountId, '2026-11');
  if (usage.counts[channel] !== 1) problems.push(`usage counts ${usage.counts[channel]}`);
  return problems;
}

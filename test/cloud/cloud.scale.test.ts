import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { type Receiver, startReceiver } from '../functions/workers/webhooks/receiver.ts';
import { useStarted } from '../support/use-started.ts';
import { figuresOf } from './figures.ts';
import { MAIL, TEXT } from './inbound-messages.ts';
import {
  acceptedInvitation,
  checkDomain,
  deletedAccount,
  enqueueRareMessages,
  paidPlan,
  telnyxText,
} from './outside-scenarios.ts';
import { grantLine } from './roles.ts';
import { NOTIFICATION, SENDER } from './route-requests.ts';
import { callRoutes } from './routes.ts';
import { dueWork, everyChannel, openAccount, openSocket, twilioReceipt, untilLogged } from './scenarios.ts';
import { UNNEEDED } from './unneeded-grants.ts';
import { startWorld } from './world.ts';

const MINUTES = 60_000;
const world = useStarted(startWorld);
const account = useStarted(() => openAccount(world));
const known: Record<string, string> = {};

beforeAll(async () => {
  const environment = await account.environment();
  known.clientSecret = environment.clientSecret;
  await openSocket(world, environment, 'ada');
});

afterAll(() => {
  console.log(figuresOf(world.cloud.lambda.usage));
});

const callAll = (phases: readonly number[]) => callRoutes(world, account.keys, known, phases);

describe('the synthesized templates', () => {
  it('return every route that creates, changes or reads', async () => {
    expect(await callAll([1, 2])).toEqual([]);
    // The environment that was created gets another secret, which closes its sockets.
    const { clientId = '', newSecret = '' } = known;
    const closed = once(await openSocket(world, { clientId, clientSecret: newSecret }, 'ada'), 'close');
    expect(await callAll([3])).toEqual([]);
    await closed;
  });

  it('return the preflight requests of browsers', async () => {
    const paths = ROUTES.filter(({ cors }) => cors).map(({ path }) => path.replaceAll(/\{\w+\}/g, 'ada'));
    const answers = await Promise.all(paths.map((path) => world.request('OPTIONS', path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  });

  it('reject what matches no route with the standard error body', async () => {
    const { status, json } = await world.request('GET', '/no/such/path');
    expect([status, json.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('deliver a notification on every channel, with its receipts', async () => {
    const { record, pushed, trackingId, email } = await everyChannel(world, account);
    expect(email?.Content?.Simple?.Attachments).toMatchObject([{ FileName: 'invoice.txt' }]);
    expect(record.trackingId).toBe(trackingId);
    expect(pushed).toContain('Hello');
    expect(world.fcm.messages.map(({ token }) => token)).toContain('device');
    expect(world.chat.posts.length).toBeGreaterThan(0);
  });

  it('record what Twilio reports with its signature', async () => {
    expect(await twilioReceipt(world, account, known.trackingId ?? '')).toBe(200);
  });

  it('record a text message that Telnyx reports with its signature', async () => {
    expect(await telnyxText(world)).toBe(200);
  });

  it('record a subscription that Stripe reports with its signature', async () => {
    expect(await paidPlan(world, account)).toBe('paid');
  });

  it('let an invited person accept with their access token', async () => {
    expect(await acceptedInvitation(world)).toBe(200);
  });

  it('send what was scheduled and what a digest has collected when it falls due', async () => {
    const { scheduled, collected } = await dueWork(world, account);
    expect([scheduled.email_sent_at, collected.sms_sent_at]).toEqual([expect.anything(), expect.anything()]);
  });

  it('verify a sender domain once its records are published', async () => {
    expect(await checkDomain(world, account)).toMatchObject({
      status: 'SUCCESS',
      mailFromDomainStatus: 'SUCCESS',
    });
    expect([...world.cloud.identities.keys()]).toEqual([SENDER]);
  });

  it('record an email that SES received, with its attachment', async () => {
    const { objects, bucket, events } = world.cloud;
    events.emailReceived('mail-1', ['orders@mail.example.com'], (name, key) => {
      objects.set(`${name}/${key}`, { body: Buffer.from(MAIL), type: '' });
    });
    await world.cloud.settle();
    expect([...objects.keys()].filter((name) => name.startsWith(`${bucket}/attachments/`))).toHaveLength(1);
  });

  it('publish events on the bus', async () => {
    await world.cloud.settle();
    const [event] = world.cloud.events.published.filter(({ DetailType }) => DetailType === 'EMAIL_DELIVERED');
    expect(event).toMatchObject({ Source: 'notifications.cloud', EventBusName: 'default' });
    const { type, trackingId } = JSON.parse(event?.Detail ?? '{}');
    expect(type).toBe('EMAIL_DELIVERED');
    expect((await account.log(trackingId)).email_delivered_at).toBeDefined();
  });

  it('call a webhook, and record a text message that came in', async () => {
    await account.ask('PUT', '/webhooks/events', {
      webhook: world.receiver.url,
      events: ['SMS_INBOUND', 'EMAIL_DELIVERED'],
    });
    const topic = world.cloud.deployment
      .ofType('AWS::SNS::Topic')
      .find(({ arn }) => arn.includes('two-way-sms'));
    // The first call fails, so that it is put on the queue again.
    world.receiver.replies.push({ status: 503 });
    world.cloud.events.publish(topic?.arn ?? '', TEXT, 'sms-voice.amazonaws.com');
    await untilReceived(world.receiver);
  });

  it('send webhook events to the command that forwards them, which restores the webhook', async () => {
    const own = await startReceiver();
    const before = (await account.ask('GET', '/webhooks/events')).json.webhook;
    const command = spawn(
      process.execPath,
      [
        ...['scripts/listen.ts', '--json', '--forward', own.url, '--events', 'EMAIL_DELIVERED'],
        ...['--url', world.cloud.baseUrl, '--key', account.keys.secretKey],
        ...['--public-url', world.receiver.url],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const [line] = await once(command.stdout, 'data');
      const { secret, port } = JSON.parse(String(line));
      world.receiver.relayTo(`http://127.0.0.1:${port}/`);
      await untilReceived(own);
      const [{ headers, body }] = own.received as [(typeof own.received)[number]];
      // The clock is hours ahead by now, so the signature is compared instead of verified with its time.
      const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', signedAt, body);
      expect(headers['webhook-signature']?.split(' ')).toContain(signature);
      expect(JSON.parse(body)).toMatchObject({ eventType: 'EMAIL_DELIVERED' });
      command.kill('SIGINT');
      expect(await once(command, 'exit')).toEqual([0, null]);
      expect((await account.ask('GET', '/webhooks/events')).json.webhook).toBe(before);
    } finally {
      command.kill('SIGKILL');
      await own.close();
    }
  });

  it('run the workers that other services or operators start', async () => {
    const { cloud } = world;
    enqueueRareMessages(world, account, known.trackingId ?? '');
    await cloud.settle();
    const range = {
      from: new Date(Date.now() - MINUTES).toISOString(),
      to: new Date(Date.now() + 24 * 60 * MINUTES).toISOString(),
    };
    expect(await cloud.invoke('redrive', { ...range, isDryRun: true })).not.toHaveProperty('error');
    const day = new Date(Date.now() - 4 * 24 * 60 * MINUTES).toISOString().slice(0, 10);
    expect(await cloud.invoke('recount-usage', { day, isDryRun: true })).toHaveProperty('examined');
  });

  it('return every route that deletes', async () => {
    expect(await callAll([4, 5])).toEqual([]);
    await world.cloud.settle();
    await world.cloud.tick('poll-domains');
    expect([...world.cloud.identities.keys()]).toEqual([]);
  });

  it('delete the account with its files', async () => {
    expect(await deletedAccount(world, account)).toMatchObject({ state: 'done' });
    await world.cloud.settle();
    expect([...world.cloud.objects.keys()]).toEqual([]);
  });

  it('start every function, without an error, a denied permission or a lost message', () => {
    const all = world.cloud.deployment.ofType('AWS::Lambda::Function').map(({ ref }) => ref);
    const idle = all.filter((name) => !world.cloud.lambda.usage.get(name)?.durationsMs.length);
    expect(idle).toEqual([]);
    expect(world.cloud.failures()).toEqual([]);
    const dead = world.cloud.deployment
      .ofType('AWS::SQS::Queue')
      .map(({ ref }) => ref.split('/').at(-1) ?? '')
      .filter((name) => /dead|failed/.test(name));
    expect(dead.filter((name) => world.cloud.queues.depth(name).visible > 0)).toEqual([]);
  });

  it('need every grant that is not listed with a reason, and have every grant that is', () => {
    const { needed, unneeded } = world.cloud.roles.grants();
    const listed = UNNEEDED.flatMap(({ grants }) =>
      Object.entries(grants).flatMap(([name, ids]) => ids.split(' ').map((id) => `${id}: ${name}`)),
    );
    expect(unneeded.map(grantLine).filter((line) => !listed.includes(line))).toEqual([]);
    const all = new Set([...needed, ...unneeded].map(grantLine));
    expect(listed.filter((line) => !all.has(line))).toEqual([]);
  });

  it('stay within the memory of every function', () => {
    const over = [...world.cloud.lambda.usage].filter(
      ([, { memoryMb, memoryMaxMb }]) => memoryMb > memoryMaxMb,
    );
    expect(over.map(([name, { memoryMb }]) => `${name}: ${memoryMb.toFixed(0)} MB`)).toEqual([]);
  });
});

/** Sends emails until the webhook is called: workers read a new one after some seconds. */
async function untilReceived({ received }: Receiver): Promise<void> {
  for (let tries = 0; received.length === 0 && tries < 20; tries += 1) {
    const trackingId = await account.send({
      type: 'hooked',
      to: NOTIFICATION.to,
      email: { subject: 'Hello', html: '<p>Hello</p>' },
    });
    await untilLogged(world, account, trackingId, ['email_delivered_at']);
    await world.cloud.settle();
    await new Promise((resume) => setTimeout(resume, 500));
  }
  expect(received.length).toBeGreaterThan(0);
}

import Stripe from 'stripe';
import { buildTelnyxEvent, buildTelnyxMessage } from '../support/fakes/telnyx.ts';
import { SENDER } from './route-requests.ts';
import type { Account } from './scenarios.ts';
import type { World } from './world.ts';

/** A text message to the service that Telnyx reports with its signature; returns the status. */
export async function telnyxText({ request, telnyx }: World): Promise<number> {
  const body = buildTelnyxEvent(
    'message.received',
    buildTelnyxMessage({
      direction: 'inbound',
      from: { phone_number: '+14155550123' },
      to: [{ phone_number: '+15005550006', status: 'webhook_delivered' }],
      text: 'When?',
    }),
  );
  const headers = telnyx.signCallback(body, Math.floor(Date.now() / 1000));
  return (await request('POST', '/callbacks/telnyx/sms', { body, headers })).status;
}

/** A subscription that Stripe reports with its signature; returns the plan of the account. */
export async function paidPlan({ request, stripe }: World, { ask }: Account): Promise<unknown> {
  const created = Math.floor(Date.now() / 1000);
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.subscription.created',
    created,
    data: { object: { id: 'sub_1', customer: stripe.lastCustomerId(), status: 'active' } },
  });
  const { webhookSecret: secret } = stripe;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: created });
  const headers = { 'stripe-signature': signature };
  const { status, text } = await request('POST', '/callbacks/stripe', { body: payload, headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return (await ask('GET', '/account/organization')).json.organizationType;
}

/** Publishes the records of the run's sender domain, and lets the service check it; returns the domain. */
export async function checkDomain({ cloud, dns }: World, { ask }: Account): Promise<unknown> {
  const find = async () =>
    (await ask('GET', '/domains')).json.find(({ sender }: { sender: string }) => sender === SENDER);
  const { verificationRecords } = await find();
  const { dkim, mail_from_mx: mx } = verificationRecords;
  dns.zone.txt.set(dkim.host, [dkim.recordValue]);
  dns.zone.mx.set(mx.host, [mx.recordValue]);
  await cloud.tick('poll-domains');
  return find();
}

/** The invited person accepts with their access token and the token that they were sent; returns the status. */
export async function acceptedInvitation({ cloud, request, tokenOf }: World): Promise<number> {
  const texts = cloud.emails.map(({ message }) => JSON.stringify(message.Content));
  const token = texts.map((text) => /Your invitation: ([\w.~-]+)/.exec(text)?.[1]).findLast(Boolean);
  const key = await tokenOf('person-1');
  return (await request('POST', '/profile/accept_invite', { key, body: { token } })).status;
}

/** Deletes an account as the operator's command does, step by step. */
export async function deletedAccount({ cloud }: World, { accountId }: Account): Promise<unknown> {
  for (let start: unknown; ; ) {
    const step = (await cloud.invoke('administer-accounts', {
      action: 'delete',
      accountId,
      ...(start ? { start } : {}),
    })) as { state?: string; next?: unknown };
    if (step.state !== 'running') return step;
    start = step.next;
  }
}

/** Enqueues a message of each kind that providers cause only in rare cases. */
export function enqueueRareMessages({ cloud }: World, account: Account, trackingId: string): void {
  const { accountId, environmentId } = account;
  const messages: { queue: string; message: object }[] = [
    {
      queue: 'follow-up',
      message: {
        followUp: 'notice',
        kind: 'webhook',
        accountId,
        url: 'https://shop.example.com/hook',
        warning: 'failing',
      },
    },
    {
      queue: 'follow-up',
      message: { followUp: 'price', channel: 'SMS', providerMessageId: 'SM1', trackingId, accountId },
    },
    {
      queue: 'answer-texts',
      message: {
        accountId,
        environmentId,
        kind: 'auto_reply',
        message: 'We will be back.',
        trackingId,
        userId: 'ada',
        notificationId: 'everything',
        expiresAtSeconds: Math.ceil(Date.now() / 1000) + 86_400,
        serviceNumber: '+15005550006',
        number: '+14155550123',
        inboundId: 'inbound-1',
      },
    },
  ];
  for (const { queue, message } of messages) {
    const name = cloud.queueName(queue);
    const group = name.endsWith('.fifo') ? { groupId: 'one', deduplicationId: 'one' } : {};
    cloud.queues.send(name, [{ body: JSON.stringify(message), ...group }]);
  }
}

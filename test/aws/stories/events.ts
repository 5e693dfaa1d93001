import { randomUUID } from 'node:crypto';
import {
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  AuthFlowType,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import Stripe from 'stripe';
import { expect } from 'vitest';
import { INBOUND_PREFIX } from '../../../shared/blobs/blob-folders.ts';
import { buildCallbackUrl } from '../../../shared/channels/phone/callback-url.ts';
import { OUR_NUMBER } from '../../e2e/provider-world.ts';
import { startReceiver } from '../../functions/workers/webhooks/receiver.ts';
import { buildTelnyxEvent, buildTelnyxMessage } from '../../support/fakes/telnyx.ts';
import { buildTwilioCallback } from '../../support/fakes/twilio.ts';
import { Webhook } from '../../support/webhook.ts';
import { type Account, openAccount, until } from '../account.ts';
import { MAIL, TEXT } from '../inbound-messages.ts';
import { MAIL_DOMAIN, STRIPE_WEBHOOK_SECRET, type World } from '../world.ts';
import { EMAIL } from './sending.ts';

/** An event reaches the webhook with a signature that a library of others verifies, again after the webhook failed once. */
export async function webhooks(world: World): Promise<void> {
  const account = await openAccount(world, 'webhooks');
  const receiver = await startReceiver();
  receiver.replies.push({ status: 503 });
  const { secret } = (
    await account.ask('PUT', '/webhooks/events', { webhook: receiver.url, events: ['EMAIL_DELIVERED'] })
  ).json;
  const trackingId = await account.send({ type: 'hooked', to: { email: 'ada@example.com' }, email: EMAIL });
  await until('the second call', async () => {
    const { email_delivered_webhook_res: value } = await account.log(trackingId);
    return { value, isDone: String(value).includes('200') };
  });
  const calls = receiver.received.filter(({ body }) => body.includes(trackingId));
  expect(calls.length).toBe(2);
  const { headers = {}, body = '' } = calls.at(-1) ?? {};
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    eventType: 'EMAIL_DELIVERED',
    trackingId,
  });
  expect(new Set(calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
  const { calls: listed } = (await account.ask('GET', `/webhooks/calls?event=EMAIL_DELIVERED`)).json;
  await account.ask('POST', `/webhooks/calls/${listed[0].callId}/resend`, {});
  await until('the call that is sent again', async () => {
    const value = receiver.received.filter((call) => call.body.includes(trackingId)).length;
    return { value, isDone: value > calls.length };
  });
  await receiver.close();
}

/** An email that SES received is stored with its attachment and recorded. */
export async function inboundEmail(world: World): Promise<void> {
  const account = await openAccount(world, 'inbound-email');
  const { address } = (await account.ask('POST', '/addresses', { prefix: 'returns' })).json;
  const [bucket = ''] = await world.resources('data', 'AWS::S3::Bucket');
  const messageId = randomUUID();
  const Body = MAIL.replaceAll(`orders@${MAIL_DOMAIN}`, address.fullAddress);
  await new S3Client(world.caller).send(
    new PutObjectCommand({ Bucket: bucket, Key: `${INBOUND_PREFIX}${messageId}`, Body }),
  );
  await world.publish('mail', {
    notificationType: 'Received',
    mail: { messageId },
    receipt: { recipients: [address.fullAddress], virusVerdict: { status: 'PASS' } },
  });
  const messages = await until('the inbound email', async () => {
    const value = (await account.ask('GET', '/logs?eventType=inbound')).json.messages;
    return { value, isDone: value.length > 0 };
  });
  expect(messages).toMatchObject([{ subject: 'My order', attachments: [{ filename: 'order.csv' }] }]);
  const [{ trackingId }] = messages;
  for (const part of ['original', 'attachments/0'])
    expect((await account.ask('GET', `/logs/${trackingId}/${part}`)).status).toBe(200);
}

/** A reply to a text message is recorded under that message, and gets its automatic reply. */
export async function inboundText(world: World): Promise<void> {
  const account = await openAccount(world, 'inbound-text');
  const number = '+14155550188';
  const trackingId = await account.send({
    type: 'delivery',
    to: { number },
    sms: { message: 'We are on our way', autoReply: { message: 'We will be back.' } },
  });
  await account.logged(trackingId, 'sms_sent_at');
  await world.publish('two-way-sms', {
    ...TEXT,
    originationNumber: number,
    destinationNumber: OUR_NUMBER,
    inboundMessageId: randomUUID(),
  });
  expect(await account.logged(trackingId, 'sms_inbound_at', 'sms_replied_at')).toMatchObject({
    sms_inbound_text: TEXT.messageBody,
    sms_replied_text: 'We will be back.',
  });
}

/** What Twilio and Telnyx report with their signatures is recorded, and the price is asked for. */
export async function callbacks(world: World): Promise<void> {
  const account = await openAccount(world, 'callbacks');
  await account.ask('PUT', '/settings/providers/SMS', { order: ['twilio'] });
  const trackingId = await account.send({
    type: 'text',
    to: { number: '+14155550199' },
    sms: { message: 'Hello' },
  });
  const { sms_sent_messageId } = await account.logged(trackingId, 'sms_sent_at');
  const { accountId, environmentId } = account;
  const address = `${world.place.baseUrl}/callbacks/twilio/sms`;
  const url = buildCallbackUrl(address, { trackingId, accountId, environmentId });
  const params = { MessageSid: String(sms_sent_messageId), MessageStatus: 'delivered', To: '+14155550199' };
  const twilio = buildTwilioCallback({ authToken: world.providers.twilio.authToken, url, params });
  expect((await world.request('POST', url.slice(world.place.baseUrl.length), twilio)).status).toBe(200);
  await account.logged(trackingId, 'sms_delivered_at');
  const event = buildTelnyxEvent(
    'message.received',
    buildTelnyxMessage({
      direction: 'inbound',
      from: { phone_number: '+14155550123' },
      to: [{ phone_number: '+15005550006', status: 'webhook_delivered' }],
      text: 'When?',
    }),
  );
  const headers = world.providers.telnyxSigner.signCallback(event, Math.floor(Date.now() / 1000));
  expect((await world.request('POST', '/callbacks/telnyx/sms', { body: event, headers })).status).toBe(200);
}

/** A subscription that Stripe reports with its signature makes the plan a paid one. */
export async function payment(world: World, account: Account): Promise<void> {
  const created = Math.floor(Date.now() / 1000);
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.subscription.created',
    created,
    data: { object: { id: 'sub_1', customer: world.stripe.lastCustomerId(), status: 'active' } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: STRIPE_WEBHOOK_SECRET,
    timestamp: created,
  });
  const headers = { 'stripe-signature': signature };
  expect((await world.request('POST', '/callbacks/stripe', { body: payload, headers })).status).toBe(200);
  expect((await account.ask('GET', '/account/organization')).json.organizationType).toBe('paid');
}

/** Both pages of a recipient show what they decide about; unsubscribing ends the emails of the type. */
export async function recipientPages(world: World): Promise<void> {
  const account = await openAccount(world, 'recipient-pages');
  const send = () =>
    account.send({
      type: 'newsletter',
      to: { id: 'ada', email: 'ada@example.com' },
      email: {
        subject: 'News',
        html: '<a href="{{ unsubscribe_url }}">1</a> <a href="{{ preferences_url }}">2</a>',
      },
    });
  const trackingId = await send();
  await account.logged(trackingId, 'email_sent_at');
  const email = world
    .emails()
    .find(({ EmailTags = [] }) => EmailTags.some(({ Value }) => Value === trackingId));
  const html: string = email?.Content.Simple.Body.Html.Data ?? '';
  const pathOf = (page: string) => new RegExp(`/${page}/[\\w.~-]+`).exec(html)?.[0] ?? '/none';
  for (const page of ['unsubscribe', 'preferences']) {
    const { status, text } = await world.request('GET', pathOf(page));
    expect([status, text]).toEqual([200, expect.stringContaining('newsletter')]);
  }
  expect((await world.request('POST', pathOf('unsubscribe'))).status).toBe(200);
  expect(await account.log(await send())).toMatchObject({
    email_routing: 'IGNORE',
    email_routing_reason: 'IGNORE_BY_PREFERENCES',
  });
}

const PASSWORD = 'Correct-horse-4711';

/** A person who was invited signs in at the user pool, accepts, and acts with their access token. */
export async function member(world: World): Promise<void> {
  const account = await openAccount(world, 'members');
  const email = 'grace@example.com';
  await account.ask('POST', '/members', { email, role: 'admin' });
  const cognito = new CognitoIdentityProviderClient(world.caller);
  const pool = { UserPoolId: world.place.userPoolId };
  await cognito.send(
    new AdminSetUserPasswordCommand({ ...pool, Username: email, Password: PASSWORD, Permanent: true }),
  );
  const { AuthenticationResult } = await cognito.send(
    new AdminInitiateAuthCommand({
      ...pool,
      ClientId: world.place.userPoolClientId,
      AuthFlow: AuthFlowType.ADMIN_USER_PASSWORD_AUTH,
      AuthParameters: { USERNAME: email, PASSWORD },
    }),
  );
  const key = AuthenticationResult?.AccessToken ?? '';
  const texts = world.emails().filter(({ Destination }) => Destination?.ToAddresses?.includes(email));
  const [, token = ''] = /Your invitation: ([\w.~-]+)/.exec(JSON.stringify(texts)) ?? [];
  const accepted = await world.request('POST', '/profile/accept_invite', { key, body: { token } });
  expect([accepted.status, accepted.text]).toEqual([200, expect.any(String)]);
  expect((await world.request('GET', '/members', { key })).json.members).toHaveLength(2);
}

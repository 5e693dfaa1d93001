import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTransport } from 'nodemailer';
import { afterAll, expect, it } from 'vitest';
import { startReceiver } from '../functions/workers/webhooks/receiver.ts';
import { NO_BROWSER } from '../support/browser.ts';
import { builtClient } from '../support/built-client.ts';
import { startLocalRun } from '../support/local-run.ts';
import { openPage, startBrowser } from '../support/test-browser.ts';
import { until } from '../support/until.ts';
import { useStarted } from '../support/use-started.ts';
import { Webhook } from '../support/webhook.ts';
import { ask, expectNothingDead, recordWith } from './ask.ts';

const receiver = useStarted(startReceiver);
const run = useStarted(() => startLocalRun({ settings: { EGRESS_ALLOW_HOSTS: receiver.host } }));
afterAll(async () => {
  await expectNothingDead(run);
});

const mail = (message: object) =>
  createTransport({ host: '127.0.0.1', port: run.smtpPort, secure: false, ignoreTLS: true }).sendMail(
    message,
  );
type Inbound = { trackingId: string };
/** Inbound emails, once there are that many: an email is accepted before it is in the logs. */
async function inbound(
  count: number,
  isCounted: (message: Inbound) => boolean = () => true,
): Promise<Inbound[]> {
  let found: Inbound[] = [];
  const isThere = async () => {
    const { messages } = await ask(run, '/logs?eventType=inbound');
    found = messages.filter(isCounted);
    return found.length >= count;
  };
  await until(isThere, `${count} inbound emails`);
  return found;
}
const sandboxMessages = async (query: string) => (await ask(run, `/_sandbox/messages?${query}`)).messages;

it('records email to a built-in address and sends it to the webhook with a valid signature', async () => {
  const events = ['EMAIL_INBOUND'];
  const { secret } = await ask(run, '/webhooks/events', { webhook: receiver.url, events }, 'PUT');
  const { address } = await ask(run, '/addresses', { prefix: 'shop' });
  const to = address.fullAddress;
  const attachments = [{ filename: 'note.txt', content: 'Hello' }];
  await mail({ from: 'Ada <ada@example.com>', to, subject: 'A question', text: 'When?', attachments });
  expect(await inbound(1)).toMatchObject([
    {
      inbox: to,
      subject: 'A question',
      resolutionType: 'builtin',
      attachments: [{ filename: 'note.txt', size: 5 }],
    },
  ]);
  await until(() => receiver.received.length > 0, 'the webhook');
  const { body = '', headers = {} } = receiver.received[0] ?? {};
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    eventType: 'EMAIL_INBOUND',
    from: 'ada@example.com',
    subject: 'A question',
  });
  // A call is recorded after its response.
  const callsOf = async () => (await ask(run, '/webhooks/calls?event=EMAIL_INBOUND')).calls;
  await expect.poll(callsOf).toHaveLength(1);
  const calls = await callsOf();
  await ask(run, `/webhooks/calls/${calls[0].callId}/resend`, {});
  await until(() => receiver.received.length > 1, 'the same call again');
  expect(receiver.received[1]?.body).toBe(body);
});

it('records a reply under the tracking ID of its email, even without its headers', async () => {
  const email = { subject: 'Your order', html: '<p>On its way</p>' };
  const { trackingId } = await ask(run, '/send', {
    type: 'order',
    to: { id: 'ada', email: 'ada@example.com' },
    email,
  });
  const { email_sent_message_id: messageId } = await recordWith(run, trackingId, ['email_sent_message_id']);
  const [{ message }] = await sandboxMessages(`trackingId=${trackingId}`);
  const [replyTo] = message.replyToAddresses;
  await mail({ from: 'ada@example.com', to: replyTo, subject: 'Re: Your order', text: 'Thanks' });
  const record = await recordWith(run, trackingId, ['email_inbound_at']);
  expect(record).toMatchObject({
    email_inbound_inbox: replyTo,
    email_inbound_body_text: expect.stringContaining('Thanks'),
    email_inbound_resolution_type: 'reply',
  });
  await mail({
    from: 'ada@example.com',
    to: message.from.address,
    inReplyTo: `<${messageId}>`,
    subject: 'Re: Your order',
    text: 'One more thing',
  });
  expect(await inbound(2, (each) => each.trackingId === trackingId)).toHaveLength(2);
});

it('fails the next text message with 21610 after STOP without a provider call, until START', async () => {
  const number = '+14155550177';
  const text = async () => {
    const { trackingId } = await ask(run, '/sms', { type: 'order', to: { number }, message: 'On its way' });
    return recordWith(run, trackingId, ['user_number']).then(() => trackingId);
  };
  const receive = (messageBody: string) =>
    ask(run, '/_sandbox/events/two-way-sms', {
      originationNumber: number,
      destinationNumber: '+15005550006',
      messageBody,
      inboundMessageId: messageBody,
    });
  const first = await text();
  await recordWith(run, first, ['sms_sent_at']);
  await receive('STOP');
  await recordWith(run, first, ['sms_unsubscribe_at', 'sms_replied_at']);
  const refused = await text();
  expect(await recordWith(run, refused, ['sms_failed_at'])).toMatchObject({ sms_failed_code: '21610' });
  expect(await sandboxMessages(`trackingId=${refused}`)).toEqual([]);
  await receive('START');
  await recordWith(run, first, ['sms_subscribe_at']);
  await recordWith(run, await text(), ['sms_sent_at']);
});

it('shows a new in-app notification on the page of the tutorial without reloading', async ({ skip }) => {
  const browser = await startBrowser();
  if (!browser) return skip(NO_BROWSER);
  const root = resolve(import.meta.dirname, '../..');
  const tutorial = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
  const example = /## 4\. [\s\S]*?```html\n([\s\S]*?)```/.exec(tutorial)?.[1] ?? '';
  const replaced = [
    ['http://localhost:3000', run.baseUrl],
    ['ws://localhost:3000', run.baseUrl.replace('http:', 'ws:')],
    ['nds_pk_…', run.publicKey],
    ['<environment id>', run.environmentId],
    ['client/dist/inbox.global.js', pathToFileURL(join(await builtClient(), 'inbox.global.js')).href],
  ] as const;
  for (const [name] of replaced) expect(example).toContain(name);
  const file = join(mkdtempSync(join(tmpdir(), 'page-')), 'inapp.html');
  writeFileSync(
    file,
    replaced.reduce((html, [name, value]) => html.replaceAll(name, value), example),
  );
  await ask(run, '/send', { type: 'comment', to: { id: 'grace' }, inapp: { title: 'There before' } });
  try {
    const page = await openPage(browser);
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await page.locator('.entry', { hasText: 'There before' }).waitFor();
    await page.evaluate('window.isStillTheSame = true');
    await ask(run, '/send', { type: 'comment', to: { id: 'grace' }, inapp: { title: 'Just now' } });
    await page.locator('.entry', { hasText: 'Just now' }).click();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    await page.getByRole('group', { name: 'comment' }).waitFor();
    expect(await page.evaluate('window.isStillTheSame')).toBe(true);
  } finally {
    await browser.close();
  }
});

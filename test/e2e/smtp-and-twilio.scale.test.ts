import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { APN_CONFIG } from '../support/fakes/apns.ts';
import { buildTelnyxEvent, buildTelnyxMessage } from '../support/fakes/telnyx.ts';
import { buildTwilioCallback } from '../support/fakes/twilio.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { useStarted } from '../support/use-started.ts';
import { ask, localUrlOf, recordOf, recordWith } from './ask.ts';
import {
  expectShared,
  expectSurvival,
  expectUnbroken,
  LINK,
  LINK_TAGS,
  type Reachable,
  reachable,
  SENDER,
  sendTo,
  sentFields,
} from './everywhere.ts';
import { OUR_NUMBER, PUBLIC_URL, startProviderWorld } from './provider-world.ts';

/** Milliseconds between the service clock and this machine's clock. */
const ahead = { ms: 0 };
const world = useStarted(() => startProviderWorld(() => Date.now() + ahead.ms));
const runs = {
  smtpAndTwilio: useStarted(() => startPrepared(world.smtpAndTwilio)),
  sesAndTelnyx: useStarted(() => startPrepared(world.sesAndTelnyx)),
};

async function startPrepared(settings: Record<string, string>): Promise<LocalRun> {
  const started = await startLocalRun({ settings: { ...settings, PUBLIC_BASE_URL: PUBLIC_URL } });
  const run = { ...started, baseUrl: started.localUrl };
  await prepare(run);
  return run;
}

/** Push settings and a verified sender domain. The service's clock goes ahead, and the fakes' with it. */
async function prepare(run: LocalRun): Promise<void> {
  await ask(run, '/settings/push/fcm', { fcmConfig: world.fcm.serviceAccount }, 'PUT');
  await ask(run, '/settings/push/apn', APN_CONFIG, 'PUT');
  await ask(run, '/domains', { sender: SENDER });
  const { now } = await ask(run, '/_sandbox/clock', { advance: 'PT1H' });
  ahead.ms = Math.max(ahead.ms, Date.parse(now) - Date.now());
}

/** Calls an address that a provider got: its public name leads to this machine. */
async function callBack(
  run: LocalRun,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<void> {
  const response = await fetch(localUrlOf(run, url), { method: 'POST', headers, body });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

const VISITOR = {
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
};

/** The recipient opens the mail, and follows its link: both are in the log. */
async function expectVisits(run: LocalRun, raw: Buffer | undefined, trackingId: string) {
  const { html = '', text } = await PostalMime.parse(raw ?? '');
  expect(text).toContain(LINK);
  expect(html).not.toContain('ses:tags');
  await openMail(localUrlOf(run, /<img src="([^"]+)"/.exec(html)?.[1] ?? ''));
  // Nobody follows a link at once.
  await ask(run, '/_sandbox/clock', { advance: 'PT3S' });
  const link = localUrlOf(run, /<a +href="([^"]+)"/.exec(html)?.[1] ?? '');
  const followed = await fetch(link, { ...VISITOR, redirect: 'manual' });
  expect([followed.status, followed.headers.get('location')]).toEqual([302, LINK]);
  const record = await recordOf(run, trackingId);
  expect(record).toMatchObject({
    email_opened_at: expect.any(String),
    email_opened_user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    email_opened_ip: expect.any(String),
    email_clicked_at: expect.any(String),
    email_clicked_link: LINK,
    email_clicked_link_tags: JSON.stringify(LINK_TAGS),
  });
  expect(record.email_preview).not.toContain('/track/');
}

async function openMail(pixel: string): Promise<void> {
  const shown = await fetch(pixel, VISITOR);
  const start = Buffer.from(await shown.arrayBuffer()).toString('latin1', 0, 6);
  expect([shown.status, shown.headers.get('content-type'), start]).toEqual([200, 'image/gif', 'GIF89a']);
}

type Verifier = {
  dkimVerify(
    raw: Buffer,
    options: { resolver(name: string): Promise<string[][]> },
  ): Promise<{ results: { signingDomain: string; status: { result: string } }[] }>;
};
/** One of the packages that `npm run test:all` installs. */
const verifier = (): Verifier =>
  createRequire(new URL('../compatibility/package.json', import.meta.url))('mailauth/lib/dkim/verify.js');

const mailsOf = (text: string) => world.smtp.emails.filter(({ raw }) => raw.includes(`Subject: ${text}`));
const twilioForms = (text: string) => world.twilio.forms().filter((form) => `${form}`.includes(text));

describe('with plain SMTP, Twilio, FCM, APNs, browsers and the chat provider', () => {
  it('delivers on all seven channels and records the signed callbacks', async () => {
    const run = runs.smtpAndTwilio;
    const user = await reachable(world, run);
    const trackingId = await sendTo(world, run, user, 'first-order');
    const record = await recordWith(run, trackingId, [
      ...sentFields,
      'email_delivered_at',
      'chat_delivered_at',
    ]);
    expect(record).toMatchObject({
      email_delivered_recipients: `${user.to.email},c@example.com`,
      sms_sent_from: OUR_NUMBER,
      sms_sent_encoding: 'GSM-7',
      sms_sent_segments: 1,
      sms_sent_country: 'US',
      call_sent_from: OUR_NUMBER,
      mobile_push_sent_token: user.fcmToken,
      web_push_sent_token: user.endpoint,
    });
    expectShared(world, user, 'first-order');
    await expectMail(user, 'first-order', trackingId);
    await expectVisits(run, mailsOf('first-order')[0]?.raw, trackingId);
    const [text, call] = ['Body', 'Twiml'].map((name) =>
      twilioForms('first-order').find((form) => form.has(name)),
    );
    expect(call?.get('Twiml')).toBe('<Response><Say>first-order &amp; &lt;more&gt;</Say></Response>');
    await twilioCallback(text, { MessageSid: 'SM1', MessageStatus: 'delivered', From: OUR_NUMBER });
    await twilioCallback(call, { CallSid: 'CA1', CallStatus: 'completed', CallDuration: '4' });
    const receipts = ['sms_delivered_at', 'call_delivered_at'];
    expect(await recordWith(run, trackingId, receipts)).toMatchObject({ call_delivered_code: 'COMPLETED' });
    await ask(run, '/_sandbox/clock', { advance: 'PT2M' });
    expect(await recordOf(run, trackingId)).toMatchObject({
      sms_sent_cost: 0.0075,
      call_delivered_cost: 0.0075,
    });
    const { notifications } = await ask(run, `/user/inapp?userId=${user.to.id}`);
    expect(notifications).toMatchObject([{ trackingId, title: 'first-order' }]);
  });

  it('loses nothing when every provider breaks the connection during a send', async () => {
    const run = runs.smtpAndTwilio;
    const user = await reachable(world, run);
    world.smtp.breakNext();
    world.twilio.breakOfEach();
    await expectUnbroken(world, run, user, 'second-order');
    expect(mailsOf('second-order')).toHaveLength(1);
  });

  it('loses nothing when every provider is killed during a send and restarted', async () => {
    const run = runs.smtpAndTwilio;
    const user = await reachable(world, run);
    const outages = [world.smtp.outage, world.twilio.outage];
    await expectSurvival(world, run, user, { text: 'fifth-order', outages });
    expect(mailsOf('fifth-order')).toHaveLength(1);
    expect(twilioForms('fifth-order')).toHaveLength(2);
  });

  async function expectMail(user: Reachable, text: string, trackingId: string): Promise<void> {
    const [mail] = mailsOf(text);
    expect(mail).toMatchObject({
      from: expect.stringMatching(new RegExp(`^b\\+${trackingId}-[0-9a-f]{24}@mail\\.localhost\\.test$`)),
      to: [user.to.email, 'c@example.com'],
    });
    const raw = mail?.raw ?? Buffer.alloc(0);
    const read = await PostalMime.parse(raw);
    expect(read).toMatchObject({
      from: { name: 'Shop', address: `shop@${SENDER}` },
      replyTo: [{ address: 'help@example.com' }],
      attachments: [{ filename: 'order.pdf', mimeType: 'application/pdf' }],
    });
    expect(read.text).toContain(text);
    expect(read.html).toContain('In short');
    // Whoever gets a copy could unsubscribe the recipient.
    expect(read.headers.filter(({ key }) => key.startsWith('list-unsubscribe'))).toEqual([]);
    const [domain] = await ask(runs.smtpAndTwilio, '/domains');
    const { dkim } = domain.verificationRecords;
    const resolver = async (name: string) => {
      if (name === dkim.host) return [[dkim.recordValue]];
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    const { results } = await verifier().dkimVerify(raw, { resolver });
    expect(results.map(({ signingDomain, status }) => [signingDomain, status.result])).toEqual([
      [SENDER, 'pass'],
    ]);
  }

  async function twilioCallback(form: URLSearchParams | undefined, params: Record<string, string>) {
    const url = form?.get('StatusCallback') ?? '';
    const request = buildTwilioCallback({ authToken: world.twilio.authToken, url, params });
    await callBack(runs.smtpAndTwilio, url, request);
  }
});

const sesMessages = (text: string) =>
  world.ses.messages.filter(({ message }) => message.Content?.Simple?.Subject?.Data === text);

describe('with SES and Telnyx', () => {
  it('delivers on all seven channels and records SES events and Telnyx callbacks', async () => {
    const run = runs.sesAndTelnyx;
    const user = await reachable(world, run);
    const trackingId = await sendTo(world, run, user, 'third-order');
    await recordWith(run, trackingId, sentFields);
    expectShared(world, user, 'third-order');
    const [mail] = sesMessages('third-order');
    expect(mail?.message).toMatchObject({
      FromEmailAddress: `"Shop" <shop@${SENDER}>`,
      Destination: { ToAddresses: [user.to.email], CcAddresses: ['c@example.com'] },
      ConfigurationSetName: 'events',
      Content: { Simple: { Attachments: [{ FileName: 'order.pdf' }] } },
    });
    await sesEvent(mail, 'Delivery', { delivery: { timestamp: isoNow(), recipients: [user.to.email] } });
    const visit = {
      timestamp: isoNow(),
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ipAddress: '198.51.100.7',
    };
    await sesEvent(mail, 'Open', { open: visit });
    const link = { link: 'https://shop.example.com/o/1', linkTags: { place: ['footer'] } };
    await sesEvent(mail, 'Click', { click: { ...visit, timestamp: isoNow(3000), ...link } });
    await telnyxCallbacks('third-order');
    const receipts = ['email_delivered_at', 'email_opened_at', 'email_clicked_at', 'sms_delivered_at'];
    const record = await recordWith(run, trackingId, [...receipts, 'call_delivered_at']);
    expect(record).toMatchObject({
      email_sent_message_id: mail?.messageId,
      email_delivered_recipients: user.to.email,
      email_opened_user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      email_clicked_link: link.link,
      email_clicked_link_tags: JSON.stringify(link.linkTags),
      sms_sent_carrier: 'Fake Wireless',
      sms_sent_cost: 0.0051,
      sms_carrier_fee_internal: 0.003,
      sms_delivered_cost_internal: 0.0051,
      call_delivered_code: 'BUSY',
    });
  });

  it('suppresses an address that bounced and does not send to it again', async () => {
    const run = runs.sesAndTelnyx;
    const to = { id: 'gone', email: 'gone@example.com' };
    const send = (subject: string) =>
      ask(run, '/send', {
        type: 'note',
        to,
        email: { subject, html: '<p>Hi</p>', senderEmail: `shop@${SENDER}` },
      });
    const { trackingId } = await send('bouncing');
    await recordWith(run, trackingId, ['email_sent_at']);
    const recipient = { emailAddress: to.email, diagnosticCode: 'smtp; 550 5.1.1 user unknown' };
    const bounce = { bounceType: 'Permanent', bounceSubType: 'NoEmail', bouncedRecipients: [recipient] };
    await sesEvent(sesMessages('bouncing')[0], 'Bounce', { bounce: { ...bounce, timestamp: isoNow() } });
    expect(await recordWith(run, trackingId, ['email_failed_at'])).toMatchObject({
      email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE',
      email_failed_recipient: to.email,
      email_failed_diagnostic_code: recipient.diagnosticCode,
    });
    const again = await send('suppressed');
    expect(await recordWith(run, again.trackingId, ['email_failed_at'])).toMatchObject({
      email_failed_code: 'SUPPRESSED_BOUNCE',
    });
    expect(sesMessages('suppressed')).toEqual([]);
  });

  it('loses nothing when every provider breaks the connection during a send', async () => {
    const run = runs.sesAndTelnyx;
    const user = await reachable(world, run);
    world.ses.fail('drop');
    world.telnyx.next('broken connection', 'broken connection');
    await expectUnbroken(world, run, user, 'fourth-order');
    expect(sesMessages('fourth-order')).toHaveLength(1);
  });

  it('loses nothing when every provider is killed during a send and restarted', async () => {
    const run = runs.sesAndTelnyx;
    const user = await reachable(world, run);
    const outages = [world.ses.outage, world.telnyx.outage];
    await expectSurvival(world, run, user, { text: 'sixth-order', outages });
    expect(sesMessages('sixth-order')).toHaveLength(1);
    const taken = world.telnyx.bodies().filter((body) => JSON.stringify(body).includes('sixth-order'));
    expect(taken).toHaveLength(2);
  });

  const isoNow = (afterMs = 0) => new Date(Date.now() + ahead.ms + afterMs).toISOString();

  /** An event as SNS brings it to the deployment's queue. */
  async function sesEvent(
    mail: (typeof world.ses.messages)[number] | undefined,
    eventType: string,
    part: object,
  ) {
    const { messageId = '', message } = mail ?? {};
    const tags = Object.fromEntries((message?.EmailTags ?? []).map(({ Name, Value }) => [Name, [Value]]));
    const event = {
      eventType,
      mail: { messageId, timestamp: isoNow(), destination: message?.Destination?.ToAddresses ?? [], tags },
      ...part,
    };
    const notification = { Type: 'Notification', MessageId: randomUUID(), Message: JSON.stringify(event) };
    await ask(runs.sesAndTelnyx, '/_sandbox/events/ses', notification);
  }

  async function telnyxCallbacks(text: string): Promise<void> {
    const bodies = world.telnyx.bodies();
    const message = bodies.find((body) => body.text === text);
    const call = bodies.find((body) => String(body.Texml).includes(text));
    const payload = buildTelnyxMessage({
      webhook_url: message?.webhook_url,
      to: [
        { phone_number: message?.to, status: 'delivered', carrier: 'Fake Wireless', line_type: 'Wireless' },
      ],
    });
    await signed(String(message?.webhook_url), buildTelnyxEvent('message.finalized', payload, isoNow()));
    const ended = new URLSearchParams({ CallSid: 'v3:1', CallStatus: 'busy', HangupCause: 'user_busy' });
    await signed(String(call?.StatusCallback), ended.toString());
  }

  async function signed(url: string, body: string): Promise<void> {
    const seconds = Math.floor((Date.now() + ahead.ms) / 1000);
    const headers = world.telnyxSigner.signCallback(body, seconds);
    await callBack(runs.sesAndTelnyx, url, { headers, body });
  }
});

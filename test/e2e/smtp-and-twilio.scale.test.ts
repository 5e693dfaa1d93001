import { createRequire } from 'node:module';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { buildTwilioCallback } from '../support/fakes/twilio.ts';
import { ask, recordOf, recordWith } from './ask.ts';
import {
  expectShared,
  expectSurvival,
  expectUnbroken,
  type Reachable,
  reachable,
  SENDER,
  sendTo,
  sentFields,
} from './everywhere.ts';
import { OUR_NUMBER } from './provider-world.ts';
import { callBack, runs, useProviders, world } from './providers-setup.ts';
import { expectVisits } from './visits.ts';

type Verifier = {
  dkimVerify(
    raw: Buffer,
    options: { resolver(name: string): Promise<string[][]> },
  ): Promise<{ results: { signingDomain: string; status: { result: string } }[] }>;
};
/** One of the packages that `npm run test:all` installs. */
const verifier = (): Verifier =>
  createRequire(new URL('../compatibility/package.json', import.meta.url))('mailauth/lib/dkim/verify.js');

useProviders();

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
    world.twilio.next('broken connection', 'broken connection');
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

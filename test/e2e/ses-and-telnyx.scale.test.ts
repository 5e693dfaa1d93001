import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildTelnyxEvent, buildTelnyxMessage } from '../support/fakes/telnyx.ts';
import { ask, recordWith } from './ask.ts';
import {
  expectShared,
  expectSurvival,
  expectUnbroken,
  reachable,
  SENDER,
  sendTo,
  sentFields,
} from './everywhere.ts';
import { ahead, callBack, runs, useProviders, world } from './providers-setup.ts';

useProviders();

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

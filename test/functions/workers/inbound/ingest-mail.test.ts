import { describe, expect, it } from 'vitest';
import { claimKey } from '../../../../shared/database/keys/key.ts';
import { everythingIn } from '../../../support/everything.ts';
import { useStarted } from '../../../support/use-started.ts';
import {
  app,
  attachmentsOf,
  listOf,
  logOf,
  MAIL_DOMAIN,
  mailOf,
  openInbox,
  receive,
  receiveTo,
  useInboundMail,
} from './mail-setup.ts';
import { ingest, receiptBody, storeMail } from './receipts.ts';

useInboundMail();
const inbox = useStarted(openInbox, 'test');

describe('email to an address of an account', () => {
  it('appears in the list with its record and has a separate log', async () => {
    await receive(
      mailOf({
        To: `Help <${inbox.inbox.toUpperCase()}>, bob@example.org`,
        Cc: 'carol@example.org',
        'Reply-To': 'answers@example.com',
        Subject: '=?UTF-8?B?R3LDvMOfZSDwn5iA?=',
        'Message-ID': '<m1@example.com>',
      }),
      inbox.inbox.toUpperCase(),
    );
    const [message, ...more] = await listOf(inbox);
    expect(more).toEqual([]);
    expect(message).toEqual({
      verdicts: { dkim: 'pass', spam: 'pass', spf: 'pass', virus: 'pass' },
      trackingId: expect.any(String),
      eventType: 'inbound',
      timestamp: new Date(app.clock.nowMs).toISOString(),
      epochMs: app.clock.nowMs,
      inbox: inbox.inbox,
      from: 'ada@example.com',
      fromName: 'Ada Lovelace',
      subject: 'Grüße 😀',
      to: [inbox.inbox.toUpperCase(), 'bob@example.org'],
      cc: ['carol@example.org'],
      bcc: [],
      replyTo: 'answers@example.com',
      bodyText: expect.stringContaining('Hello there'),
      strippedText: 'Hello there',
      attachments: [],
      messageId: '<m1@example.com>',
      resolutionType: 'builtin',
    });
    expect(await logOf(inbox, message.trackingId)).toMatchObject({
      trackingId: message.trackingId,
      accountId: inbox.account.account.accountId,
      envId: inbox.account.environment.environmentId,
      email_inbound_at: message.timestamp,
      email_inbound_from: 'ada@example.com',
      email_inbound_from_name: 'Ada Lovelace',
      email_inbound_inbox: inbox.inbox,
      email_inbound_cc: 'carol@example.org',
      email_inbound_subject: 'Grüße 😀',
      email_inbound_has_attachments: false,
      email_inbound_attachment_count: 0,
      email_inbound_resolution_type: 'builtin',
    });
  });

  it('leaves one record, however often and in however many copies it arrives', async () => {
    const raw = mailOf({ To: inbox.inbox });
    const body = receiptBody(storeMail(app, raw), [inbox.inbox]);
    await Promise.all([ingest(body), ingest(body), receive(raw, inbox.inbox)]);
    await ingest(body);
    expect(await listOf(inbox)).toHaveLength(1);
  });

  it('deletes the original once the logs have it, so that no copy outlives a deleted user', async () => {
    const messageId = storeMail(app, mailOf({ To: inbox.inbox }));
    await ingest(receiptBody(messageId, [inbox.inbox]));
    expect(await listOf(inbox)).toHaveLength(1);
    expect(app.blobs.has(`inbound/${messageId}`)).toBe(false);
  });

  it('reaches each recipient account and no other', async () => {
    const [one, two, other] = [await openInbox(), await openInbox(), await openInbox()];
    await receive(mailOf({ To: 'list@example.com' }), one.inbox, two.inbox, `nobody@${MAIL_DOMAIN}`);
    for (const inbox of [one, two]) expect((await listOf(inbox))[0]).toMatchObject({ inbox: inbox.inbox });
    expect(await listOf(other)).toEqual([]);
  });

  it('reaches the envelope recipients only, whatever the headers name', async () => {
    const [named, meant] = [await openInbox(), await openInbox()];
    const forged = {
      Received: `from mx.example.com by inbound-smtp.eu-west-1.amazonaws.com with SMTP id 1\r\n for ${named.inbox};\r\n Sat, 21 Nov 2026 08:30:00 +0000 (UTC)`,
      'Delivered-To': named.inbox,
      'X-Original-To': named.inbox,
      'Envelope-To': named.inbox,
      To: named.inbox,
      Cc: named.inbox,
      Bcc: named.inbox,
    };
    await receive(mailOf(forged), meant.inbox);
    expect(await listOf(named)).toEqual([]);
    expect(await listOf(meant)).toMatchObject([{ inbox: meant.inbox, to: [named.inbox] }]);
  });

  it('reaches an address with a tag', async () => {
    const tagged = inbox.inbox.replace('@', '+Orders@');
    await receiveTo(tagged);
    const named = { inbox: tagged.toLowerCase(), resolutionType: 'builtin' };
    expect(await listOf(inbox)).toMatchObject([named]);
  });

  it('reaches the last of 100 recipients', async () => {
    const others = Array.from({ length: 99 }, (_, index) => `person${index}@elsewhere.example`);
    await receive(mailOf({ To: [...others, inbox.inbox].join(',\r\n ') }), ...others, inbox.inbox);
    const found = await listOf(inbox);
    expect(found).toMatchObject([{ cut: ['addresses'] }]);
    expect(found[0].to).toHaveLength(50);
  });

  it('appears as inbound on a verified domain without that address', async () => {
    const domain = `${inbox.name}.example.org`;
    const { accountId } = inbox.account.account;
    await app.database.put({ ...claimKey('domain', domain), accountId });
    await receiveTo(`anything@${domain}`);
    const [message] = await listOf(inbox);
    expect(message).toMatchObject({ inbox: `anything@${domain}`, resolutionType: 'inbound' });
    expect(await logOf(inbox, message.trackingId)).not.toHaveProperty('email_inbound_resolution_type');
  });

  it('stores attachments in the blob store and their metadata in the record', async () => {
    const body = [
      '--b\r\nContent-Type: text/plain\r\n\r\nSee attached',
      '--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="../../etc/passwd"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=',
      '--b\r\nContent-Type: image/png\r\nContent-ID: <logo>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw==',
      '--b--',
    ].join('\r\n');
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b', 'MIME-Version': '1.0' };
    await receiveTo(inbox.inbox, headers, body);
    const [message] = await listOf(inbox);
    expect(message.attachments).toEqual([
      { index: 0, filename: 'passwd', contentType: 'application/pdf', size: 5 },
      { index: 1, filename: 'attachment-2', contentType: 'image/png', size: 4, contentId: '<logo>' },
    ]);
    const stored = await attachmentsOf(message.trackingId);
    expect(
      stored.map(([name, bytes]) => [name.split('/')[4], Buffer.from(bytes).toString('latin1')]),
    ).toEqual([
      ['1', '%PDF-'],
      ['2', '\u0089PNG'],
    ]);
    expect(await logOf(inbox, message.trackingId)).toMatchObject({
      email_inbound_has_attachments: true,
      email_inbound_attachment_count: 2,
    });
  });
});

describe('nothing', () => {
  it('leaves a record for unknown recipients, deleted email and events of other kinds', async () => {
    const records = async () => (await everythingIn(app)).match(/EVENT#email#inbound/g);
    await receiveTo(inbox.inbox);
    const before = await records();
    expect(before).not.toBeNull();
    await receiveTo('someone@elsewhere.example');
    await receive(mailOf({ To: 'help1@elsewhere.example' }));
    await ingest(receiptBody('gone', [`help1@${MAIL_DOMAIN}`]));
    await ingest('', '{}', '{"Message":"x"}', receiptBody('../keys', []), 'AMAZON_SES_SETUP_NOTIFICATION');
    expect(await records()).toEqual(before);
  });
});

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { inboundMessages } from '../../../../shared/database/entities/incoming/inbound-messages.ts';
import { claimKey } from '../../../../shared/database/keys/key.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { call } from '../../../support/app.ts';
import { partOf } from '../../../support/cases.ts';
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
import { ingest, receiptBody, receiveMail, storeMail } from './receipts.ts';

useInboundMail();
const inbox = useStarted(openInbox, 'test');

describe('hostile email', () => {
  const nested = (depth: number) => {
    let body = 'Content-Type: text/plain\r\n\r\ndeep\r\n';
    for (let level = 0; level < depth; level += 1) {
      body = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${body}\r\n--b${level}--\r\n`;
    }
    return body;
  };
  const cases: [string, (to: string) => string | Uint8Array][] = [
    [
      'of 1,000 nested parts',
      (to) => `From: a@b.example\r\nTo: ${to}\r\nMIME-Version: 1.0\r\n${nested(1000)}`,
    ],
    ['of 30 MB', (to) => mailOf({ To: to }, 'x'.repeat(30 * 1024 * 1024))],
    ['with an unknown charset', (to) => mailOf({ To: to, 'Content-Type': 'text/plain; charset=klingon-8' })],
    ['with headers of 1 MB', (to) => mailOf({ To: to, 'X-Long': 'y'.repeat(1024 * 1024) })],
    [
      'with a subject of lone surrogates and controls',
      (to) => mailOf({ To: to, Subject: '=?UTF-16?B?2ADYAA==?= \u0000\u0007' }),
    ],
    ['without any end of its headers', (to) => `From: a@b.example\r\nTo: ${to}\r\nSubject: x`],
    [
      'with an unterminated boundary and broken base64',
      (to) =>
        mailOf(
          { To: to, 'Content-Type': 'multipart/mixed; boundary=q' },
          '--q\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n!!!!=',
        ),
    ],
    [
      'of 5,000 attachments',
      (to) =>
        mailOf(
          { To: to, 'Content-Type': 'multipart/mixed; boundary=q' },
          `${'--q\r\nContent-Disposition: attachment; filename=a\r\n\r\nx\r\n'.repeat(5000)}--q--`,
        ),
    ],
    ['with a sender that is none', (to) => mailOf({ To: to, From: '<<>>@@' })],
    [
      'that names prototypes',
      (to) => mailOf({ To: to, __proto__x: 'x', constructor: 'x', Subject: '__proto__' }),
    ],
  ];
  it.each(partOf(cases))('stops no other email and leaves a record: %s', async (_, build) => {
    const [inbox, next] = [await openInbox(), await openInbox()];
    await ingest(
      receiptBody(storeMail(app, build(inbox.inbox)), [inbox.inbox]),
      receiptBody(storeMail(app, mailOf({ To: next.inbox })), [next.inbox]),
    );
    expect(await listOf(inbox)).toMatchObject([{ inbox: inbox.inbox, eventType: 'inbound' }]);
    expect(await listOf(next)).toHaveLength(1);
  });

  it('fits the response limit of a page when its records are large', async () => {
    const { accountId, defaultEnvironmentId: environmentId } = inbox.account.account;
    const owner = { accountId, environmentId, userId: '', notificationId: '' };
    for (let index = 0; index < 24; index += 1) {
      const epochMs = app.clock.nowMs + index;
      const common = { trackingId: randomUUID(), eventType: 'inbound', timestamp: '', epochMs };
      await resolve(inboundMessages).appendReply(
        { ...owner, expiresAtSeconds: Math.ceil(epochMs / 1000) + 60 },
        {
          record: { ...common, subject: String(index), bodyText: 'x'.repeat(300_000) },
          ...{ messageKey: randomUUID(), blobs: [], verdicts: {}, isAutomatic: false },
        },
      );
    }
    const pageOf = (query: Record<string, string>) =>
      call(listLogs, { key: inbox.account.secret.key, query });
    const first = await pageOf({});
    const second = await pageOf({ cursor: first.json.nextCursor });
    for (const { response } of [first, second]) expect(response.body.length).toBeLessThan(6 * 1024 * 1024);
    const listed = [...first.json.messages, ...second.json.messages];
    expect(listed.map((each: { subject: string }) => Number(each.subject))).toEqual(
      Array.from({ length: 24 }, (_, index) => 23 - index),
    );
    expect(second.json.nextCursor).toBeUndefined();
  });

  it('cannot start a new line with its encoded words', async () => {
    const words = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
    const hostile = words('Hello\r\nBcc: eve@example.com');
    await receiveTo(inbox.inbox, { Subject: hostile, From: `${hostile} <ada@example.com>` });
    const line = expect.stringMatching(/^Hello +Bcc: eve@example\.com$/);
    expect(await listOf(inbox)).toMatchObject([{ subject: line, fromName: line, from: 'ada@example.com' }]);
  });

  it('causes no error with any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        await receive(bytes, `help1@${MAIL_DOMAIN}`);
      }),
      { numRuns: 30 },
    );
  });

  it('gets dropped with a virus verdict, whether in the receipt or a header; a forged pass does not help', async () => {
    const failed = { virusVerdict: { status: 'FAIL' } };
    await receiveMail(app, mailOf({ To: inbox.inbox }), [inbox.inbox], failed);
    const forged = 'X-SES-Virus-Verdict: PASS\r\n';
    await receive(`${forged}${mailOf({ 'X-SES-Virus-Verdict': 'FAIL' })}`, inbox.inbox);
    expect(await listOf(inbox)).toEqual([]);
  });

  it('keeps a spam verdict in its record', async () => {
    const failed = { spamVerdict: { status: 'FAIL' } };
    await receiveMail(app, mailOf({ To: inbox.inbox }), [inbox.inbox], failed);
    const [message] = await listOf(inbox);
    const items = await app.database.queryAll(`LOG#${message.trackingId}`, 'EVENT#email#inbound');
    expect(items).toMatchObject([{ verdicts: { spam: 'fail', virus: 'pass' } }]);
  });
});

describe('an oversized email', () => {
  const multipart = { 'Content-Type': 'multipart/mixed; boundary=q' };
  const attachments = (count: number) =>
    `${'--q\r\nContent-Disposition: attachment; filename=a\r\n\r\nx\r\n'.repeat(count)}--q--`;

  it('stores each attachment once, however many recipients it has', async () => {
    const domain = `${inbox.name}.example.org`;
    await app.database.put({ ...claimKey('domain', domain), accountId: inbox.account.account.accountId });
    const before = [...app.blobs.keys()].filter((name) => name.startsWith('attachments/')).length;
    const recipients = ['a', 'b', 'c', 'd', 'e'].map((each) => `${each}@${domain}`);
    await receive(mailOf(multipart, attachments(3)), ...recipients);
    const messages = await listOf({ account: inbox.account });
    expect(messages).toHaveLength(5);
    const after = [...app.blobs.keys()].filter((name) => name.startsWith('attachments/')).length;
    // With the original.
    expect(after - before).toBe(4);
    for (const { trackingId } of messages) expect(await attachmentsOf(trackingId)).toHaveLength(3);
  });

  it('keeps the attachments of another email, however similar', async () => {
    const same = { ...multipart, 'Message-ID': '<same@example.com>' };
    await receiveTo(inbox.inbox, same, attachments(1));
    await receiveTo(inbox.inbox, same, attachments(1).replace('\r\nx\r\n', '\r\nother\r\n'));
    const [message, ...more] = await listOf(inbox);
    expect(more).toEqual([]);
    const [[, content] = ['', new Uint8Array()]] = await attachmentsOf(message.trackingId);
    expect(Buffer.from(content).toString()).toMatch(/^x/);
  });

  it.each<[string, string, Record<string, string>, string[]]>([
    ['250 attachments', attachments(250), multipart, ['attachments']],
    ['5,000 parts', attachments(5000), multipart, ['parts', 'attachments']],
    ['400,000 empty lines', '\n'.repeat(400_000), {}, ['lines', 'text']],
    ['a long text', 'x '.repeat(20_000), {}, ['text']],
  ])('reports what was omitted of %s', async (_, body, headers, cut) => {
    await receiveTo(inbox.inbox, headers, body);
    const [message] = await listOf(inbox);
    expect(message.cut).toEqual(cut);
    expect(await logOf(inbox, message.trackingId)).toMatchObject({
      email_inbound_internal: `omitted: ${cut.join(', ')}`,
    });
  });

  it('keeps an attachment of 10 MB complete', async () => {
    const content = Buffer.alloc(10 * 1024 * 1024, 'n');
    const base64 = content.toString('base64').replace(/.{76}/g, '$&\r\n');
    const part = `--q\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--q--`;
    await receiveTo(inbox.inbox, multipart, part);
    const [message] = await listOf(inbox);
    expect(message).not.toHaveProperty('cut');
    expect(message.attachments).toMatchObject([{ size: content.length }]);
  });

  it('loses the characters that a queue rejects', async () => {
    const words = `=?UTF-8?B?${Buffer.from('a\ufffeb\uffffc').toString('base64')}?=`;
    await receiveTo(inbox.inbox, { Subject: words, From: `${words} <ada@example.com>` }, 'x\ufffey\u0000z');
    expect(await listOf(inbox)).toMatchObject([
      {
        subject: 'a\ufffdb\ufffdc',
        fromName: 'a\ufffdb\ufffdc',
        bodyText: expect.stringMatching(/^x\ufffdy\ufffdz/),
      },
    ]);
  });
});

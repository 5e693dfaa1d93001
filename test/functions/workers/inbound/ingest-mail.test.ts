import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as createAddress } from '../../../../functions/addresses/create-address.ts';
import { handler as getLogs } from '../../../../functions/logs/get-logs.ts';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { replyAddressOf } from '../../../../shared/channels/email/message-id.ts';
import { inboundMessages } from '../../../../shared/database/entities/inbound-messages.ts';
import { logs } from '../../../../shared/database/entities/logs.ts';
import { messageIds } from '../../../../shared/database/entities/message-ids.ts';
import { claimKey } from '../../../../shared/database/keys.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../../shared/runtime/ids.ts';
import {
  call,
  createTestAccount,
  createTestApp,
  type TestAccount,
  type TestApp,
} from '../../../support/app.ts';
import { ingest, receiptBody, receiveMail, storeMail } from './receipts.ts';

const MAIL_DOMAIN = 'mail.example.net';
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  process.env.MAIL_DOMAIN = MAIL_DOMAIN;
});
afterAll(() => {
  delete process.env.MAIL_DOMAIN;
});

type Inbox = { account: TestAccount; inbox: string };
let count = 0;
async function openInbox(): Promise<Inbox> {
  const account = await createTestAccount(app);
  count += 1;
  const { status, json } = await call(createAddress, {
    key: account.secret.key,
    body: { prefix: `help${count}` },
  });
  expect(status).toBe(200);
  return { account, inbox: json.address.fullAddress };
}

const mailOf = (headers: Record<string, string | undefined>, body = 'Hello there') => {
  const all = {
    From: 'Ada Lovelace <ada@example.com>',
    Subject: 'A question',
    'Message-ID': `<${randomUUID()}@example.com>`,
    Date: 'Sat, 21 Nov 2026 08:29:00 +0000',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
};

const receive = (raw: string | Uint8Array, ...recipients: string[]) => receiveMail(app, raw, recipients);
const receiveTo = (to: string, headers: Record<string, string | undefined> = {}, body?: string) =>
  receive(mailOf({ To: to, ...headers }, body), to);

const listOf = async ({ account }: Pick<Inbox, 'account'>) =>
  (await call(listLogs, { key: account.secret.key, query: { limit: '100' } })).json.messages;
const logOf = async ({ account }: Pick<Inbox, 'account'>, trackingId: string) =>
  (await call(getLogs, { key: account.secret.key, path: { trackingIds: trackingId } })).json.logs[0];

async function notified({ account, environment }: TestAccount): Promise<string> {
  const trackingId = newTrackingId(app.clock.nowMs);
  await resolve(logs).accept(
    {
      trackingId,
      accountId: account.accountId,
      environmentId: environment.environmentId,
      userId: 'ada',
      notificationId: 'welcome',
      state: 'accepted',
      receivedAtMs: app.clock.nowMs,
      routing: { EMAIL: { routing: 'SEND' } },
      messages: [],
      request: {},
    },
    { feedShards: 1, expiresAtSeconds: app.clock.nowMs / 1000 + 86_400 },
  );
  return trackingId;
}

describe('mail to an address of an account', () => {
  it('is listed with its record and has a separate log', async () => {
    const inbox = await openInbox();
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

  it('is stored once however often and in whatever copies it comes', async () => {
    const inbox = await openInbox();
    const raw = mailOf({ To: inbox.inbox });
    const body = receiptBody(storeMail(app, raw), [inbox.inbox]);
    await Promise.all([ingest(body), ingest(body), receive(raw, inbox.inbox)]);
    await ingest(body);
    expect(await listOf(inbox)).toHaveLength(1);
  });

  it('reaches each account it was for, and no other', async () => {
    const [one, two, other] = [await openInbox(), await openInbox(), await openInbox()];
    await receive(mailOf({ To: 'list@example.com' }), one.inbox, two.inbox, `nobody@${MAIL_DOMAIN}`);
    for (const inbox of [one, two]) expect((await listOf(inbox))[0]).toMatchObject({ inbox: inbox.inbox });
    expect(await listOf(other)).toEqual([]);
  });

  it('goes to the recipients of its envelope only, whoever its headers name', async () => {
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

  it('is found with a tag behind its name', async () => {
    const inbox = await openInbox();
    const tagged = inbox.inbox.replace('@', '+Orders@');
    await receiveTo(tagged);
    const named = { inbox: tagged.toLowerCase(), resolutionType: 'builtin' };
    expect(await listOf(inbox)).toMatchObject([named]);
  });

  it('is found as the last of 100 recipients', async () => {
    const inbox = await openInbox();
    const others = Array.from({ length: 99 }, (_, index) => `person${index}@elsewhere.example`);
    await receive(mailOf({ To: [...others, inbox.inbox].join(',\r\n ') }), ...others, inbox.inbox);
    const found = await listOf(inbox);
    expect(found).toMatchObject([{ cut: ['addresses'] }]);
    expect(found[0].to).toHaveLength(50);
  });

  it('on a verified domain without that address is listed as inbound', async () => {
    const inbox = await openInbox();
    const domain = `d${count}.example.org`;
    const { accountId } = inbox.account.account;
    await app.database.put({ ...claimKey('domain', domain), accountId });
    await receiveTo(`anything@${domain}`);
    const [message] = await listOf(inbox);
    expect(message).toMatchObject({ inbox: `anything@${domain}`, resolutionType: 'inbound' });
    expect(await logOf(inbox, message.trackingId)).not.toHaveProperty('email_inbound_resolution_type');
  });

  it('keeps attachments in the blob store and their metadata in the record', async () => {
    const inbox = await openInbox();
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
      { filename: '../../etc/passwd', contentType: 'application/pdf', size: 5 },
      { filename: 'attachment-2', contentType: 'image/png', size: 4, contentId: '<logo>' },
    ]);
    const stored = await attachmentsOf(message.trackingId);
    expect(
      stored.map(([name, bytes]) => [name.split('/')[3], Buffer.from(bytes).toString('latin1')]),
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

async function attachmentsOf(trackingId: string): Promise<[string, Uint8Array][]> {
  const [event] = await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#email#inbound');
  const names = Array.isArray(event?.blobs) ? event.blobs : [];
  return names.map((name: string) => [name, app.blobs.get(name) ?? new Uint8Array()]);
}

describe('a reply', () => {
  const answered = async (inbox: Inbox, headers: Record<string, string>) => {
    await receiveTo(inbox.inbox, headers);
    const [message] = (await listOf(inbox)).filter(
      (each: { eventType: string }) => each.eventType === 'inbound',
    );
    return message;
  };

  it.each([
    ['In-Reply-To', (id: string) => ({ 'In-Reply-To': `<${id}@sender.example.com>` })],
    [
      'the right-most reference that is known',
      (id: string) => ({
        'In-Reply-To': '<unknown@example.com>',
        References: `<a@b> <${id}@sandbox.test>\r\n <${randomUUID()}@c>`,
      }),
    ],
    [
      'the first reference of a thread of 101 mails',
      (id: string) => ({
        References: [
          `<${id}@sandbox.test>`,
          ...Array.from({ length: 100 }, () => `<${randomUUID()}@c>`),
        ].join('\r\n '),
      }),
    ],
    [
      'the last of 101 references that nothing parts',
      (id: string) => ({
        References: `${Array.from({ length: 100 }, () => `<${randomUUID()}@c>`).join('\r\n ')}\r\n <a@b><${id}@c>`,
      }),
    ],
  ])('is found by %s', async (_, headersOf) => {
    const inbox = await openInbox();
    const trackingId = await notified(inbox.account);
    const message = await answered(inbox, headersOf(trackingId));
    expect(message).toMatchObject({ trackingId, resolutionType: 'reply', inbox: inbox.inbox });
    expect(await logOf(inbox, trackingId)).toMatchObject({
      type: 'welcome',
      user_id: 'ada',
      email_inbound_from: 'ada@example.com',
      email_inbound_resolution_type: 'reply',
    });
  });

  it('to a message that SES numbered is found by that number', async () => {
    const inbox = await openInbox();
    const trackingId = await notified(inbox.account);
    const number = `0102019${count}-5e7f-000000`;
    await resolve(messageIds).remember('ses', number, trackingId, app.clock.nowMs / 1000 + 60);
    const message = await answered(inbox, { 'In-Reply-To': `<${number}@eu-west-1.amazonses.com>` });
    expect(message).toMatchObject({ trackingId, resolutionType: 'reply' });
  });

  it('to the reply address or the sender of last resort needs no address of the account', async () => {
    const account = await createTestAccount(app);
    const trackingId = await notified(account);
    await receiveTo(replyAddressOf(trackingId, MAIL_DOMAIN));
    await receiveTo(`notifications@${MAIL_DOMAIN}`, { 'In-Reply-To': `<${trackingId}@${MAIL_DOMAIN}>` });
    const inbound = (await listOf({ account })).filter(
      (each: { eventType: string }) => each.eventType === 'inbound',
    );
    expect(inbound.map((each: { trackingId: string }) => each.trackingId)).toEqual([trackingId, trackingId]);
  });

  it("is no reply when the notification is another account's", async () => {
    const [inbox, stranger] = [await openInbox(), await createTestAccount(app)];
    const trackingId = await notified(stranger);
    const message = await answered(inbox, { 'In-Reply-To': `<${trackingId}@sender.example.com>` });
    expect(message.trackingId).not.toBe(trackingId);
    expect(message.resolutionType).toBe('builtin');
    expect(await logOf({ account: stranger }, trackingId)).not.toHaveProperty('email_inbound_at');
  });

  it('that comes twice leaves the log at the first', async () => {
    const inbox = await openInbox();
    const trackingId = await notified(inbox.account);
    const raw = mailOf({ To: inbox.inbox, 'In-Reply-To': `<${trackingId}@x.example>` });
    await receive(raw, inbox.inbox);
    app.clock.nowMs += 60_000;
    await receive(raw, inbox.inbox);
    const { email_inbound_at } = await logOf(inbox, trackingId);
    expect(Date.parse(email_inbound_at)).toBe(app.clock.nowMs - 60_000);
  });
});

describe('hostile mail', () => {
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
    [
      'with a charset nobody knows',
      (to) => mailOf({ To: to, 'Content-Type': 'text/plain; charset=klingon-8' }),
    ],
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
  it.each(cases)(
    '%s is recorded and stops nobody else',
    async (_, build) => {
      const [inbox, next] = [await openInbox(), await openInbox()];
      await ingest(
        receiptBody(storeMail(app, build(inbox.inbox)), [inbox.inbox]),
        receiptBody(storeMail(app, mailOf({ To: next.inbox })), [next.inbox]),
      );
      expect(await listOf(inbox)).toMatchObject([{ inbox: inbox.inbox, eventType: 'inbound' }]);
      expect(await listOf(next)).toHaveLength(1);
    },
    20_000,
  );

  it('of large records is listed on pages that a function can return', async () => {
    const inbox = await openInbox();
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
    for (const { answer } of [first, second]) expect(answer.body.length).toBeLessThan(6 * 1024 * 1024);
    const listed = [...first.json.messages, ...second.json.messages];
    expect(listed.map((each: { subject: string }) => Number(each.subject))).toEqual(
      Array.from({ length: 24 }, (_, index) => 23 - index),
    );
    expect(second.json.nextCursor).toBeUndefined();
  });

  it('cannot break out of a line by what its encoded words hold', async () => {
    const inbox = await openInbox();
    const words = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
    const hostile = words('Hello\r\nBcc: eve@example.com');
    await receiveTo(inbox.inbox, { Subject: hostile, From: `${hostile} <ada@example.com>` });
    const line = expect.stringMatching(/^Hello +Bcc: eve@example\.com$/);
    expect(await listOf(inbox)).toMatchObject([{ subject: line, fromName: line, from: 'ada@example.com' }]);
  });

  it('of any bytes is no error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        await receive(bytes, `help1@${MAIL_DOMAIN}`);
      }),
      { numRuns: 30 },
    );
  });

  it('with a virus verdict is dropped, by receipt or header; a forged pass does not help', async () => {
    const inbox = await openInbox();
    const failed = { virusVerdict: { status: 'FAIL' } };
    await receiveMail(app, mailOf({ To: inbox.inbox }), [inbox.inbox], failed);
    const forged = 'X-SES-Virus-Verdict: PASS\r\n';
    await receive(`${forged}${mailOf({ 'X-SES-Virus-Verdict': 'FAIL' })}`, inbox.inbox);
    expect(await listOf(inbox)).toEqual([]);
  });

  it('with a spam verdict is recorded, together with the verdict', async () => {
    const inbox = await openInbox();
    const failed = { spamVerdict: { status: 'FAIL' } };
    await receiveMail(app, mailOf({ To: inbox.inbox }), [inbox.inbox], failed);
    const [message] = await listOf(inbox);
    const items = await app.database.queryAll(`LOG#${message.trackingId}`, 'EVENT#email#inbound');
    expect(items).toMatchObject([{ verdicts: { spam: 'fail', virus: 'pass' } }]);
  });
});

describe('an automatic reply', () => {
  it('is recorded and never replied to', async () => {
    const inbox = await openInbox();
    await receiveTo(inbox.inbox, { 'Auto-Submitted': 'auto-replied', From: inbox.inbox });
    expect(await listOf(inbox)).toHaveLength(1);
    expect([...app.sent.keys()]).toEqual([]);
  });
});

describe('an email that is too much', () => {
  const multipart = { 'Content-Type': 'multipart/mixed; boundary=q' };
  const attachments = (count: number) =>
    `${'--q\r\nContent-Disposition: attachment; filename=a\r\n\r\nx\r\n'.repeat(count)}--q--`;

  it('stores each attachment once, however many recipients it has', async () => {
    const { account } = await openInbox();
    const domain = `m${count}.example.org`;
    await app.database.put({ ...claimKey('domain', domain), accountId: account.account.accountId });
    const before = [...app.blobs.keys()].filter((name) => name.startsWith('attachments/')).length;
    const recipients = ['a', 'b', 'c', 'd', 'e'].map((each) => `${each}@${domain}`);
    await receive(mailOf(multipart, attachments(3)), ...recipients);
    const messages = await listOf({ account });
    expect(messages).toHaveLength(5);
    const after = [...app.blobs.keys()].filter((name) => name.startsWith('attachments/')).length;
    expect(after - before).toBe(3);
    for (const { trackingId } of messages) expect(await attachmentsOf(trackingId)).toHaveLength(3);
  });

  it("leaves another email's attachments alone, however much alike they are", async () => {
    const inbox = await openInbox();
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
  ])('says what was omitted of %s', async (_, body, headers, cut) => {
    const inbox = await openInbox();
    await receiveTo(inbox.inbox, headers, body);
    const [message] = await listOf(inbox);
    expect(message.cut).toEqual(cut);
    expect(await logOf(inbox, message.trackingId)).toMatchObject({
      email_inbound_internal: `omitted: ${cut.join(', ')}`,
    });
  });

  it('keeps an attachment of 10 MB whole', async () => {
    const inbox = await openInbox();
    const content = Buffer.alloc(10 * 1024 * 1024, 'n');
    const base64 = content.toString('base64').replace(/.{76}/g, '$&\r\n');
    const part = `--q\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--q--`;
    await receiveTo(inbox.inbox, multipart, part);
    const [message] = await listOf(inbox);
    expect(message).not.toHaveProperty('cut');
    expect(message.attachments).toMatchObject([{ size: content.length }]);
  }, 20_000);

  it('is recorded without the characters that a queue rejects', async () => {
    const inbox = await openInbox();
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

describe('no record', () => {
  it('is made of mail for nobody, mail that is gone, and events of other kinds', async () => {
    await receiveTo('someone@elsewhere.example');
    await receive(mailOf({ To: 'help1@elsewhere.example' }));
    await ingest(receiptBody('gone', [`help1@${MAIL_DOMAIN}`]));
    await ingest('', '{}', '{"Message":"x"}', receiptBody('../keys', []), 'AMAZON_SES_SETUP_NOTIFICATION');
  });
});

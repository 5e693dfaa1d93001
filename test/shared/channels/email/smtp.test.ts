import { generateKeyPairSync } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { createSmtpProvider, type SmtpOptions } from '../../../../shared/channels/email/smtp/smtp.ts';
import { emailDelivery } from './deliveries.ts';
import { noRequests, startFiles } from './guarded.ts';
import { startSmtp } from './smtp-server.ts';

function provider(url: string, overrides: Partial<SmtpOptions> = {}) {
  return createSmtpProvider({ url, guarded: noRequests, ...overrides });
}

describe('the SMTP provider', () => {
  it('uses the return path and every recipient in the envelope', async () => {
    const server = await startSmtp();
    const returnPath = 'b+1@mail.example';
    const copies = { ccAddresses: ['c@example.com'], bccAddresses: ['b@example.com'] };
    await provider(server.url).deliver(emailDelivery({ returnPath, ...copies }));
    const to = ['ada@example.com', 'c@example.com', 'b@example.com'];
    expect(server.emails).toMatchObject([{ from: returnPath, to }]);
    const { from, headers } = await PostalMime.parse(server.emails[0]?.raw ?? '');
    expect(from?.address).toBe('shop@sender.example');
    expect(headers.map(({ key }) => key)).not.toContain('bcc');
  });

  it.each([
    ['a word of 1,000 characters', 'x'.repeat(1000)],
    ['text that looks like an encoded word', 'How to write =?utf-8?Q?x?='],
    ['both, outside of ASCII', `${'ä'.repeat(600)} =?utf-8?Q?x?=`],
  ])('has a subject of %s, in lines that every server takes', async (_, subject) => {
    const server = await startSmtp();
    await provider(server.url).deliver(emailDelivery({ subject, html: 'a\rb\r\nc', text: 'a\rb' }));
    const raw = server.emails[0]?.raw.toString('latin1') ?? '';
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(200);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect((await PostalMime.parse(raw)).subject).toBe(subject);
  });

  it.each([
    [false, { kind: 'sent' }],
    [true, { kind: 'rejected', internal: 'the mail server accepts only ASCII before the @ of a recipient' }],
  ])(
    'sends to an address outside of ASCII unless the server lacks SMTPUTF8: %s',
    async (hideSMTPUTF8, outcome) => {
      const server = await startSmtp({}, { hideSMTPUTF8 });
      const delivery = emailDelivery({ to: 'jörg@example.com' });
      expect(await provider(server.url).deliver(delivery)).toMatchObject(outcome);
      expect(server.emails).toHaveLength(hideSMTPUTF8 ? 0 : 1);
      await provider(server.url).deliver(emailDelivery());
      expect(server.emails).toHaveLength(hideSMTPUTF8 ? 1 : 2);
    },
  );

  it.each([
    ['Subject: Grüße\r\n\r\nHallo', 'application/octet-stream'],
    ['Subject: Hi\r\n\r\nHello', 'message/rfc822'],
    ['Subject: Hi\r\n\r\nHe\rllo', 'application/octet-stream'],
    [`Subject: Hi\r\n\r\n${'x'.repeat(1000)}`, 'application/octet-stream'],
  ])('attaches the message %j in seven bits, with lines that every server takes', async (body, type) => {
    const server = await startSmtp();
    const headers = { 'content-type': 'message/rfc822' };
    const { url, guarded } = await startFiles(() => ({ status: 200, body, headers }));
    const attachments = [{ filename: 'a.eml', url }];
    await provider(server.url, { guarded }).deliver(emailDelivery({ attachments }));
    const raw = server.emails[0]?.raw ?? Buffer.alloc(0);
    expect(raw.some((byte) => byte > 127)).toBe(false);
    expect(raw.toString()).toMatch(new RegExp(`Content-Type: ${type}`));
  });

  it('writes names that look like encoded words as text', async () => {
    const server = await startSmtp();
    const name = 'Shop =?utf-8?Q?x?=';
    const from = { address: 'shop@sender.example', name };
    const ccAddresses = [`"${name}" <c@example.com>`];
    await provider(server.url).deliver(emailDelivery({ from, ccAddresses }));
    const mail = await PostalMime.parse(server.emails[0]?.raw ?? '');
    for (const box of [mail.from, ...(mail.cc ?? [])]) expect(box?.name.trim()).toBe(name);
  });

  it('shows inline images in the text, and an invitation as an alternative to it', async () => {
    const server = await startSmtp();
    const ics = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:a\rEND:VCALENDAR\r\n';
    const { url, guarded } = await startFiles((request) =>
      request.path.endsWith('ics')
        ? { status: 200, body: ics, headers: { 'content-type': 'text/calendar' } }
        : { status: 200, body: 'PNG', headers: { 'content-type': 'image/png' } },
    );
    const attachments = [
      { filename: 'logo.png', url: `${url}/logo`, contentId: 'logo' },
      { filename: 'invite.ics', url: `${url}/a.ics` },
    ];
    const html = '<img src="cid:logo">';
    await provider(server.url, { guarded }).deliver(emailDelivery({ attachments, html }));
    const raw = server.emails[0]?.raw.toString() ?? '';
    expect(raw).toMatch(/Content-Type: text\/calendar;[^\n]*method=REQUEST/);
    // What is signed is what is sent.
    expect(raw).toContain('SUMMARY:a\r\nEND:VCALENDAR');
    const mail = await PostalMime.parse(raw);
    const image = mail.attachments.find(({ mimeType }) => mimeType === 'image/png');
    expect(image).toMatchObject({ contentId: '<logo>', disposition: 'inline', related: true });
  });

  it('sends the complete message, and counts it as delivered to the accepted recipients', async () => {
    const server = await startSmtp();
    const { url, guarded } = await startFiles(() => ({
      status: 200,
      body: '%PDF',
      headers: { 'content-type': '' },
    }));
    const outcome = await provider(server.url, { guarded }).deliver(
      emailDelivery({
        subject: 'Grüße\r\nBcc: eve@evil.example',
        from: { address: 'shop@sender.example', name: 'Bücher, Inc.' },
        ccAddresses: ['c@example.com'],
        bccAddresses: ['b@example.com'],
        replyToAddresses: ['help@sender.example'],
        attachments: [{ filename: 'Rechnung März.pdf', url }],
        headers: [
          { name: 'List-Unsubscribe', value: '<https://a.example/u/1>' },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ],
      }),
    );
    expect(outcome).toEqual({
      kind: 'sent',
      fields: { email_sent_message_id: '019ac0de-7000-7000-8000-00000000cafe@sender.example' },
      delivered: { email_delivered_recipients: 'ada@example.com,c@example.com,b@example.com' },
    });
    const [mail] = server.emails;
    expect(mail).toMatchObject({
      from: 'shop@sender.example',
      to: ['ada@example.com', 'c@example.com', 'b@example.com'],
    });
    const parsed = await PostalMime.parse(mail?.raw ?? '');
    expect(parsed).toMatchObject({
      from: { name: 'Bücher, Inc.', address: 'shop@sender.example' },
      to: [{ address: 'ada@example.com' }],
      cc: [{ address: 'c@example.com' }],
      replyTo: [{ address: 'help@sender.example' }],
      subject: 'Grüße Bcc: eve@evil.example',
      messageId: '<019ac0de-7000-7000-8000-00000000cafe@sender.example>',
      html: expect.stringContaining('<p>It is on its way</p>'),
      text: expect.stringContaining('It is on its way'),
      attachments: [
        { filename: 'Rechnung März.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
      ],
    });
    expect(parsed.bcc ?? []).toEqual([]);
    expect(parsed.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe(
      'List-Unsubscribe=One-Click',
    );
  });

  it('never sends a message unsigned that should be signed', async () => {
    const server = await startSmtp();
    const { privateKey } = generateKeyPairSync('ed25519');
    const unusable = ['not a key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()];
    for (const privateKeyPem of unusable) {
      const dkim = { domain: 'sender.example', selector: 's', privateKeyPem };
      expect(await provider(server.url).deliver(emailDelivery({ dkim }))).toMatchObject({
        kind: 'rejected',
        code: 'UNDETERMINED_BOUNCE',
      });
    }
    expect(server.emails).toEqual([]);
  });

  it('signs the headers that mailbox providers believe only when they are signed', async () => {
    const server = await startSmtp();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const dkim = { domain: 'sender.example', selector: 's', privateKeyPem };
    const names = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'Feedback-ID'];
    const headers = names.map((name) => ({ name, value: 'x' }));
    await provider(server.url).deliver(emailDelivery({ dkim, headers }));
    const signature = /^DKIM-Signature:(?:.*\r\n[ \t])*.*/im.exec(
      server.emails[0]?.raw.toString() ?? '',
    )?.[0];
    const signed = /\bh=([^;]*)/
      .exec(signature ?? '')?.[1]
      ?.replace(/\s/g, '')
      .split(':');
    expect(signed).toEqual(expect.arrayContaining(names.map((name) => name.toLowerCase())));
  });

  it('keeps the Message-ID across retries', async () => {
    const server = await startSmtp();
    for (const attempt of [1, 2]) await provider(server.url).deliver(emailDelivery({ attempt }));
    const ids = await Promise.all(
      server.emails.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
  });

  it('logs in over TLS', async () => {
    const server = await startSmtp(
      {},
      {
        authOptional: false,
        onAuth: ({ username, password }, _session, callback) =>
          password === 'p@ss'
            ? callback(null, { user: username ?? '' })
            : callback(new Error('Wrong password')),
      },
    );
    const url = (password: string) =>
      `smtp://us%40er:${encodeURIComponent(password)}@localhost:${server.port}`;
    expect((await provider(url('p@ss')).deliver(emailDelivery())).kind).toBe('sent');
    expect(server.emails).toMatchObject([{ user: 'us@er', secure: true }]);
    const outcome = await provider(url('wrong')).deliver(emailDelivery());
    expect(outcome).toMatchObject({ kind: 'retry', code: 'UNDETERMINED_BOUNCE' });
    expect(JSON.stringify(outcome)).not.toContain('wrong');
  });

  it('rejects an invalid delivery without a connection', async () => {
    const server = await startSmtp();
    const { url, guarded } = await startFiles(() => ({ status: 404 }));
    const smtp = provider(server.url, { guarded });
    const codes: unknown[] = [];
    for (const overrides of [{ to: '' }, { subject: '' }, { html: ' ' }, { to: 'nobody' }]) {
      codes.push(await smtp.deliver(emailDelivery(overrides)));
    }
    codes.push(await smtp.deliver(emailDelivery({ attachments: [{ filename: 'a.txt', url }] })));
    expect(codes).toMatchObject([
      { kind: 'rejected', code: 'MISSING_EMAIL_RECIPIENT' },
      { kind: 'rejected', code: 'MISSING_EMAIL_SUBJECT' },
      { kind: 'rejected', code: 'MISSING_EMAIL_HTML' },
      { kind: 'rejected', code: 'PERMANENT_NO_EMAIL_BOUNCE' },
      { kind: 'rejected', code: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE' },
    ]);
    expect(server.emails).toEqual([]);
  });
});

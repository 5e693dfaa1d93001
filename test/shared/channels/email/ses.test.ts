import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { emailDelivery } from './deliveries.ts';
import { startFiles } from './guarded.ts';
import { provider, ses, useSes } from './ses-setup.ts';

useSes();

function lastMessage() {
  const last = ses.messages.at(-1);
  if (!last) throw new Error('SES got no message');
  return last;
}

describe('the SES provider', () => {
  it('sends html and text as UTF-8 and returns the message ID', async () => {
    const outcome = await provider().deliver(emailDelivery());
    const { messageId, message } = lastMessage();
    expect(outcome).toEqual({ kind: 'sent', fields: { email_sent_message_id: messageId } });
    expect(message).toEqual({
      FromEmailAddress: '"The Shop" <shop@sender.example>',
      Destination: { ToAddresses: ['ada@example.com'], CcAddresses: [], BccAddresses: [] },
      ReplyToAddresses: [],
      EmailTags: [
        { Name: 'trackingId', Value: '019ac0de-7000-7000-8000-00000000cafe' },
        { Name: 'accountId', Value: 'acct0000000000A1' },
        { Name: 'envId', Value: 'env00000000000B2' },
        { Name: 'ses:feedback-id-a', Value: emailDelivery().notificationId },
        { Name: 'ses:feedback-id-b', Value: 'acct0000000000A1' },
      ],
      Content: {
        Simple: {
          Subject: { Data: 'Your order', Charset: 'UTF-8' },
          Body: {
            Html: { Data: '<p>It is on its way</p>', Charset: 'UTF-8' },
            Text: { Data: 'It is on its way', Charset: 'UTF-8' },
          },
        },
      },
    });
  });

  it('omits List-Unsubscribe-Post together with a List-Unsubscribe that SES rejects', async () => {
    const post = { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' };
    const headers = [{ name: 'List-Unsubscribe', value: `<https://a.example/${'x'.repeat(870)}>` }, post];
    await provider().deliver(emailDelivery({ headers: [...headers, { name: 'X-Kept', value: 'yes' }] }));
    expect(lastMessage().message.Content?.Simple?.Headers).toEqual([{ Name: 'X-Kept', Value: 'yes' }]);
  });

  it.each([
    [{ to: 'jörg@example.com' }, 'PERMANENT_NO_EMAIL_BOUNCE'],
    [{ ccAddresses: ['ok@example.com', 'jörg@example.com'] }, 'PERMANENT_NO_EMAIL_BOUNCE'],
    [{ bccAddresses: ['用户@example.com'] }, 'PERMANENT_NO_EMAIL_BOUNCE'],
    [{ replyToAddresses: ['jörg@example.com'] }, 'UNDETERMINED_BOUNCE'],
  ])('rejects an address that SES would reject with the whole message: %j', async (change, code) => {
    const before = ses.messages.length;
    expect(await provider().deliver(emailDelivery(change))).toMatchObject({ kind: 'rejected', code });
    expect(ses.messages).toHaveLength(before);
  });

  it('sends every other field of the delivery', async () => {
    const { url, guarded } = await startFiles(() => ({ status: 200, body: 'PDF' }));
    const outcome = await provider({ guarded, configurationSetName: 'events' }).deliver(
      emailDelivery({
        to: 'ada@bücher.example',
        from: { address: 'shop@sender.example', name: 'Bücher' },
        subject: 'Grüße\r\nX: y',
        text: '',
        replyToAddresses: ['help@sender.example'],
        ccAddresses: ['c@example.com'],
        bccAddresses: ['b@example.com'],
        attachments: [{ filename: 'bill.pdf', url: `${url}/bill` }],
        headers: [
          { name: 'List-Unsubscribe', value: '<https://a.example/u/1>' },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ],
      }),
    );
    expect(outcome.kind).toBe('sent');
    const { message } = lastMessage();
    expect(message).toMatchObject({
      FromEmailAddress: '=?UTF-8?B?QsO8Y2hlcg==?= <shop@sender.example>',
      Destination: {
        ToAddresses: ['ada@xn--bcher-kva.example'],
        CcAddresses: ['c@example.com'],
        BccAddresses: ['b@example.com'],
      },
      ReplyToAddresses: ['help@sender.example'],
      ConfigurationSetName: 'events',
    });
    expect(message.Content?.Simple).toMatchObject({
      Subject: { Data: 'Grüße X: y' },
      Headers: [
        { Name: 'List-Unsubscribe', Value: '<https://a.example/u/1>' },
        { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
      ],
      Attachments: [
        {
          FileName: 'bill.pdf',
          RawContent: Buffer.from('PDF').toString('base64'),
          ContentType: 'text/plain',
          ContentDisposition: 'ATTACHMENT',
          ContentTransferEncoding: 'BASE64',
        },
      ],
    });
    expect(message.Content?.Simple?.Body).not.toHaveProperty('Text');
  });

  it('has inline images, and sends an invitation as an alternative to the text', async () => {
    const body = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n';
    const { url, guarded } = await startFiles(() => ({ status: 200, body, headers: { 'content-type': '' } }));
    const logo = { filename: 'logo.png', url, contentId: 'logo' };
    await provider({ guarded }).deliver(emailDelivery({ attachments: [logo] }));
    expect(lastMessage().message.Content?.Simple).toMatchObject({
      Attachments: [{ ContentDisposition: 'INLINE', ContentId: 'logo' }],
    });
    const delivery = emailDelivery({
      attachments: [{ filename: 'a.ics', url }],
      bccAddresses: ['b@example.com'],
    });
    await provider({ guarded }).deliver(delivery);
    const data = lastMessage().message.Content?.Raw?.Data;
    const raw = Buffer.from(String(data), 'base64').toString();
    expect(raw).toMatch(/Content-Type: text\/calendar;[^\n]*method=CANCEL/);
    expect(raw).not.toContain('b@example.com');
  });

  it.each([
    [{ opens: true, clicks: false }, 'tracked'],
    [{ opens: false, clicks: true }, 'events'],
    [undefined, 'events'],
  ])('with tracking %j names the set %s', async (tracking, name) => {
    const over = { configurationSetName: 'events', trackedSetName: 'tracked' };
    await provider(over).deliver(emailDelivery({ ...(tracking && { tracking }) }));
    expect(lastMessage().message.ConfigurationSetName).toBe(name);
  });

  it('writes tags with the characters that SES accepts', async () => {
    await provider().deliver(emailDelivery({ accountId: 'a b/ü', environmentId: '' }));
    expect(
      lastMessage()
        .message.EmailTags?.map(({ Value }) => Value)
        .slice(0, 3),
    ).toEqual(['019ac0de-7000-7000-8000-00000000cafe', 'a_b__', '_']);
  });

  const namedHeaders = (length: number) =>
    Array.from({ length }, (_, index) => ({ name: `X-N-${index}`, value: 'v' }));

  it('omits headers that SES would reject', async () => {
    const many = namedHeaders(15);
    const headers = [{ name: 'Bad Name', value: 'v' }, { name: 'X-Empty', value: '' }, ...many];
    expect((await provider().deliver(emailDelivery({ headers }))).kind).toBe('sent');
    expect(lastMessage().message.Content?.Simple?.Headers?.map(({ Name }) => Name)).toEqual(
      many.map(({ name }) => name),
    );
  });

  it('composes a message itself that has more headers than SES takes, or a message as an attachment', async () => {
    const headers = [{ name: 'X-Empty', value: '' }, ...namedHeaders(17)];
    const copies = { ccAddresses: ['Zo\u00eb <c@example.com>'], bccAddresses: ['b@example.com'] };
    await provider().deliver(emailDelivery({ headers, ...copies }));
    const rawOf = () => Buffer.from(lastMessage().message.Content?.Raw?.Data ?? '', 'base64');
    const mail = await PostalMime.parse(rawOf());
    expect(mail.headers.filter(({ key }) => key.startsWith('x-n-'))).toHaveLength(17);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(lastMessage().message.Destination?.BccAddresses).toEqual(copies.bccAddresses);
    const body = 'Subject: Hi\r\n\r\nHello';
    const { url, guarded } = await startFiles(() => ({
      status: 200,
      body,
      headers: { 'content-type': 'message/rfc822' },
    }));
    await provider({ guarded }).deliver(emailDelivery({ attachments: [{ filename: 'a.eml', url }] }));
    // RFC 2046 5.2.1: a message in a message is never in base64.
    expect(rawOf().toString()).toMatch(
      /Content-Type: message\/rfc822[\s\S]*\r\n\r\nSubject: Hi\r\n\r\nHello/,
    );
  });

  it('keeps the end of an over-long References header', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `<message-${index}@mail.example.com>`);
    await provider().deliver(emailDelivery({ headers: [{ name: 'References', value: ids.join(' ') }] }));
    const [header] = lastMessage().message.Content?.Simple?.Headers ?? [];
    expect(header?.Value.length).toBeLessThanOrEqual(870);
    expect(header?.Value.endsWith('<message-39@mail.example.com>')).toBe(true);
    expect(ids.join(' ').endsWith(header?.Value ?? 'nothing')).toBe(true);
  });

  it('accepts at most 50 recipients', async () => {
    const ccAddresses = Array.from({ length: 49 }, (_, index) => `c${index}@example.com`);
    expect((await provider().deliver(emailDelivery({ ccAddresses }))).kind).toBe('sent');
    expect(await provider().deliver(emailDelivery({ ccAddresses, bccAddresses: ['b@example.com'] }))).toEqual(
      {
        kind: 'rejected',
        code: 'UNDETERMINED_BOUNCE',
        internal: 'more than 50 recipients',
      },
    );
  });

  it.each([
    [{ to: '' }, 'MISSING_EMAIL_RECIPIENT'],
    [{ subject: ' ' }, 'MISSING_EMAIL_SUBJECT'],
    [{ html: '' }, 'MISSING_EMAIL_HTML'],
    [{ to: 'nobody' }, 'PERMANENT_NO_EMAIL_BOUNCE'],
    [{ bccAddresses: ['a@b'] }, 'PERMANENT_NO_EMAIL_BOUNCE'],
    [
      { attachments: [{ filename: 'a.exe', url: 'https://a.example' }] },
      'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
    ],
    [{ html: 'x'.repeat(30 * 1024 * 1024) }, 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE'],
  ])('rejects an invalid delivery without a call (%#: %s)', async (overrides, code) => {
    const calls = ses.calls();
    expect(await provider().deliver(emailDelivery(overrides))).toMatchObject({ kind: 'rejected', code });
    expect(ses.calls()).toBe(calls);
  });

  it('rejects attachments over its limit', async () => {
    const { url, guarded } = await startFiles(() => ({ status: 200, body: '12345' }));
    const attachments = [{ filename: 'a.txt', url }];
    expect(
      await provider({ guarded, attachmentBytesMax: 4 }).deliver(emailDelivery({ attachments })),
    ).toMatchObject({ kind: 'rejected', code: 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE' });
  });
});

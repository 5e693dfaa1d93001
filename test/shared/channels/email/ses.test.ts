import { SESv2Client } from '@aws-sdk/client-sesv2';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSesProvider,
  type SesOptions,
  sesClientOptions,
} from '../../../../shared/channels/email/ses/ses.ts';
import { type SesException, startFakeSes } from '../../../support/fakes/ses.ts';
import { useStarted } from '../../../support/use-started.ts';
import { emailDelivery } from './deliveries.ts';
import { noRequests, startFiles } from './guarded.ts';

const ses = useStarted(startFakeSes);
let client: SESv2Client;

function provider(overrides: Partial<SesOptions> = {}) {
  return createSesProvider({ client, guarded: noRequests, random: () => 0.5, ...overrides });
}

beforeAll(() => {
  client = new SESv2Client({
    ...sesClientOptions({ region: 'eu-west-1', endpoint: ses.url }),
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  });
});
afterAll(() => {
  client.destroy();
});

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

async function failureOf(exception: SesException | 'drop', attempt = 1) {
  ses.fail(exception);
  return provider().deliver(emailDelivery({ attempt }));
}

const UNVERIFIED =
  'Email address is not verified. The following identities failed the check in region EU-WEST-1: shop@sender.example';

describe('the exceptions of SES', () => {
  it.each([
    ['MessageRejected', UNVERIFIED, 'UNVERIFIED_SENDER'],
    [
      'MessageRejected',
      'Message length is more than 41943040 bytes long.',
      'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
    ],
    ['MessageRejected', 'Bad content', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['MailFromDomainNotVerifiedException', 'MAIL FROM is not verified', 'UNVERIFIED_SENDER'],
    ['BadRequestException', 'Illegal address', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['BadRequestException', "Missing final '@domain'", 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['BadRequestException', 'Domain contains illegal character', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['BadRequestException', 'Local address contains control or whitespace', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['BadRequestException', 'Invalid From address', 'UNDETERMINED_BOUNCE'],
    ['BadRequestException', 'Invalid header name', 'UNDETERMINED_BOUNCE'],
  ])('%s (%s) is final: %s', async (name, message, code) => {
    const outcome = await failureOf({ name, message });
    expect(outcome).toMatchObject({ kind: 'rejected', code });
    expect(outcome).toHaveProperty('internal', expect.stringMatching(new RegExp(`^${name} HTTP 4\\d\\d `)));
  });

  it.each([
    'AccountSuspendedException',
    'SendingPausedException',
    'LimitExceededException',
    'NotFoundException',
  ])('%s holds the message for 15 to 60 minutes', async (name) => {
    const waits = [1, 2, 9].map(async (attempt) => failureOf({ name, message: 'no' }, attempt));
    expect(await Promise.all(waits)).toMatchObject(
      [900, 1800, 3600].map((afterSeconds) => ({
        kind: 'retry',
        code: 'UNDETERMINED_BOUNCE',
        afterSeconds,
      })),
    );
  });

  it('TooManyRequestsException slows down from 1 s, doubling with jitter', async () => {
    const rate = { name: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' };
    const afterSeconds = async (attempt: number, random: number) => {
      ses.fail(rate);
      const outcome = await provider({ random: () => random }).deliver(emailDelivery({ attempt }));
      return 'afterSeconds' in outcome ? outcome.afterSeconds : undefined;
    };
    expect(await afterSeconds(1, 0)).toBe(1);
    expect(await afterSeconds(1, 0.99)).toBe(2);
    expect(await afterSeconds(4, 0)).toBe(8);
    expect(await afterSeconds(4, 0.99)).toBe(16);
    expect(await afterSeconds(50, 0)).toBe(256);
  });

  it.each([
    ['AccessDeniedException', 'not authorized to perform ses:SendEmail'],
    ['AccessDenied', 'User is not authorized to perform ses:SendEmail'],
    ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
    ['InvalidClientTokenId', 'The security token included in the request is invalid.'],
    ['InvalidSignatureException', 'Signature expired: 20261125T100000Z is now earlier than 20261125T100500Z'],
    ['InvalidSignatureException', 'Signature not yet current: 20261125T100500Z is still later'],
  ])('%s (%s) is retried, with status 400 and 403', async (name, message) => {
    for (const status of [400, 403])
      expect(await failureOf({ name, message, status })).toMatchObject({
        kind: 'retry',
        code: 'UNDETERMINED_BOUNCE',
      });
  });

  it('a signature that is wrong, not old, is final', async () => {
    const wrong = {
      name: 'InvalidSignatureException',
      message: 'The request signature we calculated does not match',
    };
    expect(await failureOf({ ...wrong, status: 403 })).toMatchObject({ kind: 'rejected' });
  });

  it.each([
    ['stranger@example.org', 'UNDETERMINED_BOUNCE'],
    ['stranger@example.org, other@example.org', 'UNDETERMINED_BOUNCE'],
    ['SENDER', 'UNVERIFIED_SENDER'],
    ['stranger@example.org, SENDER', 'UNVERIFIED_SENDER'],
  ])('an unverified recipient in the sandbox is told apart from the sender: %s', async (listed, code) => {
    const { from } = emailDelivery();
    const names = listed.replace('SENDER', from.address);
    const message = `Email address is not verified. The following identities failed the check in region US-EAST-1: ${names}`;
    expect(await failureOf({ name: 'MessageRejected', message })).toMatchObject({ kind: 'rejected', code });
  });

  it('a daily quota reported as a rate delays the message', async () => {
    const daily = { name: 'TooManyRequestsException', message: 'Daily message quota exceeded.' };
    expect(await failureOf(daily)).toMatchObject({ kind: 'retry', afterSeconds: 900 });
  });

  it.each([
    { name: 'InternalServiceErrorException', message: 'oops' },
    { name: 'ServiceUnavailable', message: 'later', status: 503 },
    { name: 'ExpiredTokenException', message: 'The security token has expired', status: 403 },
    { name: 'Throttling', message: 'Rate exceeded', status: 429 },
    'drop' as const,
  ])('%j is retried by the queue only', async (exception) => {
    const calls = ses.calls();
    expect(await failureOf(exception)).toMatchObject({ kind: 'retry', code: 'UNDETERMINED_BOUNCE' });
    expect(ses.calls()).toBe(calls + 1);
  });

  it('no response is retried', async () => {
    const options = sesClientOptions({ region: 'eu-west-1', endpoint: ses.url });
    const impatient = new SESv2Client({
      ...options,
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
      requestHandler: { ...Object(options.requestHandler), requestTimeout: 100 },
    });
    ses.fail('hang');
    const outcome = await provider({ client: impatient }).deliver(emailDelivery());
    impatient.destroy();
    expect(outcome).toEqual({
      kind: 'retry',
      code: 'UNDETERMINED_BOUNCE',
      internal: 'TimeoutError ETIMEDOUT',
      afterSeconds: 6,
      triesMax: 5,
    });
  });

  it('a server that accepts no connection is retried within the whole budget', async () => {
    const closed = new SESv2Client({
      ...sesClientOptions({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:9' }),
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    });
    const outcome = await provider({ client: closed }).deliver(emailDelivery());
    closed.destroy();
    expect(outcome).toEqual({
      kind: 'retry',
      code: 'UNDETERMINED_BOUNCE',
      internal: expect.stringMatching(/ECONNREFUSED$/),
      notAccepted: 'unreachable',
    });
  });

  it('waits longer each time for messages that may have been accepted, at most five attempts', async () => {
    const waits: unknown[] = [];
    for (const attempt of [1, 2, 3, 4]) {
      ses.fail({ name: 'InternalServiceErrorException', message: 'Try later.' });
      waits.push(await provider().deliver(emailDelivery({ attempt })));
    }
    expect(waits).toMatchObject([6, 31, 156, 781].map((afterSeconds) => ({ afterSeconds, triesMax: 5 })));
  });

  it('rethrows an error of this service', async () => {
    const broken = { send: () => Promise.reject(new TypeError('a bug')) };
    await expect(
      provider({ client: broken as unknown as SESv2Client }).deliver(emailDelivery()),
    ).rejects.toThrow('a bug');
  });
});

import { SESv2Client } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { sesClientOptions } from '../../../../shared/channels/email/ses/ses.ts';
import type { SesException } from '../../../support/fakes/ses.ts';
import { emailDelivery } from './deliveries.ts';
import { provider, ses, useSes } from './ses-setup.ts';

useSes();

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

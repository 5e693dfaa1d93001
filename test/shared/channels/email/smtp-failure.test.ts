import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../../shared/channels/email/inbound/failure-reply.ts';
import { findSmtpFailure } from '../../../../shared/channels/email/smtp/smtp-failure.ts';
import { parseSmtpUrl } from '../../../../shared/channels/email/smtp/smtp-url.ts';
import { ConfigError } from '../../../../shared/runtime/config.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';

describe('findSmtpFailure', () => {
  it('recognizes a message that nodemailer finds too large for the server', () => {
    const error = Object.assign(new Error('Message size larger than allowed 1000'), {
      code: 'EMESSAGE',
      command: 'MAIL FROM',
    });
    expect(findSmtpFailure(error, 'a@b.example')).toMatchObject({
      kind: 'rejected',
      code: 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
    });
  });

  it('recognizes an address that nodemailer rejects', () => {
    const error = Object.assign(new Error('Invalid recipient'), { code: 'EENVELOPE', command: 'API' });
    expect(findSmtpFailure(error, 'a@b.example')).toMatchObject({
      kind: 'rejected',
      code: 'PERMANENT_NO_EMAIL_BOUNCE',
    });
  });

  it.each(['EDNS', 'ETLS', 'ESOCKET', 'ETIMEDOUT', 'ECONNECTION', 'EAUTH', 'EABORT', 'ESTREAM', 'EPROTOCOL'])(
    'retries after %s',
    (code) => {
      const error = Object.assign(new Error('no'), { code });
      expect(findSmtpFailure(error, 'a@b.example')).toMatchObject({
        kind: 'retry',
        code: 'UNDETERMINED_BOUNCE',
      });
    },
  );

  it('ignores errors of this service', () => {
    expect(findSmtpFailure(new TypeError('a bug'), 'a@b.example')).toBeUndefined();
    expect(
      findSmtpFailure(Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }), 'a@b.example'),
    ).toBeUndefined();
    expect(findSmtpFailure('text', 'a@b.example')).toBeUndefined();
  });

  it('returns a listed code for every reply, and a permanent one only for 5xx', () => {
    const reply = fc.record({
      command: fc.constantFrom('MAIL FROM', 'RCPT TO', 'DATA'),
      code: fc.integer({ min: 400, max: 599 }),
      enhanced: fc.oneof(
        fc.constant(''),
        fc
          .tuple(fc.constantFrom(4, 5), fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 40 }))
          .map((parts) => parts.join('.')),
      ),
      text: fc.string(),
    });
    fc.assert(
      fc.property(reply, (each) => {
        const { command, enhanced, text } = each;
        const { code } = readFailure({ command, code: each.code, text: `${each.code} ${enhanced} ${text}` });
        expect(FAILURE_CODES.EMAIL).toContain(code);
        if (code === 'PERMANENT_GENERAL_BOUNCE') expect(each.code).toBeGreaterThanOrEqual(500);
        if (code === 'UNVERIFIED_SENDER') expect(each.command).toBe('MAIL FROM');
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseSmtpUrl', () => {
  it('reads host, port, user and password', () => {
    expect(parseSmtpUrl('smtp://us%40er:p%3A%2Fss@mail.example:2525')).toEqual({
      host: 'mail.example',
      port: 2525,
      secure: false,
      auth: { user: 'us@er', pass: 'p:/ss' },
      requireTLS: true,
      ignoreTLS: false,
      rejectUnauthorized: true,
    });
  });

  it.each([
    ['smtp://mail.example', { port: 587, secure: false, requireTLS: false, rejectUnauthorized: true }],
    ['smtps://u:p@mail.example', { port: 465, secure: true, requireTLS: false, rejectUnauthorized: true }],
    ['smtp://u:p@127.0.0.1', { requireTLS: false, ignoreTLS: false, rejectUnauthorized: false }],
    ['smtp://u:p@localhost', { requireTLS: false, rejectUnauthorized: false }],
    ['smtp://u:p@[::1]:25', { host: '::1', port: 25, rejectUnauthorized: false }],
    ['smtp://u:p@127.evil.example', { requireTLS: true, rejectUnauthorized: true }],
    ['smtp://u:p@192.0.2.1', { requireTLS: true, rejectUnauthorized: true }],
    ['smtp://u:p@mail.example/?tls=off', { requireTLS: false, ignoreTLS: true }],
    ['smtp://u:p@mail.example?tls=off', { requireTLS: false, ignoreTLS: true }],
    ['smtp://u:p@mail.example?tls=unverified', { requireTLS: true, rejectUnauthorized: false }],
  ])('protects the password of %s', (url, expected) => {
    expect(parseSmtpUrl(url)).toMatchObject(expected);
  });

  it.each([
    '',
    'mail.example',
    'https://mail.example',
    'smtp://',
    'smtp://a:%zz@mail.example',
    'smtp://mail.example?tls=maybe',
    'smtp://mail.example/maybe',
    'smtp://mail.example?TLS=off',
    'smtp://mail.example?tls=off&maybe=1',
    'smtp://mail.example?tls=off&tls=unverified',
    'smtp://mail.example#maybe',
    'smtp://mail.example:0',
  ])('rejects %j without repeating it', (url) => {
    expect(() => parseSmtpUrl(url)).toThrow(ConfigError);
    expect(() => parseSmtpUrl(url)).toThrow(/^SMTP_URL/);
    expect(() => parseSmtpUrl(url)).not.toThrow(/%zz|maybe/);
  });
});

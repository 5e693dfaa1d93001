import fc from 'fast-check';
import type { DeliveryOutcome } from '../../../shared/channels/channel.ts';
import { findSesFailure } from '../../../shared/channels/email/ses/ses-failure.ts';
import { SES_OUTCOMES } from '../../../shared/channels/email/ses/ses-outcomes.ts';
import { findSmtpFailure } from '../../../shared/channels/email/smtp/smtp-failure.ts';
import {
  AWS_EXCEPTIONS,
  AWS_FIELDS,
  AWS_MISSING_RESOURCES,
  AWS_REASONS,
} from '../../../shared/channels/phone/aws/aws-codes.ts';
import { findAwsFailure } from '../../../shared/channels/phone/aws/aws-failure.ts';
import { classifyFailure } from '../../../shared/channels/phone/outcome/provider-failure.ts';
import { TELNYX_CODES } from '../../../shared/channels/phone/telnyx/telnyx-codes.ts';
import { TWILIO_CODES } from '../../../shared/channels/phone/twilio/twilio-codes.ts';

/** A provider's outcome, and whether it may have the message all the same. */
export type Happening = { outcome: DeliveryOutcome; mayHave: boolean };

/** Codes do not show the time of a failure: an established connection, too, can end with EHOSTUNREACH. */
const BROKEN = [
  ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'EPROTO', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
];
export const STATUSES = [200, 302, 400, 401, 402, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504];
/** Without a response, or with one of these, the outcome is unknown; a 4xx and a 503 are decisions. */
const isOpen = (status: number) => status < 300 || (status >= 500 && status !== 503);
export const retryAfter = fc.constantFrom(undefined, '1', '29', '30', '3600');

const phone = (codes: string[], table: typeof TWILIO_CODES): fc.Arbitrary<Happening> =>
  fc.oneof(
    fc.boolean().map((written) => ({
      outcome: classifyFailure({ kind: 'timeout', written }, undefined, table, 0),
      mayHave: written,
    })),
    fc.tuple(fc.constantFrom(...BROKEN), fc.boolean()).map(([reason, written]) => ({
      outcome: classifyFailure({ kind: 'unreachable', reason, written }, undefined, table, 0),
      mayHave: written,
    })),
    fc
      .record({ status: fc.constantFrom(...STATUSES), code: fc.constantFrom(...codes), after: retryAfter })
      .map(({ status, code, after }) => {
        const headers: Record<string, string> = after ? { 'retry-after': after } : {};
        const response = { kind: 'response', status, headers, body: '' } as const;
        const error = code === '' ? undefined : { code, text: 'no' };
        // A code in the body shows that the provider itself decided, with any status.
        const isDecided = error !== undefined && status >= 400;
        return { outcome: classifyFailure(response, error, table, 0), mayHave: isOpen(status) && !isDecided };
      }),
  );

const SDK_NAMES = ['TimeoutError', 'AbortError', 'CredentialsProviderError', 'Error'];
const sdk = (
  names: string[],
  classify: (thrown: unknown) => DeliveryOutcome | undefined,
): fc.Arbitrary<Happening> =>
  fc
    .record({
      name: fc.constantFrom(...names, ...SDK_NAMES),
      code: fc.constantFrom('', ...BROKEN),
      requestWritten: fc.constantFrom(undefined, false),
      message: fc.constantFrom(
        '',
        'Email address is not verified',
        'Daily message quota exceeded',
        'Maximum sending rate exceeded',
        'the request socket did not establish a connection with the server within the configured timeout',
      ),
      status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
      attempts: fc.constantFrom(1, 2),
      Reason: fc.constantFrom(undefined, ...Object.keys(AWS_REASONS)),
      ResourceType: fc.constantFrom(undefined, 'configuration-set', ...Object.keys(AWS_MISSING_RESOURCES)),
      Fields: fc.constantFrom(
        [],
        [{ Name: 'MessageBody' }],
        ...Object.keys(AWS_FIELDS).map((Name) => [{ Name }]),
      ),
    })
    .map(({ status, attempts, ...thrown }) => {
      const outcome = classify({ ...thrown, $metadata: { httpStatusCode: status, attempts } });
      const neverConnected =
        thrown.requestWritten === false ||
        thrown.message.includes('did not establish') ||
        thrown.name === 'CredentialsProviderError';
      const isDetailed = thrown.Reason !== undefined || thrown.ResourceType !== undefined;
      const isByAws = names.includes(thrown.name) || (isDetailed && names === AWS_NAMES);
      const isNamed = status !== undefined && status >= 300 && isByAws;
      const mayHave = status === undefined ? !neverConnected : isOpen(status) && !isNamed;
      return { outcome: outcome ?? { kind: 'retry', code: 'UNKNOWN', internal: 'thrown on' }, mayHave };
    });

const smtp: fc.Arbitrary<Happening> = fc
  .record({
    code: fc.constantFrom(
      'ECONNECTION',
      'ESOCKET',
      'ETIMEDOUT',
      'EDNS',
      'ETLS',
      'EAUTH',
      'EENVELOPE',
      'EMESSAGE',
    ),
    command: fc.constantFrom('CONN', 'EHLO', 'STARTTLS', 'AUTH PLAIN', 'MAIL FROM', 'RCPT TO', 'DATA'),
    responseCode: fc.option(
      fc.constantFrom(421, 450, 451, 452, 454, 501, 530, 534, 535, 538, 550, 551, 552, 553, 554),
      { nil: undefined },
    ),
    response: fc.constantFrom(
      '',
      'Daily message quota exceeded',
      '452 4.2.2 mailbox full',
      ...['5.1.1', '5.1.2', '5.1.3', '5.1.8', '5.1.10', '5.2.2', '5.2.3', '5.3.4', '5.6.1', '5.7.1'].map(
        (enhanced) => `550 ${enhanced} no`,
      ),
    ),
    isLate: fc.boolean(),
  })
  .map(({ isLate, ...thrown }) => {
    // After DATA nobody logs in any more; a reply to DATA comes after it was written.
    const dataBegun = thrown.code !== 'EAUTH' && (isLate || thrown.command === 'DATA');
    const outcome = findSmtpFailure(thrown, 'ada@example.com', { dataBegun });
    return {
      outcome: outcome ?? { kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'thrown on' },
      mayHave: dataBegun && thrown.responseCode === undefined,
    };
  });

const SES_NAMES = [
  ...SES_OUTCOMES.map(({ exception }) => exception).filter((name) => typeof name === 'string'),
  ...['TooManyRequestsException', 'ThrottlingException', 'ExpiredTokenException'],
];
const AWS_NAMES = [...Object.keys(AWS_EXCEPTIONS), 'ConflictException', 'ValidationException'];
/** Everything that can happen at each provider. */
export const HAPPENINGS = {
  twilio: phone(['', '99999', ...Object.keys(TWILIO_CODES)], TWILIO_CODES),
  telnyx: phone(['', '99999', ...Object.keys(TELNYX_CODES)], TELNYX_CODES),
  ses: sdk(SES_NAMES, (thrown) => findSesFailure(thrown, 1, () => 0)),
  aws: sdk(AWS_NAMES, (thrown) => findAwsFailure(thrown, 0)),
  smtp,
};

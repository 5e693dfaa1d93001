import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmailFailure, EmailFailureCode } from '../../../../shared/channels/email/email-failure.ts';
import { readFailure } from '../../../../shared/channels/email/inbound/failure-reply.ts';
import { codeOfBounce, codeOfComplaint } from '../../../../shared/channels/email/ses/ses-event-codes.ts';
import { findSesFailure } from '../../../../shared/channels/email/ses/ses-failure.ts';
import { createSmtpProvider } from '../../../../shared/channels/email/smtp/smtp.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { emailDelivery } from './deliveries.ts';
import { noRequests } from './guarded.ts';

const EXCEPTIONS = [
  'MessageRejected',
  'MailFromDomainNotVerifiedException',
  'BadRequestException',
  'NotFoundException',
  'AccountSuspendedException',
  'SendingPausedException',
  'TooManyRequestsException',
  'LimitExceededException',
  'InternalServiceErrorException',
];
const BOUNCE_TYPES = ['Permanent', 'Transient', 'Undetermined'];
const BOUNCE_SUBTYPES = [
  'General',
  'NoEmail',
  'Suppressed',
  'OnAccountSuppressionList',
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
];
const FEEDBACK_TYPES = ['abuse', 'auth-failure', 'fraud', 'not-spam', 'other', 'virus'];

function sesFailure(name: string, message: string, httpStatusCode: number): EmailFailure | undefined {
  return findSesFailure(
    Object.assign(new Error(message), { name, $metadata: { httpStatusCode } }),
    1,
    () => 0,
  );
}

async function ownRefusals(): Promise<EmailFailureCode[]> {
  const provider = createSmtpProvider({ url: 'smtp://127.0.0.1:9', guarded: noRequests });
  const impossible = [{ to: '' }, { subject: '' }, { html: '' }];
  const outcomes = await Promise.all(impossible.map((each) => provider.deliver(emailDelivery(each))));
  return outcomes.flatMap((outcome) => ('code' in outcome ? [outcome.code] : []));
}

describe('the failure codes of EMAIL', () => {
  it('include every code that SES, its events or an SMTP server can cause', () => {
    const listed: readonly string[] = FAILURE_CODES.EMAIL;
    const word = (known: string[]) => fc.oneof(fc.constantFrom(...known), fc.string());
    const status = fc.integer({ min: 200, max: 599 });
    fc.assert(
      fc.property(word(EXCEPTIONS), fc.string(), status, (name, message, httpStatusCode) => {
        const failure = sesFailure(name, message, httpStatusCode);
        expect(listed).toContain(failure?.code);
      }),
    );
    fc.assert(
      fc.property(
        word(BOUNCE_TYPES),
        word(BOUNCE_SUBTYPES),
        word(FEEDBACK_TYPES),
        (type, subType, feedback) => {
          expect(listed).toContain(codeOfBounce(type, subType));
          expect(listed).toContain(codeOfComplaint(feedback, subType));
        },
      ),
    );
    fc.assert(
      fc.property(word(['MAIL FROM', 'RCPT TO', 'DATA']), status, fc.string(), (command, code, text) => {
        expect(listed).toContain(readFailure({ command, code, text }).code);
      }),
    );
  });

  it('all occur', async () => {
    const bounces = BOUNCE_TYPES.flatMap((type) =>
      BOUNCE_SUBTYPES.map((subType) => codeOfBounce(type, subType)),
    );
    const complaints = FEEDBACK_TYPES.map((feedback) => codeOfComplaint(feedback, ''));
    const used = new Set([
      ...bounces,
      ...complaints,
      codeOfComplaint('abuse', 'OnAccountSuppressionList'),
      sesFailure('MailFromDomainNotVerifiedException', 'not verified', 400)?.code,
      ...(await ownRefusals()),
    ]);
    expect([...used].toSorted()).toEqual([...FAILURE_CODES.EMAIL].toSorted());
  });
});

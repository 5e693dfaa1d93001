import { describe, expect, it } from 'vitest';
import { createSmtpProvider } from '../../../../shared/channels/email/smtp/smtp.ts';
import { emailDelivery } from './deliveries.ts';
import { noRequests } from './guarded.ts';
import { type SmtpRefusals, startSmtp } from './smtp-server.ts';

async function deliverRefused(refusals: SmtpRefusals, overrides = {}) {
  const server = await startSmtp(refusals);
  return createSmtpProvider({ url: server.url, guarded: noRequests }).deliver(emailDelivery(overrides));
}

describe('a rejection by an SMTP server', () => {
  it.each([
    ['mailFrom', 550, '5.7.1 Sender rejected', 'rejected', 'UNVERIFIED_SENDER'],
    ['mailFrom', 553, 'not allowed', 'rejected', 'UNVERIFIED_SENDER'],
    ['mailFrom', 501, '5.1.8 Bad sender', 'rejected', 'UNVERIFIED_SENDER'],
    ['mailFrom', 554, '5.7.1 Denied', 'rejected', 'UNVERIFIED_SENDER'],
    ['mailFrom', 552, '5.3.4 Message too big', 'rejected', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE'],
    ['mailFrom', 554, 'Transaction failed', 'rejected', 'PERMANENT_GENERAL_BOUNCE'],
    ['mailFrom', 451, '4.7.1 Try later', 'retry', 'TRANSIENT_GENERAL_BOUNCE'],
    ['mailFrom', 530, '5.7.0 Authentication required', 'retry', 'UNDETERMINED_BOUNCE'],
    ['rcptTo', 550, '5.1.1 User unknown', 'rejected', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['rcptTo', 550, '5.7.1 Blocked', 'rejected', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['rcptTo', 550, '5.7.26 Unauthenticated', 'rejected', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['rcptTo', 550, '5.1.8 Bad sender', 'rejected', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['rcptTo', 452, '4.5.3 Too many recipients', 'retry', 'TRANSIENT_GENERAL_BOUNCE'],
    ['rcptTo', 551, 'User not local', 'rejected', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['rcptTo', 553, 'Name not allowed', 'rejected', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['rcptTo', 554, '5.1.2 No such host', 'rejected', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['rcptTo', 501, '5.1.3 Bad address', 'rejected', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['rcptTo', 556, '5.1.10 Null MX', 'rejected', 'PERMANENT_NO_EMAIL_BOUNCE'],
    ['rcptTo', 552, '5.2.2 Mailbox full', 'rejected', 'TRANSIENT_MAILBOX_FULL_BOUNCE'],
    ['rcptTo', 452, '4.2.2 Over quota', 'retry', 'TRANSIENT_MAILBOX_FULL_BOUNCE'],
    ['rcptTo', 452, 'Insufficient storage', 'retry', 'TRANSIENT_MAILBOX_FULL_BOUNCE'],
    ['rcptTo', 450, '4.2.2 Mailbox busy', 'retry', 'TRANSIENT_MAILBOX_FULL_BOUNCE'],
    ['rcptTo', 450, '4.7.1 Greylisted', 'retry', 'TRANSIENT_GENERAL_BOUNCE'],
    ['rcptTo', 552, 'Too much mail data', 'rejected', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE'],
    ['rcptTo', 554, 'No', 'rejected', 'PERMANENT_GENERAL_BOUNCE'],
    ['data', 552, 'Message size exceeds limit', 'rejected', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE'],
    ['data', 554, '5.3.4 Too big', 'rejected', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE'],
    ['data', 550, '5.2.3 Too long', 'rejected', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE'],
    ['data', 554, 'Spam', 'rejected', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['data', 550, '5.7.1 Policy', 'rejected', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['data', 554, '5.6.1 Media not supported', 'rejected', 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE'],
    ['data', 554, '5.7.1 Attachment is not allowed', 'rejected', 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE'],
    ['data', 550, 'Something else', 'rejected', 'PERMANENT_GENERAL_BOUNCE'],
    ['data', 451, '4.3.0 Attachment scanner busy', 'retry', 'TRANSIENT_GENERAL_BOUNCE'],
    ['data', 421, '4.3.2 Shutting down', 'retry', 'TRANSIENT_GENERAL_BOUNCE'],
  ] as const)('%s %i %s: %s %s', async (stage, responseCode, text, kind, code) => {
    const refusal = { responseCode, text };
    const outcome = await deliverRefused(
      stage === 'rcptTo' ? { rcptTo: { '*': refusal } } : { [stage]: refusal },
    );
    expect(outcome).toMatchObject({ kind, code });
    expect(outcome).toHaveProperty('internal', expect.stringContaining(`${responseCode} ${text}`));
  });

  it('records the recipient and reason', async () => {
    const refusal = { responseCode: 550, text: '5.1.1 User unknown' };
    expect(await deliverRefused({ rcptTo: { '*': refusal } })).toEqual({
      kind: 'rejected',
      code: 'PERMANENT_NO_EMAIL_BOUNCE',
      internal: 'EENVELOPE RCPT TO 550 5.1.1 User unknown',
      suppresses: true,
      fields: {
        email_failed_recipient: 'ada@example.com',
        email_failed_diagnostic_code: 'smtp; 550 5.1.1 User unknown',
      },
    });
  });

  it('follows the response for the user when every recipient is rejected', async () => {
    const outcome = await deliverRefused(
      {
        rcptTo: {
          'ada@example.com': { responseCode: 550, text: '5.1.1 User unknown' },
          'c@example.com': { responseCode: 450, text: '4.7.1 Greylisted' },
        },
      },
      { ccAddresses: ['c@example.com'] },
    );
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'PERMANENT_NO_EMAIL_BOUNCE' });
  });

  it('does not prevent delivery to the others when it concerns a copy', async () => {
    const outcome = await deliverRefused(
      { rcptTo: { 'c@example.com': { responseCode: 550, text: '5.1.1 User unknown' } } },
      { ccAddresses: ['c@example.com'], bccAddresses: ['b@example.com'] },
    );
    expect(outcome).toMatchObject({
      kind: 'sent',
      delivered: { email_delivered_recipients: 'ada@example.com,b@example.com' },
    });
  });

  it.each([
    [550, '5.1.1 User unknown', 'PERMANENT_NO_EMAIL_BOUNCE'],
    [450, '4.7.1 Greylisted', 'TRANSIENT_GENERAL_BOUNCE'],
  ])('ends the delivery to the user when the copies are delivered (%i)', async (responseCode, text, code) => {
    const outcome = await deliverRefused(
      { rcptTo: { 'ada@example.com': { responseCode, text } } },
      { ccAddresses: ['c@example.com'] },
    );
    expect(outcome).toMatchObject({
      kind: 'rejected',
      code,
      fields: { email_failed_recipient: 'ada@example.com' },
    });
  });
});

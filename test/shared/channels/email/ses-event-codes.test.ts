import { describe, expect, it } from 'vitest';
import { parseSesEvents } from '../../../../shared/channels/email/ses/ses-events.ts';
import {
  bounceEvent,
  complaintEvent,
  rejectEvent,
  renderingFailureEvent,
  snsNotification,
} from './ses-event-fixtures.ts';

function parse(input: unknown) {
  const event = parseSesEvents(input)[0];
  if (!event) throw new Error('not an event');
  return event;
}

describe('the codes of SES events', () => {
  it.each([
    ['Permanent', 'General', 'PERMANENT_GENERAL_BOUNCE', true],
    ['Permanent', 'NoEmail', 'PERMANENT_NO_EMAIL_BOUNCE', true],
    ['Permanent', 'Suppressed', 'PERMANENT_SUPPRESSED_BOUNCE', true],
    ['Permanent', 'OnAccountSuppressionList', 'SUPPRESSED_BOUNCE', true],
    ['Permanent', 'SomethingNew', 'PERMANENT_GENERAL_BOUNCE', true],
    ['Permanent', 'constructor', 'PERMANENT_GENERAL_BOUNCE', true],
    ['Transient', 'General', 'TRANSIENT_GENERAL_BOUNCE', false],
    ['Transient', 'CustomTimeoutExceeded', 'TRANSIENT_GENERAL_BOUNCE', false],
    ['Transient', 'SomethingNew', 'TRANSIENT_GENERAL_BOUNCE', false],
    ['Transient', 'MailboxFull', 'TRANSIENT_MAILBOX_FULL_BOUNCE', false],
    ['Transient', 'MessageTooLarge', 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE', false],
    ['Transient', 'ContentRejected', 'TRANSIENT_CONTENT_REJECTED_BOUNCE', false],
    ['Transient', 'AttachmentRejected', 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE', false],
    ['Undetermined', 'Undetermined', 'UNDETERMINED_BOUNCE', false],
    ['SomethingNew', 'General', 'UNDETERMINED_BOUNCE', false],
  ])('bounce %s/%s is %s (suppressed: %s)', (type, subType, code, isSuppressed) => {
    const event = parse(snsNotification(bounceEvent(type, subType)));
    expect(event).toMatchObject({ type: 'failed', code, fields: { email_failed_code: code } });
    expect(event.suppress !== undefined).toBe(isSuppressed);
  });

  it.each<[string, string, [string, string], string, boolean]>([
    ['Transient', 'General', ['5.1.1', 'smtp; 550 5.1.1 user unknown'], 'PERMANENT_NO_EMAIL_BOUNCE', true],
    ['Transient', 'General', ['5.2.1', 'smtp; 550 5.2.1 account disabled'], 'PERMANENT_GENERAL_BOUNCE', true],
    ['Transient', 'General', ['5.7.1', 'smtp; 554 5.7.1 spam'], 'TRANSIENT_CONTENT_REJECTED_BOUNCE', false],
    ['Transient', 'MailboxFull', ['5.1.1', 'smtp; 550 5.1.1 x'], 'TRANSIENT_MAILBOX_FULL_BOUNCE', false],
    [
      'Permanent',
      'General',
      ['5.7.26', 'smtp; 550 5.7.26 DMARC'],
      'TRANSIENT_CONTENT_REJECTED_BOUNCE',
      false,
    ],
    ['Permanent', 'General', ['5.4.4', 'smtp; 550 5.4.4 no route'], 'TRANSIENT_GENERAL_BOUNCE', false],
    [
      'Permanent',
      'NoEmail',
      ['5.7.1', 'smtp; 550 5.7.1 blocked'],
      'TRANSIENT_CONTENT_REJECTED_BOUNCE',
      false,
    ],
    ['Permanent', 'General', ['5.0.0', 'smtp; 550 no'], 'PERMANENT_GENERAL_BOUNCE', true],
  ])('bounce %s/%s with %j is %s (suppressed: %s)', (type, subType, said, code, isSuppressed) => {
    const event = parse(snsNotification(bounceEvent(type, subType, said)));
    expect(event).toMatchObject({ type: 'failed', code });
    expect(event.suppress !== undefined).toBe(isSuppressed);
  });

  it.each([
    ['abuse', undefined, 'COMPLAINT_ABUSE', true],
    ['auth-failure', undefined, 'COMPLAINT_AUTH', false],
    ['fraud', null, 'COMPLAINT_FRAUD', true],
    ['not-spam', null, 'COMPLAINT_NOT_SPAM', false],
    ['other', null, 'COMPLAINT_OTHER', true],
    ['virus', null, 'COMPLAINT_VIRUS', false],
    [undefined, undefined, 'COMPLAINT_OTHER', true],
    ['something-new', null, 'COMPLAINT_OTHER', true],
    [undefined, 'OnAccountSuppressionList', 'SUPPRESSED_COMPLAINT', false],
    ['abuse', 'OnAccountSuppressionList', 'SUPPRESSED_COMPLAINT', false],
  ])('complaint %s/%s is %s (suppressed: %s)', (feedbackType, subType, code, isSuppressed) => {
    const event = parse(snsNotification(complaintEvent(feedbackType, subType)));
    expect(event).toMatchObject({
      type: 'failed',
      code,
      recipients: ['ada@example.com'],
      fields: { email_failed_at: '2026-11-20T12:41:02.669Z', email_failed_code: code },
    });
    expect(event.suppress?.reason).toBe(isSuppressed ? 'Complaint' : undefined);
  });

  it.each([
    ['multipart/mixed; boundary="x"', 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE'],
    ['multipart/alternative; boundary="x"', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
    ['', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
  ])('a reject of %j is %s', (contentType, code) => {
    expect(parse(rejectEvent(contentType))).toMatchObject({
      type: 'failed',
      code,
      fields: { email_failed_internal: '{"reason":"Bad content"}' },
    });
  });

  it('reads a rendering failure', () => {
    expect(parse(renderingFailureEvent())).toMatchObject({ type: 'failed', code: 'UNDETERMINED_BOUNCE' });
  });
});

import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseSesEvents } from '../../../../shared/channels/email/ses/ses-events.ts';
import { FAILURE_CODES } from '../../../../shared/schemas/logs/failure-codes.ts';
import { LogFields } from '../../../../shared/schemas/logs/log-record.ts';
import { EmailSuppressionStatus } from '../../../../shared/schemas/users/user.ts';
import {
  bounceEvent,
  busEvent,
  clickEvent,
  complaintEvent,
  delayEvent,
  deliveryEvent,
  openEvent,
  rejectEvent,
  renderingFailureEvent,
  sendEvent,
  sesEvent,
  snsNotification,
  subscriptionEvent,
} from './ses-event-fixtures.ts';

const OURS = {
  messageId: '01020183e-EXAMPLE-000000',
  trackingId: '019ac0de-7000-7000-8000-00000000cafe',
  accountId: 'acct0000000000A1',
  environmentId: 'env00000000000B2',
};

function parse(input: unknown) {
  const event = parseSesEvents(input)[0];
  if (!event) throw new Error('not an event');
  return event;
}

describe('parseSesEvents', () => {
  it('reads an SNS notification', () => {
    expect(parse(snsNotification(deliveryEvent()))).toEqual({
      ...OURS,
      type: 'delivered',
      atMs: Date.parse('2026-11-20T10:00:04.133Z'),
      recipients: ['ada@example.com', 'c@example.com'],
      fields: {
        email_delivered_at: '2026-11-20T10:00:04.133Z',
        email_delivered_recipients: 'ada@example.com,c@example.com',
      },
      eventId: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('reads the same event from a notification, its object, the event inside and EventBridge', () => {
    const event = deliveryEvent();
    const expected = parse(snsNotification(event));
    expect(parse(JSON.parse(snsNotification(event)))).toEqual(expected);
    expect(parse(JSON.stringify(event))).toEqual(expected);
    expect(parse(event)).toEqual(expected);
    expect(parse(busEvent('Email Delivered', event))).toEqual(expected);
  });

  it('reads a notification of an identity, which has no tags', () => {
    const { eventType, mail, ...parts } = deliveryEvent() as Record<string, object>;
    const event = parse({ notificationType: eventType, mail: { ...mail, tags: undefined }, ...parts });
    expect(event).toMatchObject({ type: 'delivered', messageId: OURS.messageId });
    expect(event).not.toHaveProperty('trackingId');
  });

  it('reads a send', () => {
    expect(parse(sendEvent())).toMatchObject({
      type: 'sent',
      fields: {
        email_sent_at: '2026-11-20T10:00:00.012Z',
        email_sent_message_id: OURS.messageId,
      },
    });
  });

  it('reads an open', () => {
    expect(parse(openEvent())).toMatchObject({
      type: 'opened',
      fields: {
        email_opened_at: '2026-11-20T11:00:19.652Z',
        email_opened_user_agent: 'Mozilla/5.0 (iPhone)',
        email_opened_ip: '198.51.100.7',
      },
    });
  });

  it('reads a click with its tags', () => {
    expect(parse(clickEvent())).toMatchObject({
      type: 'clicked',
      fields: {
        email_clicked_at: '2026-11-20T11:01:25.570Z',
        email_clicked_user_agent: 'Mozilla/5.0 (iPhone)',
        email_clicked_ip: '198.51.100.7',
        email_clicked_link: 'https://shop.example/orders/1',
        email_clicked_link_tags: '{"campaign":["autumn"],"place":["footer"]}',
      },
    });
  });

  it('omits fields that SES leaves empty', () => {
    const click = { timestamp: '2026-11-20T11:01:25.570Z', link: 'https://shop.example/', linkTags: null };
    expect(parse(sesEvent('Click', { click })).fields).toEqual({
      email_clicked_at: '2026-11-20T11:01:25.570Z',
      email_clicked_link: 'https://shop.example/',
    });
  });

  it('reads a bounce with its diagnosis and complete details', () => {
    const bounce = bounceEvent('Permanent', 'NoEmail') as { bounce: object };
    expect(parse(bounce)).toMatchObject({
      type: 'failed',
      code: 'PERMANENT_NO_EMAIL_BOUNCE',
      recipients: ['ada@example.com'],
      fields: {
        email_failed_at: '2026-11-20T10:00:02.669Z',
        email_failed_code: 'PERMANENT_NO_EMAIL_BOUNCE',
        email_failed_recipient: 'ada@example.com',
        email_failed_diagnostic_code: 'smtp; 550 5.1.1 user unknown',
      },
      suppress: {
        reason: 'Bounce',
        details: {
          bounceType: 'Permanent',
          bounceSubType: 'NoEmail',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          timestamp: '2026-11-20T10:00:02.669Z',
          feedbackId: '01000157c44f053b-EXAMPLE-000000',
        },
      },
    });
    expect(JSON.parse(parse(bounce).fields.email_failed_internal ?? '')).toEqual(bounce.bounce);
  });

  it('reads a delay as no failure and keeps its details', () => {
    const event = parse(delayEvent());
    expect(event).toMatchObject({ type: 'delayed', fields: {}, recipients: ['ada@example.com'] });
    expect(event.code).toBeUndefined();
    expect(JSON.parse(event.internal ?? '')).toMatchObject({ delayType: 'TransientCommunicationFailure' });
  });

  it('ignores other events', () => {
    expect(parse(subscriptionEvent())).toMatchObject({ type: 'other', fields: {} });
    expect(parse(sesEvent('SomethingNew', {}))).toMatchObject({ type: 'other' });
    expect(parse(sesEvent('Bounce', {}))).toMatchObject({ type: 'other' });
    expect(parse(sesEvent('constructor', {}))).toMatchObject({ type: 'other' });
  });

  it('gives a repeated event the same ID, and every other event another one', () => {
    const events = [
      deliveryEvent(),
      openEvent(),
      clickEvent(),
      clickEvent('https://shop.example/other'),
      bounceEvent('Permanent', 'General'),
      complaintEvent('abuse'),
      sesEvent('Delivery', {}, { messageId: 'another' }),
      {
        ...deliveryEvent(),
        delivery: { timestamp: '2026-11-20T10:00:04.133Z', recipients: ['c@example.com'] },
      },
      { ...openEvent(), open: { timestamp: '2026-11-20T11:00:19.653Z' } },
    ];
    const ids = events.map((event, index) => parse(snsNotification(event, `sns-${index}`)).eventId);
    expect(new Set(ids).size).toBe(events.length);
    const repeated = events.map((event, index) => parse(snsNotification(event, `again-${index}`)).eventId);
    expect(repeated).toEqual(ids);
  });

  it.each([
    ['SES validating the topic', 'Successfully validated SNS topic for Amazon SES event publishing.'],
    [
      'the same inside a notification',
      JSON.stringify({ Type: 'Notification', Message: 'Successfully validated' }),
    ],
    ['a subscription confirmation', JSON.stringify({ Type: 'SubscriptionConfirmation', Message: '{}' })],
    ['another bus event', busEvent('x', { eventType: 'Send' })],
    ['no mail object', { eventType: 'Send' }],
    ['no time', sesEvent('Send', {}, { timestamp: 'yesterday' })],
    ['no message id', sesEvent('Send', {}, { messageId: '' })],
    ['nothing', undefined],
    ['null', 'null'],
    ['a list', []],
  ])('reads nothing from %s', (_, input) => {
    expect(parseSesEvents(input)[0]).toBeUndefined();
  });

  it('never throws, and returns only log fields and listed codes', () => {
    const part = fc.oneof(fc.anything(), fc.constant(undefined));
    const whole = fc.record({
      eventType: fc.constantFrom(
        'Bounce',
        'Complaint',
        'Delivery',
        'Open',
        'Click',
        'Reject',
        'DeliveryDelay',
      ),
      mail: fc.record({
        messageId: fc.string(),
        timestamp: fc.oneof(fc.string(), fc.constant('2026-11-20T10:00:00.000Z')),
        destination: part,
        tags: part,
        headers: part,
      }),
      bounce: fc.oneof(part, fc.record({ bounceType: fc.string(), bounceSubType: fc.string() })),
      complaint: fc.oneof(part, fc.record({ complaintFeedbackType: fc.string() })),
      delivery: part,
      open: part,
      click: part,
      reject: part,
      deliveryDelay: part,
    });
    fc.assert(
      fc.property(fc.oneof(whole, fc.anything(), fc.json()), (input) => {
        const event = parseSesEvents(input)[0];
        if (!event) return;
        expect(v.is(LogFields, event.fields)).toBe(true);
        if (event.suppress) expect(v.is(EmailSuppressionStatus, event.suppress)).toBe(true);
        if (event.code) expect(FAILURE_CODES.EMAIL).toContain(event.code);
      }),
      { numRuns: 500 },
    );
  });
});

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

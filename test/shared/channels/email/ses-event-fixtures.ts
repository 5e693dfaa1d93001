const mail = {
  timestamp: '2026-11-20T10:00:00.012Z',
  source: 'Sender Name <shop@sender.example>',
  sourceArn: 'arn:aws:ses:eu-west-1:123456789012:identity/sender.example',
  sendingAccountId: '123456789012',
  messageId: '01020183e-EXAMPLE-000000',
  destination: ['ada@example.com'],
  headersTruncated: false,
  headers: [
    { name: 'From', value: 'Sender Name <shop@sender.example>' },
    { name: 'To', value: 'ada@example.com' },
    { name: 'Subject', value: 'Your order' },
    { name: 'MIME-Version', value: '1.0' },
    { name: 'Content-Type', value: 'multipart/alternative; boundary="----=_Part_1"' },
  ],
  commonHeaders: {
    from: ['Sender Name <shop@sender.example>'],
    to: ['ada@example.com'],
    messageId: '01020183e-EXAMPLE-000000',
    subject: 'Your order',
  },
  tags: {
    'ses:configuration-set': ['events'],
    'ses:source-ip': ['192.0.2.0'],
    'ses:from-domain': ['sender.example'],
    trackingId: ['019ac0de-7000-7000-8000-00000000cafe'],
    accountId: ['acct0000000000A1'],
    envId: ['env00000000000B2'],
  },
};

const visitor = { ipAddress: '198.51.100.7', userAgent: 'Mozilla/5.0 (iPhone)' };

/** An event as SES publishes it: `eventType`, its own part, and the mail, which `mailOverrides` change. */
export function sesEvent(eventType: string, parts: object, mailOverrides: object = {}): object {
  return { eventType, mail: { ...mail, ...mailOverrides }, ...parts };
}

export const sendEvent = () => sesEvent('Send', { send: {} });

export const deliveryEvent = () =>
  sesEvent('Delivery', {
    delivery: {
      timestamp: '2026-11-20T10:00:04.133Z',
      processingTimeMillis: 1004,
      recipients: ['ada@example.com', 'c@example.com'],
      smtpResponse: '250 2.6.0 Message received',
      reportingMTA: 'mta.example.com',
    },
  });

export const openEvent = () =>
  sesEvent('Open', { open: { timestamp: '2026-11-20T11:00:19.652Z', ...visitor } });

export const clickEvent = (link = 'https://shop.example/orders/1') =>
  sesEvent('Click', {
    click: {
      timestamp: '2026-11-20T11:01:25.570Z',
      ...visitor,
      link,
      linkTags: { campaign: ['autumn'], place: ['footer'] },
    },
  });

export const bounceEvent = (
  bounceType: string,
  bounceSubType: string,
  [status, diagnosticCode] = bounceType === 'Transient'
    ? ['4.4.7', 'smtp; 421 4.4.7 timeout']
    : ['5.1.1', 'smtp; 550 5.1.1 user unknown'],
) =>
  sesEvent('Bounce', {
    bounce: {
      bounceType,
      bounceSubType,
      bouncedRecipients: [
        {
          emailAddress: 'ada@example.com',
          action: 'failed',
          status,
          diagnosticCode,
        },
      ],
      timestamp: '2026-11-20T10:00:02.669Z',
      feedbackId: '01000157c44f053b-EXAMPLE-000000',
      reportingMTA: 'dsn; mta.example.com',
    },
  });

export const complaintEvent = (complaintFeedbackType: string | undefined, complaintSubType?: string | null) =>
  sesEvent('Complaint', {
    complaint: {
      complainedRecipients: [{ emailAddress: 'ada@example.com' }],
      timestamp: '2026-11-20T12:41:02.669Z',
      feedbackId: '01000157c44f053b-EXAMPLE-000000',
      userAgent: 'Amazon SES Mailbox Simulator',
      complaintSubType,
      complaintFeedbackType,
      arrivalDate: '2026-11-20T12:41:02.669Z',
    },
  });

export const rejectEvent = (contentType: string) =>
  sesEvent(
    'Reject',
    { reject: { reason: 'Bad content' } },
    { headers: [{ name: 'Content-Type', value: contentType }] },
  );

export const renderingFailureEvent = () =>
  sesEvent('Rendering Failure', {
    failure: {
      errorMessage: "Attribute 'attributeName' is not present in the rendering data.",
      templateName: 'MyTemplate',
    },
  });

export const delayEvent = () =>
  sesEvent('DeliveryDelay', {
    deliveryDelay: {
      timestamp: '2026-11-20T10:25:42.095Z',
      delayType: 'TransientCommunicationFailure',
      expirationTime: '2026-11-21T00:25:42.914Z',
      delayedRecipients: [
        {
          emailAddress: 'ada@example.com',
          status: '4.4.1',
          diagnosticCode: 'smtp; 421 4.4.1 Unable to connect to remote host',
        },
      ],
    },
  });

export const subscriptionEvent = () =>
  sesEvent('Subscription', {
    subscription: { contactList: 'list', timestamp: '2026-11-20T10:26:42.095Z', source: 'UnsubscribeHeader' },
  });

/** The SNS notification that carries an event, as the queue's message body. */
export function snsNotification(event: object, messageId = 'c8ec4a2f-EXAMPLE'): string {
  return JSON.stringify({
    Type: 'Notification',
    MessageId: messageId,
    TopicArn: 'arn:aws:sns:eu-west-1:123456789012:ses-events',
    Subject: 'Amazon SES Email Event Notification',
    Message: JSON.stringify(event),
    Timestamp: '2026-11-20T10:00:05.000Z',
    SignatureVersion: '1',
    Signature: 'EXAMPLE',
    UnsubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe',
  });
}

/** The EventBridge event that carries an event. */
export function busEvent(detailType: string, event: object): object {
  return {
    version: '0',
    id: '12345678-EXAMPLE',
    'detail-type': detailType,
    source: 'aws.ses',
    account: '123456789012',
    time: '2026-11-20T10:00:05Z',
    region: 'eu-west-1',
    resources: ['arn:aws:ses:eu-west-1:123456789012:configuration-set/events'],
    detail: event,
  };
}

import type { DirectEmail, DirectSms, TestEmail } from '../../shared/schemas/direct-send.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';

/** The send request that POST /email represents: this one email, whatever channels the type has. */
export function emailRequest(body: DirectEmail): SendRequest {
  const { replyToAddresses, ccAddresses, bccAddresses, attachments, fromAddress, fromName } = body;
  return {
    type: body.type,
    to: typeof body.to === 'string' ? { email: body.to } : body.to,
    forceChannels: ['EMAIL'],
    email: { subject: body.subject, html: body.html, previewText: body.previewText },
    options: {
      email: { replyToAddresses, ccAddresses, bccAddresses, attachments, fromAddress, fromName },
    },
    schedule: body.schedule,
  };
}

/** The send request that POST /sms represents. */
export function smsRequest(body: DirectSms): SendRequest {
  const { message, mediaUrls, from, autoReply } = body;
  return {
    type: body.type,
    to: typeof body.to === 'string' ? { number: body.to } : body.to,
    forceChannels: ['SMS'],
    sms: { message, mediaUrls, from, autoReply },
    schedule: body.schedule,
  };
}

/** The send request of a test email: the given content, with a subject that needs no template. */
export function testEmailRequest(body: TestEmail): SendRequest {
  const { notificationId, to, subject, html, fromAddress, fromName, previewText } = body;
  return {
    type: notificationId,
    to: { email: to },
    forceChannels: ['EMAIL'],
    email: { subject, html, previewText },
    options: { email: { fromAddress, fromName } },
  };
}

import { contactProblems } from '../../shared/http/contact.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import type { DirectEmail, DirectSms, TestEmail } from '../../shared/schemas/direct-send.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';
import { isSendingNumber, MUST_BE_OWN_NUMBER } from './intake.ts';

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
  assertNoProblems(smsProblems(body));
  const { message, mediaUrls, from, autoReply } = body;
  return {
    type: body.type,
    to: typeof body.to === 'string' ? { number: body.to } : body.to,
    forceChannels: ['SMS'],
    sms: { message, mediaUrls, from, autoReply },
    schedule: body.schedule,
  };
}

/** The problems that the request would report under other names. */
function smsProblems({ to, from }: DirectSms): Problem[] {
  const problems = typeof to === 'string' ? contactProblems({ number: to }) : [];
  return [
    ...problems.map(({ must }) => ({ where: 'body.to', must })),
    ...(isSendingNumber(from) ? [] : [{ where: 'body.from', must: MUST_BE_OWN_NUMBER }]),
  ];
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

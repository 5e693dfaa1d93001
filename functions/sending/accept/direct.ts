import { type Fields, fieldsOf, type RequestCheck } from '../../../shared/http/problems/check.ts';
import { AppError, type FieldError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { DirectEmail, DirectSms, TestEmail } from '../../../shared/schemas/sending/direct-send.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { localeProblems, requestProblems } from '../content/request-problems.ts';
import { type Accepted, accept } from './accept.ts';

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
    metadata: body.metadata,
  };
}

export function smsRequest(body: DirectSms): SendRequest {
  const { message, mediaUrls, from, autoReply } = body;
  return {
    type: body.type,
    to: typeof body.to === 'string' ? { number: body.to } : body.to,
    forceChannels: ['SMS'],
    sms: { message, mediaUrls, from, autoReply },
    schedule: body.schedule,
    metadata: body.metadata,
  };
}

/** The send request of a test email: the given content, with a subject that needs no template. */
export function testEmailRequest(body: TestEmail, samples: SendRequest['parameters']): SendRequest {
  const { notificationId, to, subject, html, fromAddress, fromName, previewText } = body;
  return {
    type: notificationId,
    to: { email: to },
    forceChannels: ['EMAIL'],
    email: { subject, html, previewText },
    parameters: body.parameters ?? samples,
    options: { email: { fromAddress, fromName } },
  };
}

/** Content and options of a direct request are fields of its body. */
const ownField = (field: FieldError): FieldError => ({
  ...field,
  path: field.path.replace(/^(options\.)?(email|sms)\./, ''),
});

const BLOCK = /\bbody\.(options\.)?(email|sms)\./g;

/** Accepts the send request that a direct one represents. Its errors name the fields of the direct one. */
export async function acceptDirect(...[deps, incoming]: Parameters<typeof accept>): Promise<Accepted> {
  try {
    return await accept(deps, incoming);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    error.errors = error.errors?.map(ownField);
    error.message = error.message.replace(BLOCK, 'body.');
    throw error;
  }
}

/** A direct request of any shape as a send request, and the names of its own fields. */
type Direct = { request: Fields; names: Readonly<Record<string, string>> };

function checkAs(direct: (body: Fields) => Direct): RequestCheck {
  return async ({ query, body, isInvalid }) => {
    if (body === undefined) return localeProblems(query);
    const { request, names } = direct(fieldsOf(body));
    const found = (await requestProblems(request)).map((each) => ({
      ...each,
      where: names[each.where] ?? each.where.replace(BLOCK, 'body.'),
      ...defined({ field: each.field && ownField(each.field) }),
    }));
    const problems = [...localeProblems(query), ...found];
    // An invalid schedule alone is recorded when it is read.
    return isInvalid || problems.some(({ where }) => where !== 'body.schedule') ? problems : [];
  };
}

export const emailProblems = checkAs(({ to, subject, html, previewText, attachments, ...rest }) => ({
  request: {
    ...rest,
    to: typeof to === 'string' ? { email: to } : to,
    email: { subject, html, previewText },
    options: { email: { attachments } },
  },
  names: typeof to === 'string' ? { 'body.to.email': 'body.to' } : {},
}));

export const smsProblems = checkAs(({ to, from, message, mediaUrls, autoReply, ...rest }) => ({
  request: {
    ...rest,
    to: typeof to === 'string' ? { number: to } : to,
    sms: { from, message, mediaUrls, autoReply },
  },
  names: typeof to === 'string' ? { 'body.to.number': 'body.to' } : {},
}));

export const testEmailProblems = checkAs(
  ({ notificationId, to, subject, html, previewText, parameters }) => ({
    request: { type: notificationId, to: { email: to }, email: { subject, html, previewText }, parameters },
    names: { 'body.to.email': 'body.to', 'body.type': 'body.notificationId' },
  }),
);

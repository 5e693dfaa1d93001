import * as v from 'valibot';
import { EmailAddress, FreeForm, HttpsUrl, Id, knownUpTo, Mailbox, textUpTo } from '../fields/text.ts';
import { Recipient } from '../users/user.ts';
import { Attachment, Metadata, SMS_LENGTH_MAX } from './send-request.ts';

const addresses = v.optional(v.pipe(v.array(Mailbox), v.maxLength(50, 'must have at most 50 entries')));

/** A recipient as in POST /send, or, for short, by the address or number alone. */
const to = <S extends typeof EmailAddress | ReturnType<typeof textUpTo>>(short: S) =>
  v.union([short, Recipient]);

/** Body of POST /email. */
export const DirectEmail = v.object({
  type: Id,
  to: to(EmailAddress),
  subject: v.pipe(v.string(), v.minLength(1)),
  html: v.pipe(v.string(), v.minLength(1)),
  fromName: v.optional(textUpTo(255)),
  fromAddress: v.optional(Mailbox),
  previewText: v.optional(v.string()),
  replyToAddresses: addresses,
  ccAddresses: addresses,
  bccAddresses: addresses,
  attachments: v.optional(v.pipe(v.array(Attachment), v.maxLength(50, 'must have at most 50 entries'))),
  schedule: v.optional(v.string()),
  metadata: v.optional(Metadata),
});
export type DirectEmail = v.InferOutput<typeof DirectEmail>;

/** Body of POST /sms: a message, media, or both. */
export const DirectSms = v.pipe(
  v.object({
    type: Id,
    to: to(textUpTo(40)),
    message: v.optional(knownUpTo(SMS_LENGTH_MAX)),
    mediaUrls: v.optional(v.pipe(v.array(HttpsUrl), v.maxLength(10, 'must have at most 10 entries'))),
    from: v.optional(textUpTo(40)),
    autoReply: v.optional(v.object({ message: v.pipe(knownUpTo(SMS_LENGTH_MAX), v.minLength(1)) })),
    schedule: v.optional(v.string()),
    metadata: v.optional(Metadata),
  }),
  v.forward(
    v.partialCheck(
      [['message'], ['mediaUrls']],
      (sms) => Boolean(sms.message) || Boolean(sms.mediaUrls?.length),
      'is required without mediaUrls',
    ),
    ['message'],
  ),
);
export type DirectSms = v.InferOutput<typeof DirectSms>;

/** Body of POST /sender/test/email. */
export const TestEmail = v.object({
  notificationId: Id,
  to: EmailAddress,
  subject: v.pipe(v.string(), v.minLength(1)),
  html: v.pipe(v.string(), v.minLength(1)),
  fromAddress: Mailbox,
  fromName: textUpTo(255),
  previewText: v.optional(v.string()),
  parameters: v.optional(FreeForm),
});
export type TestEmail = v.InferOutput<typeof TestEmail>;

import { describeFields } from '../fields/field-texts.ts';
import { DirectEmail, DirectSms, TestEmail } from './direct-send.ts';

describeFields(DirectEmail, {
  type: 'The ID of the notification type; an unknown one is created.',
  to: 'The recipient: an address or number, or a user.',
  subject: 'The subject of the email.',
  html: 'The HTML, as Liquid.',
  fromAddress: "The sender's address, on a verified domain of the account.",
  previewText: 'The text after the subject in inboxes.',
  replyToAddresses: 'Addresses that receive replies, at most 50.',
  ccAddresses: 'Addresses that get a copy, at most 50.',
  bccAddresses: 'Addresses that get a blind copy, at most 50.',
  attachments: 'Files sent with the message.',
  schedule: "Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead.",
  metadata: 'Your own references, as in POST /send.',
});

describeFields(DirectSms, {
  type: 'The ID of the notification type; an unknown one is created.',
  to: 'The recipient: an address or number, or a user.',
  message: 'The text of the message.',
  mediaUrls: 'https URLs of media that carriers fetch, at most 10.',
  from: "The sending number, one of the account's.",
  autoReply: [
    'The automatic reply to the first reply; sensitive notifications send none.',
    {
      message: 'The text of the automatic reply.',
    },
  ],
  schedule: "Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead.",
  metadata: 'Your own references, as in POST /send.',
});

describeFields(
  TestEmail,
  {
    notificationId: 'The ID of a notification type.',
    parameters: "Values for the content; the samples of the type's default email template without it.",
  },
  DirectEmail,
);

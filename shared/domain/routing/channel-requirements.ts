import type { Channel } from '../../schemas/channel.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { ContentBlocks } from '../../schemas/sending/send-request.ts';
import { isOptedOutOf } from '../phone/sms-opt-outs.ts';
import type { Profile } from '../users/profile.ts';

/** Why a channel cannot be sent, with its failure code if there is one; `reason` where it is not what is missing. */
type Missing = { because: string; code?: FailureCode; reason?: 'SUPPRESSED' | 'OPTED_OUT' };

/** The contact data that a channel needs of the user. */
export const CONTACT: Record<
  Channel,
  (user: Partial<Profile>, content: ContentBlocks) => Missing | undefined
> = {
  EMAIL: (user) => {
    if (!user.email) return { because: 'the user has no email address', code: 'MISSING_EMAIL_RECIPIENT' };
    const suppressed = user.emailSuppressionStatus?.reason;
    if (!suppressed) return undefined;
    const [event, code] =
      suppressed === 'Complaint'
        ? (['complaint', 'SUPPRESSED_COMPLAINT'] as const)
        : (['bounce', 'SUPPRESSED_BOUNCE'] as const);
    const because = `the user's email address is suppressed after a ${event}`;
    return { because, code, reason: 'SUPPRESSED' };
  },
  INAPP_WEB: () => undefined,
  SMS: (user, { sms }) => {
    if (!user.number) return { because: 'the user has no phone number', code: 'MISSING_SMS_RECIPIENT' };
    return isOptedOutOf(user.smsOptOuts ?? [], sms?.from)
      ? { because: 'the user opted out of text messages', code: '21610', reason: 'OPTED_OUT' }
      : undefined;
  },
  CALL: (user) =>
    user.number ? undefined : { because: 'the user has no phone number', code: 'MISSING_SMS_RECIPIENT' },
  PUSH: (user) => (user.pushTokens?.length ? undefined : { because: 'the user has no push token' }),
  WEB_PUSH: (user) =>
    user.webPushTokens?.length ? undefined : { because: 'the user has no web push subscription' },
  CHAT: (user) => {
    if (user.chatToken?.webhookUrl) return undefined;
    const webhook = user.chatToken?.incoming_webhook;
    if (user.chatChannel || webhook?.channel_id || webhook?.url) {
      return user.chatToken ? undefined : { because: 'the user has no chat token', code: 'INVALID_AUTH' };
    }
    return { because: 'the user has no chat destination', code: 'CHANNEL_NOT_FOUND' };
  },
};

const NO_CONTENT = 'the request has no content for it and the notification type no template';

/** The parts that a channel's inline content lacks if there is no template. */
export const CONTENT: Record<Channel, (content: ContentBlocks) => Missing | undefined> = {
  EMAIL: ({ email }) => {
    if (!email?.html) return { because: email ? 'it has no html' : NO_CONTENT, code: 'MISSING_EMAIL_HTML' };
    return email.subject ? undefined : { because: 'it has no subject', code: 'MISSING_EMAIL_SUBJECT' };
  },
  INAPP_WEB: ({ inapp }) => (inapp?.title ? undefined : { because: inapp ? 'it has no title' : NO_CONTENT }),
  SMS: ({ sms }) =>
    sms?.message || sms?.mediaUrls?.length
      ? undefined
      : { because: sms ? 'it has no message' : NO_CONTENT, code: 'MISSING_SMS_MESSAGE' },
  CALL: ({ call }) =>
    call?.message
      ? undefined
      : { because: call ? 'it has no message' : NO_CONTENT, code: 'MISSING_SMS_MESSAGE' },
  PUSH: ({ mobile_push }) => lacksTitleAndMessage(mobile_push),
  WEB_PUSH: ({ web_push }) => lacksTitleAndMessage(web_push),
  CHAT: ({ chat }) =>
    chat?.text ? undefined : { because: chat ? 'it has no text' : NO_CONTENT, code: 'NO_TEXT' },
};

function lacksTitleAndMessage(
  block: { title?: string | undefined; message?: string | undefined } | undefined,
): Missing | undefined {
  if (block?.title || block?.message) return undefined;
  return { because: block ? 'it has neither title nor message' : NO_CONTENT };
}

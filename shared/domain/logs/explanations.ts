import { docsOf } from '../../runtime/errors.ts';
import type { Channel } from '../../schemas/channel.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { Routing, RoutingReason } from '../../schemas/logs/log-record.ts';

/** The meaning of a value in the delivery log, and what to do about it. Both are sentences. */
export type Explanation = { meaning: string; fix: string };

const ADDRESS_IS_WRONG = 'Ask the user for another address and store it with POST /users/{userId}.';
const NUMBER_IS_WRONG = 'Ask the user for another number and store it with POST /users/{userId}.';
const LIFT =
  'Once the cause is gone, lift the suppression with DELETE /user_suppression/{userId}/channel/EMAIL.';
const RESPECT =
  'Respect it. Lift the suppression with DELETE /user_suppression/{userId}/channel/EMAIL only if the user asks for it.';
/** What to do about a failure that the sentence before names. */
export const CORRECT_AND_RESEND =
  'Once the cause is corrected, POST /logs/{trackingId}/resend sends the message again.';
const READ_INTERNAL = (field: string) => `Read ${field}: it has the reason. ${CORRECT_AND_RESEND}`;

const PHONE: Record<FailureCode<'SMS'>, Explanation> = {
  '13224': { meaning: 'The number cannot be called.', fix: NUMBER_IS_WRONG },
  '21211': { meaning: 'The number does not exist.', fix: NUMBER_IS_WRONG },
  '21215': {
    meaning: 'The provider is not allowed to reach this country.',
    fix: 'Enable the country in the provider’s geographic permissions.',
  },
  '21265': { meaning: 'The number cannot receive text messages.', fix: NUMBER_IS_WRONG },
  '21610': {
    meaning: 'The recipient replied STOP to this sending number.',
    fix: 'Respect it. Messages go out again once they reply START.',
  },
  '21612': {
    meaning: 'There is no route from the sending number to this number.',
    fix: 'Send from another number of the account (sms.from), or ask the provider about this route.',
  },
  '21614': { meaning: 'The number is not a mobile number.', fix: NUMBER_IS_WRONG },
  '30005': { meaning: 'The number does not exist or is no longer in use.', fix: NUMBER_IS_WRONG },
  '30006': { meaning: 'The number is a landline, or its carrier cannot be reached.', fix: NUMBER_IS_WRONG },
  '30007': {
    meaning: 'The carrier filtered the message as unwanted.',
    fix: 'Register the sending number and its use with the carriers, and avoid shortened links.',
  },
  '30008': {
    meaning: 'The carrier did not deliver the message and gave no reason.',
    fix: 'Send again later. If it repeats, try another sending number.',
  },
  '30453': { meaning: 'The number is blocked.', fix: 'Check the provider’s block list for this number.' },
  '40001': { meaning: 'The number cannot receive text messages.', fix: NUMBER_IS_WRONG },
  '40002': {
    meaning: 'The carrier filtered the message as unwanted.',
    fix: 'Register the sending number and its use with the carriers, and avoid shortened links.',
  },
  '40010': {
    meaning: 'The sending number is not registered for this kind of message.',
    fix: 'Register the number and its campaign with the provider.',
  },
  '40300': {
    meaning: 'The recipient replied STOP to this sending number.',
    fix: 'Respect it. Messages go out again once they reply START.',
  },
  Unknown: {
    meaning: 'The message failed for a reason without a code.',
    fix: READ_INTERNAL('*_failed_internal'),
  },
  MISSING_SMS_RECIPIENT: {
    meaning: 'The user had no phone number when the message was sent.',
    fix: 'Store a number with POST /users/{userId}, or send it in to.number.',
  },
  MISSING_SMS_MESSAGE: {
    meaning: 'The rendered text was empty.',
    fix: 'Check the template and the parameters with ?dryRun=true.',
  },
  INVALID_PHONE_NUMBER: { meaning: 'The provider does not accept the number.', fix: NUMBER_IS_WRONG },
};

const bounced = (meaning: string, fix: string): Explanation => ({ meaning, fix });

export const FAILURE_EXPLANATIONS: { [C in Channel]: Record<FailureCode<C>, Explanation> } = {
  EMAIL: {
    UNVERIFIED_SENDER: {
      meaning: 'The sender address is not on a verified domain.',
      fix: 'Publish the DNS records that GET /domains lists, or send from an address on a verified domain.',
    },
    PERMANENT_GENERAL_BOUNCE: bounced(
      'The recipient’s server rejected the email permanently.',
      `${ADDRESS_IS_WRONG} The address is suppressed. ${LIFT}`,
    ),
    PERMANENT_NO_EMAIL_BOUNCE: bounced(
      'The mailbox does not exist.',
      `${ADDRESS_IS_WRONG} The address is suppressed. ${LIFT}`,
    ),
    PERMANENT_SUPPRESSED_BOUNCE: bounced('SES has the address on its suppression list.', LIFT),
    TRANSIENT_GENERAL_BOUNCE: bounced(
      'The recipient’s server did not accept the email for now.',
      'Send again later. Five such bounces within 14 days suppress the address.',
    ),
    TRANSIENT_MAILBOX_FULL_BOUNCE: bounced(
      'The mailbox is full. SES retries for some hours, then gives up.',
      'Reach the user on another channel, or send again later.',
    ),
    TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE: bounced(
      'The email is too large for the recipient’s server.',
      'Link to large files instead of attaching them.',
    ),
    TRANSIENT_CONTENT_REJECTED_BOUNCE: bounced(
      'The recipient’s server rejected the content.',
      'Check the links and the wording, and the reputation of the sender domain.',
    ),
    TRANSIENT_ATTACHMENT_REJECTED_BOUNCE: bounced(
      'The recipient’s server rejected an attachment.',
      'Send another file type, or link to the file.',
    ),
    UNDETERMINED_BOUNCE: bounced(
      'The email was not delivered for a reason without a code.',
      READ_INTERNAL('email_failed_internal'),
    ),
    COMPLAINT_ABUSE: bounced('The recipient marked the email as spam.', RESPECT),
    COMPLAINT_AUTH: bounced(
      'The recipient’s provider reports an authentication failure.',
      'Check SPF, DKIM and DMARC of the sender domain with GET /domains. The address stays usable.',
    ),
    COMPLAINT_FRAUD: bounced(
      'The recipient’s provider reports the email as fraud or phishing.',
      'Check the links and the sender name. The address is suppressed.',
    ),
    COMPLAINT_NOT_SPAM: bounced('The recipient marked the email as not spam.', 'The address stays usable.'),
    COMPLAINT_OTHER: bounced('The recipient complained about the email.', RESPECT),
    COMPLAINT_VIRUS: bounced(
      'The recipient’s provider found a virus.',
      'Check the attachments and links. The address stays usable.',
    ),
    SUPPRESSED_COMPLAINT: bounced('Not sent: an earlier complaint suppressed the address.', RESPECT),
    SUPPRESSED_BOUNCE: bounced('Not sent: an earlier bounce suppressed the address.', LIFT),
    MISSING_EMAIL_RECIPIENT: bounced(
      'The user had no email address when the email was sent.',
      'Store an address with POST /users/{userId}, or send it in to.email.',
    ),
    MISSING_EMAIL_SUBJECT: bounced(
      'The rendered subject was empty.',
      'Check the template and the parameters with ?dryRun=true.',
    ),
    MISSING_EMAIL_HTML: bounced(
      'The rendered body was empty.',
      'Check the template and the parameters with ?dryRun=true.',
    ),
  },
  INAPP_WEB: {
    IN_APP_WEB_FAILED: {
      meaning: 'The item could not be stored or pushed.',
      fix: READ_INTERNAL('inapp_failed_internal'),
    },
    UNKNOWN: {
      meaning: 'The item was not delivered for a reason without a code.',
      fix: READ_INTERNAL('inapp_failed_internal'),
    },
  },
  SMS: PHONE,
  CALL: PHONE,
  PUSH: {
    NO_APN_CONFIG: {
      meaning: 'The account has no APNs configuration.',
      fix: 'Store one with PUT /settings/push/apn.',
    },
    NO_FCM_CONFIG: {
      meaning: 'The account has no FCM configuration.',
      fix: 'Store one with PUT /settings/push/fcm.',
    },
    INVALID_APN_TOKEN: {
      meaning: 'Apple no longer accepts the device token. It was removed from the user.',
      fix: 'The app registers a new token when it is opened.',
    },
    INVALID_FCM_TOKEN: {
      meaning: 'Google no longer accepts the device token. It was removed from the user.',
      fix: 'The app registers a new token when it is opened.',
    },
    UNKNOWN: {
      meaning: 'The message failed for a reason without a code.',
      fix: READ_INTERNAL('mobile_push_failed_internal'),
    },
  },
  WEB_PUSH: {
    UNSUBSCIRBED_OR_EXPIRED: {
      meaning:
        'The browser subscription has ended. It was removed from the user. The code is spelled this way (sic).',
      fix: 'The page subscribes again on the next visit.',
    },
    UNKNOWN: {
      meaning: 'The message failed for a reason without a code.',
      fix: READ_INTERNAL('web_push_failed_internal'),
    },
  },
  CHAT: {
    CHANNEL_NOT_FOUND: {
      meaning: 'The workspace has no such channel or user.',
      fix: 'Correct chatChannel with POST /users/{userId}. GET /users/{userId}/chat-channels lists the channels.',
    },
    NOT_IN_CHANNEL: {
      meaning: 'The bot is not a member of the channel.',
      fix: 'Invite the bot to the channel.',
    },
    CHANNEL_ARCHIVED: {
      meaning: 'The channel is archived.',
      fix: 'Choose another channel with POST /users/{userId}.',
    },
    MESSAGE_TOO_LONG: {
      meaning: 'The message is longer than the chat provider allows.',
      fix: 'Shorten the text or the blocks.',
    },
    NO_TEXT: {
      meaning: 'The message has neither text nor blocks.',
      fix: 'Set chat.text, or check the template with ?dryRun=true.',
    },
    RESTRICTED_ACTION: {
      meaning: 'The workspace does not allow the bot to post there.',
      fix: 'Ask an administrator of the workspace for permission.',
    },
    TOKEN_EXPIRED: {
      meaning: 'The workspace’s token has expired and could not be renewed.',
      fix: 'Connect again with POST /users/{userId}/chat-oauth.',
    },
    INVALID_AUTH: {
      meaning: 'The workspace revoked the token, or the user has none.',
      fix: 'Connect again with POST /users/{userId}/chat-oauth.',
    },
    UNKNOWN: {
      meaning: 'The message failed for a reason without a code.',
      fix: READ_INTERNAL('chat_failed_internal'),
    },
  },
};

const STORE_TOKEN = 'Store one in pushTokens with POST /users/{userId}.';
const REPLACE_DOMAIN = 'Remove the sender domain with DELETE /domains/{sender}, and add it again.';

/**
 * What to do about the reasons that the service itself records, by how `*_failed_internal` starts: their codes name
 * no cause, or another.
 */
export const REASON_FIXES: Readonly<Record<string, string>> = {
  'the content could not be rendered':
    'Correct the template or the parameters: POST /send?dryRun=true with the same request shows the result.',
  'the rendered SSML is not well-formed':
    'Close every element of the text, and write & and < as &amp; and &lt; where they are no markup.',
  'the rendered title and message are empty':
    'Give it a title or a message. A push of an app may have none with options.apn.contentAvailable.',
  'the message has': 'Shorten the template, or the values that it contains.',
  customData: 'Rename the key in options.push.customData.',
  collapseId: 'Correct options.apn.collapseId.',
  'the user has no push token': STORE_TOKEN,
  'the user has no token': STORE_TOKEN,
  'the user has no web push subscription': 'Store one in webPushTokens with POST /users/{userId}.',
  'endpoint rejected': 'The address of the subscription is not public. The page has to subscribe again.',
  'the environment no longer exists': 'GET /environments lists the environments.',
  'the text message is no longer valid': 'Send it again, with a longer options.sms.validitySeconds.',
  'an email of purpose marketing': 'Add it to the template or its layout.',
  'the account has no postalAddress': 'Store it with POST /account.',
  'the DKIM key': REPLACE_DOMAIN,
  'a recipient is not an email address':
    'Correct the address of the user, and those in ccAddresses and bccAddresses.',
  'SES accepts only ASCII': 'Use an address with only ASCII before the @, or another mail server.',
  'the mail server accepts only ASCII': 'Use an address with only ASCII before the @.',
  attachment:
    'Send again with another URL for the attachment: of a file that is public, small enough and of an allowed type. A resend keeps the URL.',
  media:
    'Send again with other mediaUrls: of files that are public, small enough and of a type that carriers accept. A resend keeps the URLs.',
  'incoming webhook: not of the known host': 'Connect again with POST /users/{userId}/chat-oauth.',
  whether: 'Keep a provider configured until the messages that it may have are settled.',
};

/** Explains a failure that the service itself found; undefined for the words of a provider. */
export function ownReasonOf(internal: string | undefined): Explanation | undefined {
  const [, fix] = Object.entries(REASON_FIXES).find(([start]) => internal?.startsWith(start)) ?? [];
  return internal && fix ? { meaning: sentenceOf(internal), fix } : undefined;
}

/** The words of `*_failed_internal` as a sentence. */
export function sentenceOf(internal: string): string {
  const text = internal.replaceAll(/\s+/g, ' ').trim();
  const sentence = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Explains the decision for a channel (`<channel>_routing`). */
export const ROUTING_EXPLANATIONS: Record<Routing, Explanation> = {
  OFF: {
    meaning: 'The channel is not enabled on the notification type.',
    fix: 'Enable it with PATCH /types/{notificationId}, or name it in forceChannels.',
  },
  SEND: { meaning: 'The message goes out immediately.', fix: 'The log shows the next stages.' },
  BATCH: {
    meaning:
      'The message waits for a digest: the user’s delivery option is hourly, daily, weekly or monthly.',
    fix: 'GET /users/{userId}/waiting shows when it goes out.',
  },
  SCHEDULE: {
    meaning: 'The message waits for its time.',
    fix: 'Change or cancel it with PUT or DELETE /sender/scheduler/{trackingId}.',
  },
  THROTTLED: {
    meaning: 'The user reached the type’s limit of notifications in the period.',
    fix: 'Change throttling with PATCH /types/{notificationId}.',
  },
  DEDUPLICATED: {
    meaning: 'The same content went to the same user within the type’s deduplication window.',
    fix: 'Change deduplication with PATCH /types/{notificationId}.',
  },
  IGNORE: {
    meaning:
      'Skipped when the request was accepted. See the routing reason, or check address, content and condition.',
    fix: 'POST /send?dryRun=true with the same request shows which.',
  },
};

/** Explains why a channel is IGNORE (`<channel>_routing_reason`). */
export const REASON_EXPLANATIONS: Record<RoutingReason, Explanation> = {
  IGNORE_BY_PREFERENCES: {
    meaning: 'The user turned this channel off for this type, or their quiet hours drop it.',
    fix: 'Respect it. GET /users/{userId}/preferences shows the user’s choices.',
  },
  IGNORE_BY_ENVIRONMENT: {
    meaning:
      'The environment, or the whole deployment, does not send on this channel. All channels are turned off when a day costs over its limit.',
    fix: 'The preview shows what would have been sent. Change disableSending or onlyTo with PATCH /environments/{clientId}. The operator turns channels on with the parameter channels, and lets a day cost more with npm run account -- day-cost.',
  },
  IGNORE_BY_DEFAULT_DELIVERY: {
    meaning:
      'The type’s default delivery option for this channel is off, and the user has not chosen another.',
    fix: 'Change options.<channel>.defaultDeliveryOption with PATCH /types/{notificationId}.',
  },
  NO_CONSENT: {
    meaning: 'The type is marketing, and no consent of the user to marketing on this channel is recorded.',
    fix: 'Record the consent with POST /users/{userId}/consents. The user can also turn the type on themselves.',
  },
  NOT_ENABLED: {
    meaning: 'The channel is not enabled on the notification type, or not in forceChannels.',
    fix: 'Enable it with PATCH /types/{notificationId}, or name it in forceChannels.',
  },
  ACCOUNT_DISABLED: {
    meaning: 'The account is disabled.',
    fix: 'The operator enables it with `npm run account -- enable`.',
  },
  TYPE_DISABLED: {
    meaning: 'The notification type is disabled.',
    fix: 'Enable it with PATCH /types/{notificationId}.',
  },
  NO_ADDRESS: {
    meaning: 'The user has no address of this channel: email address, number, token or subscription.',
    fix: 'Store it with POST /users/{userId}, or send it in `to`.',
  },
  NO_CONTENT: {
    meaning: 'The request has no content for the channel, and the notification type no template.',
    fix: 'Add the content to the request, or a template to the type.',
  },
  SUPPRESSED: {
    meaning: 'The address is suppressed after a bounce or a complaint.',
    fix: 'Correct the address. After a bounce that was a mistake, DELETE /suppressions/{channel}/{address} lifts the suppression.',
  },
  OPTED_OUT: {
    meaning: 'The user opted out of text messages from this number.',
    fix: 'Respect it. The user ends it with START.',
  },
  CONDITION: {
    meaning: 'The condition of the request, options.email.condition, is not met.',
    fix: 'Correct the condition if the channel should be sent.',
  },
  OVER_CAP: {
    meaning: 'A usage cap of the organization was reached when the notification was due.',
    fix: 'Raise the cap, or wait for the next period: GET /organization/usage shows both.',
  },
  NO_TYPE: {
    meaning: 'The notification type was deleted while the notification waited.',
    fix: 'Create the type again with POST /types.',
  },
};

/** Returns the address of what docs/errors.md says about a code of a channel; a newer release may have others. */
export function docsOfCode(channel: Channel, code: string): string | undefined {
  if (Object.hasOwn(FAILURE_EXPLANATIONS[channel], code)) return docsOf(channel, code);
  const isRouting = [ROUTING_EXPLANATIONS, REASON_EXPLANATIONS].some((table) => Object.hasOwn(table, code));
  return isRouting ? docsOf('ROUTING', code) : undefined;
}

/** What the log says of variables without a value: its fields `*_missing_count` and `*_missing`. */
export const missingText = (count: unknown, names: unknown): string =>
  `${count === 1 ? 'A variable of the content has' : `${count} variables of the content have`} no value: ${names}.`;

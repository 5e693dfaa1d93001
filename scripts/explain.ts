import type { LogRecord } from './log-summary.ts';

const CHANNELS: readonly (readonly [string, string])[] = [
  ['email', 'Email'],
  ['inapp', 'In-app'],
  ['sms', 'SMS'],
  ['call', 'Call'],
  ['mobile_push', 'Push'],
  ['web_push', 'Web push'],
  ['chat', 'Chat'],
];

const ROUTINGS: Readonly<Record<string, string>> = {
  OFF: 'not enabled on the notification type. PATCH /types/{notificationId} enables channels.',
  BATCH: 'collected for a digest. GET /users/{userId}/waiting shows when it is sent.',
  SCHEDULE: 'waiting for its time.',
  THROTTLED: "not sent: the type's throttling was reached. PATCH /types/{notificationId} changes it.",
  DEDUPLICATED: 'not sent: the same notification was accepted within the deduplication window of the type.',
};

const REASONS: Readonly<Record<string, string>> = {
  IGNORE_BY_PREFERENCES:
    "not sent: the user's preference is off. POST /users/{userId}/preferences changes it.",
  IGNORE_BY_ENVIRONMENT:
    'not sent: the environment has sending disabled for this channel. PATCH /environments/{clientId} enables it.',
  IGNORE_BY_DEFAULT_DELIVERY:
    'not sent: the type is off by default and the user has no preference. PATCH /types/{notificationId} changes the default.',
};

/** Failure codes by what they start with, most specific first. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [
    /^UNVERIFIED_SENDER/,
    'The sender is not on a verified domain. POST /domains adds one; GET /domains shows its DNS records.',
  ],
  [
    /^SUPPRESSED_|PERMANENT_SUPPRESSED/,
    'The address is suppressed after an earlier bounce or complaint. DELETE /user_suppression/{userId}/channel/EMAIL lifts it.',
  ],
  [
    /^PERMANENT_/,
    'The mailbox does not exist or rejects all email. The address is now suppressed: correct it.',
  ],
  [/^TRANSIENT_MAILBOX_FULL/, 'The mailbox is full. Send again later.'],
  [
    /^TRANSIENT_MESSAGE_TOO_LARGE/,
    'The receiving server rejects a message of this size. Link attachments instead.',
  ],
  [/^TRANSIENT_/, 'The receiving server rejected it for now. email_failed_internal has its message.'],
  [/^COMPLAINT_/, 'The recipient marked it as spam and is now suppressed.'],
  [/^21610$/, 'The person opted out with STOP. Only START from their phone opts them in again.'],
  [/^(?:21211|21614|INVALID_PHONE_NUMBER)$/, 'The number cannot receive it: check it.'],
  [/^(?:30005|30003)$/, 'The number is unknown or switched off.'],
  [/^30007$/, 'The carrier filtered it as spam. Check registration of the sending number and the text.'],
  [/^MISSING_/, 'The rendered message lacks a required part: check the template and its parameters.'],
  [
    /^NO_(?:APN|FCM)_CONFIG$/,
    'Push has no configuration. PUT /settings/push/apn or /settings/push/fcm sets it.',
  ],
  [
    /^INVALID_(?:APN|FCM)_TOKEN$|UNSUBSCIRBED_OR_EXPIRED/,
    'The device no longer accepts messages. Its token was removed; the app registers a new one.',
  ],
  [/^(?:TOKEN_EXPIRED|INVALID_AUTH)$/, 'The chat connection is no longer valid. Connect the user again.'],
  [
    /^(?:CHANNEL_NOT_FOUND|NOT_IN_CHANNEL|CHANNEL_ARCHIVED)$/,
    'The chat channel cannot be reached: invite the app, or change chatChannel.',
  ],
];

const textOf = (record: LogRecord, name: string) =>
  typeof record[name] === 'string' ? record[name] : undefined;

/** Explains in sentences why a notification did or did not arrive, channel by channel. */
export function explain(record: LogRecord): string[] {
  const [type, user] = [textOf(record, 'type') ?? 'A notification', textOf(record, 'user_id')];
  const received = textOf(record, 'received_at');
  const head = `${type}${user ? ` to ${user}` : ''}${received ? `, accepted ${received}` : ''}.`;
  return [
    head,
    ...notificationSentences(record),
    ...CHANNELS.flatMap((channel) => sentencesOf(record, channel)),
  ];
}

function notificationSentences(record: LogRecord): string[] {
  const failed = textOf(record, 'failed_code');
  const ignored = textOf(record, 'ignored');
  const scheduled = textOf(record, 'scheduled_for');
  return [
    ...(failed ? [`It failed as a whole with ${failed}.`] : []),
    ...(ignored ? [`It was ignored as a whole: ${ignored}.`] : []),
    ...(record.schedule_deleted_at ? ['It was cancelled before its time: nothing was sent.'] : []),
    ...(scheduled && !record.processed_at ? [`It is scheduled for ${scheduled}.`] : []),
  ];
}

function sentencesOf(record: LogRecord, [prefix, name]: readonly [string, string]): string[] {
  const code = textOf(record, `${prefix}_failed_code`);
  const at = (stage: string) => textOf(record, `${prefix}_${stage}_at`);
  if (code !== undefined || at('failed')) return [`${name}: failed. ${failureText(code ?? 'UNKNOWN')}`];
  const [stage] = ['clicked', 'opened', 'delivered', 'sent'].filter((each) => at(each));
  if (stage)
    return [`${name}: ${stage} ${at(stage)}.${stage === 'sent' ? ' No receipt has arrived yet.' : ''}`];
  const reason = textOf(record, `${prefix}_routing_reason`);
  const routing = textOf(record, `${prefix}_routing`);
  if (reason !== undefined && REASONS[reason]) return [`${name}: ${REASONS[reason]}`];
  if (routing !== undefined && ROUTINGS[routing]) return [`${name}: ${ROUTINGS[routing]}`];
  if (routing === 'SEND') return [`${name}: accepted, and not yet sent. Failed attempts are retried.`];
  if (routing === 'IGNORE')
    return [`${name}: not sent: the user has no address for it, or there is no content.`];
  return [];
}

/** Explains a failure code and keeps it. */
export function failureText(code: string): string {
  const known = FAILURES.find(([pattern]) => pattern.test(code))?.[1];
  return `${known ?? 'The provider rejected it; the field *_failed_internal has its message.'} (${code})`;
}

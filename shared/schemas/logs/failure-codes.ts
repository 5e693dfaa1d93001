import type { Channel } from '../channel.ts';

const EMAIL_FAILURE_CODES = [
  'UNVERIFIED_SENDER',
  'PERMANENT_GENERAL_BOUNCE',
  'PERMANENT_NO_EMAIL_BOUNCE',
  'PERMANENT_SUPPRESSED_BOUNCE',
  'TRANSIENT_GENERAL_BOUNCE',
  'TRANSIENT_MAILBOX_FULL_BOUNCE',
  'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
  'TRANSIENT_CONTENT_REJECTED_BOUNCE',
  'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE',
  'UNDETERMINED_BOUNCE',
  'COMPLAINT_ABUSE',
  'COMPLAINT_AUTH',
  'COMPLAINT_FRAUD',
  'COMPLAINT_NOT_SPAM',
  'COMPLAINT_OTHER',
  'COMPLAINT_VIRUS',
  'SUPPRESSED_COMPLAINT',
  'SUPPRESSED_BOUNCE',
  'MISSING_EMAIL_RECIPIENT',
  'MISSING_EMAIL_SUBJECT',
  'MISSING_EMAIL_HTML',
] as const;

const PHONE_FAILURE_CODES = [
  '13224',
  '21211',
  '21215',
  '21265',
  '21610',
  '21614',
  '21612',
  '30005',
  '30006',
  '30007',
  '30008',
  '30453',
  '40001',
  '40002',
  '40010',
  '40300',
  'Unknown',
  'MISSING_SMS_RECIPIENT',
  'MISSING_SMS_MESSAGE',
  'INVALID_PHONE_NUMBER',
] as const;

/** The failure codes each channel may record, and no others. */
export const FAILURE_CODES = {
  EMAIL: EMAIL_FAILURE_CODES,
  INAPP_WEB: ['IN_APP_WEB_FAILED', 'UNKNOWN'],
  SMS: PHONE_FAILURE_CODES,
  CALL: PHONE_FAILURE_CODES,
  PUSH: ['NO_APN_CONFIG', 'NO_FCM_CONFIG', 'INVALID_APN_TOKEN', 'INVALID_FCM_TOKEN', 'UNKNOWN'],
  WEB_PUSH: ['UNSUBSCIRBED_OR_EXPIRED', 'UNKNOWN'],
  CHAT: [
    'CHANNEL_NOT_FOUND',
    'NOT_IN_CHANNEL',
    'CHANNEL_ARCHIVED',
    'MESSAGE_TOO_LONG',
    'NO_TEXT',
    'RESTRICTED_ACTION',
    'TOKEN_EXPIRED',
    'INVALID_AUTH',
    'UNKNOWN',
  ],
} as const satisfies Record<Channel, readonly string[]>;

export type FailureCode<C extends Channel = Channel> = (typeof FAILURE_CODES)[C][number];

/** The code of a failure that no other code names; it differs by channel. */
export const CATCH_ALL_CODE = {
  EMAIL: 'UNDETERMINED_BOUNCE',
  INAPP_WEB: 'UNKNOWN',
  SMS: 'Unknown',
  CALL: 'Unknown',
  PUSH: 'UNKNOWN',
  WEB_PUSH: 'UNKNOWN',
  CHAT: 'UNKNOWN',
} as const satisfies { [C in Channel]: FailureCode<C> };

/** The catch-all code of a channel that is known only at run time; the table guarantees that it is one of its codes. */
export function catchAllCode<C extends Channel>(channel: C): FailureCode<C> {
  return CATCH_ALL_CODE[channel] as FailureCode<C>;
}

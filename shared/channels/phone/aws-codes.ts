import type {
  AccessDeniedExceptionReason,
  ConflictExceptionReason,
  EventType,
  ServiceQuotaExceededExceptionReason,
  ValidationExceptionReason,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import type { LogFields } from '../../schemas/log-record.ts';
import { type PhoneFailureCode, type PhoneVerdict, reject, retry } from './verdict.ts';

type AwsReason =
  | AccessDeniedExceptionReason
  | ConflictExceptionReason
  | ServiceQuotaExceededExceptionReason
  | ValidationExceptionReason;

const COUNTRY_CLOSED = reject('21215');
const NO_ROUTE = reject('21612');
const NOT_REGISTERED = reject('40010');
const UNNAMED = reject('Unknown');

/** Verdicts by the `Reason` member of an exception; checked first. */
export const AWS_REASONS: Readonly<Partial<Record<AwsReason, PhoneVerdict>>> = {
  COUNTRY_NOT_ENABLED: COUNTRY_CLOSED,
  DESTINATION_COUNTRY_BLOCKED: COUNTRY_CLOSED,
  INTERNATIONAL_SENDING_NOT_SUPPORTED: COUNTRY_CLOSED,
  DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION: COUNTRY_CLOSED,
  INVALID_IDENTITY_FOR_DESTINATION_COUNTRY: NO_ROUTE,
  SENDER_ID_NOT_SUPPORTED: NO_ROUTE,
  NO_ORIGINATION_IDENTITIES_FOUND: NO_ROUTE,
  NUMBER_CAPABILITIES_MISMATCH: NO_ROUTE,
  MESSAGE_TYPE_MISMATCH: NO_ROUTE,
  VOICE_CAPABILITY_NOT_AVAILABLE: NO_ROUTE,
  SENDER_ID_NOT_REGISTERED: NOT_REGISTERED,
  SENDER_ID_REQUIRES_REGISTRATION: NOT_REGISTERED,
  REGISTRATION_NOT_COMPLETE: NOT_REGISTERED,
  DESTINATION_PHONE_NUMBER_OPTED_OUT: reject('21610'),
  DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE: reject('30453'),
  DESTINATION_PHONE_NUMBER_NOT_VERIFIED: UNNAMED,
  PRICE_OVER_THRESHOLD: UNNAMED,
  MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT: UNNAMED,
  MONTHLY_SPEND_LIMIT_REACHED_FOR_MEDIA: UNNAMED,
  MONTHLY_SPEND_LIMIT_REACHED_FOR_VOICE: UNNAMED,
  DAILY_DESTINATION_CALL_LIMIT: UNNAMED,
  ACCOUNT_DISABLED: UNNAMED,
  INSUFFICIENT_ACCOUNT_REPUTATION: UNNAMED,
};

/** Verdicts by the request member that a ValidationException names. */
export const AWS_FIELDS: Readonly<Record<string, PhoneVerdict>> = {
  DestinationPhoneNumber: reject('INVALID_PHONE_NUMBER'),
};

/** Verdicts by the `ResourceType` of a ResourceNotFoundException: those that can be the sender. */
export const AWS_MISSING_RESOURCES: Readonly<Record<string, PhoneVerdict>> = {
  'phone-number': NO_ROUTE,
  'sender-id': NO_ROUTE,
  pool: NO_ROUTE,
};

/** Verdicts by an exception's own name. */
export const AWS_EXCEPTIONS: Readonly<Record<string, PhoneVerdict>> = {
  ThrottlingException: retry(),
  InternalServerException: retry(),
  // Rotated credentials: the retry signs with new ones.
  ExpiredTokenException: retry(),
};

type CallCode = NonNullable<LogFields['call_delivered_code']>;

/** The meaning of a final event; `progress` events are never final. */
export type AwsEventMeaning =
  | { kind: 'delivered'; callCode?: CallCode }
  | { kind: 'failed'; code: PhoneFailureCode }
  | { kind: 'progress' };

const PROGRESS: AwsEventMeaning = { kind: 'progress' };
const DELIVERED: AwsEventMeaning = { kind: 'delivered' };

function failed(code: PhoneFailureCode): AwsEventMeaning {
  return { kind: 'failed', code };
}

function called(callCode: CallCode): AwsEventMeaning {
  return { kind: 'delivered', callCode };
}

/**
 * The meaning of each event type. `SUCCESSFUL` and `DELIVERED` both mean delivered, depending on the country.
 * `VOICE_FAILED` is 13224 instead if the number was bad.
 */
export const AWS_EVENTS: Readonly<Record<EventType, AwsEventMeaning>> = {
  ALL: PROGRESS,
  TEXT_ALL: PROGRESS,
  TEXT_QUEUED: PROGRESS,
  TEXT_PENDING: PROGRESS,
  TEXT_SENT: PROGRESS,
  TEXT_SUCCESSFUL: DELIVERED,
  TEXT_DELIVERED: DELIVERED,
  TEXT_INVALID: failed('21211'),
  TEXT_INVALID_MESSAGE: failed('Unknown'),
  TEXT_UNREACHABLE: failed('30005'),
  TEXT_CARRIER_UNREACHABLE: failed('30006'),
  TEXT_BLOCKED: failed('30007'),
  TEXT_CARRIER_BLOCKED: failed('30007'),
  TEXT_SPAM: failed('40002'),
  TEXT_PROTECT_BLOCKED: failed('30453'),
  TEXT_TTL_EXPIRED: failed('30008'),
  TEXT_UNKNOWN: failed('30008'),
  MEDIA_ALL: PROGRESS,
  MEDIA_QUEUED: PROGRESS,
  MEDIA_PENDING: PROGRESS,
  MEDIA_SUCCESSFUL: DELIVERED,
  MEDIA_DELIVERED: DELIVERED,
  MEDIA_INVALID: failed('21211'),
  MEDIA_INVALID_MESSAGE: failed('Unknown'),
  MEDIA_FILE_INACCESSIBLE: failed('Unknown'),
  MEDIA_FILE_SIZE_EXCEEDED: failed('Unknown'),
  MEDIA_FILE_TYPE_UNSUPPORTED: failed('Unknown'),
  MEDIA_UNREACHABLE: failed('30005'),
  MEDIA_CARRIER_UNREACHABLE: failed('30006'),
  MEDIA_BLOCKED: failed('30007'),
  MEDIA_CARRIER_BLOCKED: failed('30007'),
  MEDIA_SPAM: failed('40002'),
  MEDIA_TTL_EXPIRED: failed('30008'),
  MEDIA_UNKNOWN: failed('30008'),
  VOICE_ALL: PROGRESS,
  VOICE_INITIATED: PROGRESS,
  VOICE_RINGING: PROGRESS,
  VOICE_ANSWERED: PROGRESS,
  VOICE_COMPLETED: called('COMPLETED'),
  VOICE_BUSY: called('BUSY'),
  VOICE_NO_ANSWER: called('NO_ANSWER'),
  VOICE_TTL_EXPIRED: called('UNKNOWN'),
  VOICE_FAILED: failed('Unknown'),
  RCS_ALL: PROGRESS,
  RCS_QUEUED: PROGRESS,
  RCS_SENT: PROGRESS,
  RCS_READ: PROGRESS,
  RCS_FALLEN_BACK_TO_SMS: PROGRESS,
  RCS_DELIVERED: DELIVERED,
  RCS_FAILED: failed('Unknown'),
  RCS_PROTECT_BLOCKED: failed('30453'),
  RCS_TTL_EXPIRED: failed('30008'),
};

import type {
  AccessDeniedExceptionReason,
  ConflictExceptionReason,
  EventType,
  ServiceQuotaExceededExceptionReason,
  ValidationExceptionReason,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import {
  final,
  type PhoneFailureCode,
  type PhoneOutcome,
  passing,
  UNKNOWN_CODE,
} from '../outcome/phone-outcome.ts';

type AwsReason =
  | AccessDeniedExceptionReason
  | ConflictExceptionReason
  | ServiceQuotaExceededExceptionReason
  | ValidationExceptionReason;

/** Outcomes by the `Reason` member of an exception; checked first. */
export const AWS_REASONS: Readonly<Partial<Record<AwsReason, PhoneOutcome>>> = {
  COUNTRY_NOT_ENABLED: final('21215', 'sender', 'the account may not send to this country'),
  DESTINATION_COUNTRY_BLOCKED: final('21215', 'sender', 'AWS does not send to this country'),
  INTERNATIONAL_SENDING_NOT_SUPPORTED: final('21215', 'sender', 'the sending number sends in one country'),
  DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION: final(
    '21215',
    'sender',
    'the protect configuration blocks this country',
  ),
  INVALID_IDENTITY_FOR_DESTINATION_COUNTRY: final(
    '21612',
    'sender',
    'the sender cannot send to this country',
  ),
  SENDER_ID_NOT_SUPPORTED: final('21612', 'sender', 'no sender ID is allowed in this country'),
  NO_ORIGINATION_IDENTITIES_FOUND: final('21612', 'sender', 'no sending number fits'),
  NUMBER_CAPABILITIES_MISMATCH: final('21612', 'sender', 'the sending number cannot send this kind'),
  MESSAGE_TYPE_MISMATCH: final('21612', 'sender', 'the sending number is for another message type'),
  VOICE_CAPABILITY_NOT_AVAILABLE: final('21612', 'sender', 'the sending number cannot call'),
  SENDER_ID_NOT_REGISTERED: final('40010', 'sender', 'the sender ID is not registered'),
  SENDER_ID_REQUIRES_REGISTRATION: final('40010', 'sender', 'the sender ID must be registered'),
  REGISTRATION_NOT_COMPLETE: final('40010', 'sender', 'the registration of the sender is not complete'),
  DESTINATION_PHONE_NUMBER_OPTED_OUT: final('21610', 'message', 'the recipient opted out'),
  DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE: final(
    '30453',
    'message',
    'the protect configuration blocks this number',
  ),
  DESTINATION_PHONE_NUMBER_NOT_VERIFIED: final(UNKNOWN_CODE, 'account', 'the account is in the sandbox'),
  PRICE_OVER_THRESHOLD: final(UNKNOWN_CODE, 'message', 'more expensive than the limit'),
  MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT: final(UNKNOWN_CODE, 'account', 'spending limit of text messages'),
  MONTHLY_SPEND_LIMIT_REACHED_FOR_MEDIA: final(UNKNOWN_CODE, 'account', 'spending limit of media'),
  MONTHLY_SPEND_LIMIT_REACHED_FOR_VOICE: final(UNKNOWN_CODE, 'account', 'spending limit of calls'),
  DAILY_DESTINATION_CALL_LIMIT: final(UNKNOWN_CODE, 'sender', 'daily limit of calls to this number'),
  ACCOUNT_DISABLED: final(UNKNOWN_CODE, 'account', 'the account is disabled'),
  INSUFFICIENT_ACCOUNT_REPUTATION: final(UNKNOWN_CODE, 'account', 'reputation of the account'),
};

/** Outcomes by the request member that a ValidationException names. */
export const AWS_FIELDS: Readonly<Record<string, PhoneOutcome>> = {
  DestinationPhoneNumber: final('INVALID_PHONE_NUMBER', 'message', 'invalid recipient'),
};

/** Outcomes by the `ResourceType` of a ResourceNotFoundException, for resources that can be the sender. */
export const AWS_MISSING_RESOURCES: Readonly<Record<string, PhoneOutcome>> = {
  'phone-number': final('21612', 'sender', 'the sending number does not exist'),
  'sender-id': final('21612', 'sender', 'the sender ID does not exist'),
  pool: final('21612', 'sender', 'the pool does not exist'),
};

/** A mistake of the operator: messages wait until it is corrected, or go to another provider. */
function held(meaning: string): PhoneOutcome {
  return { ...passing(UNKNOWN_CODE, meaning), cause: 'account' };
}

export const AWS_EXCEPTIONS: Readonly<Record<string, PhoneOutcome>> = {
  AccessDeniedException: held('the role may not send; a change of permissions takes time'),
  UnrecognizedClientException: held('credentials that AWS does not know yet, or no longer'),
  ServiceQuotaExceededException: final(UNKNOWN_CODE, 'account', 'a quota of the account'),
  ResourceNotFoundException: held('the configuration set does not exist'),
  ThrottlingException: passing(UNKNOWN_CODE, 'too many requests'),
  InternalServerException: passing(UNKNOWN_CODE, 'error of AWS'),
  InvalidSignatureException: passing(UNKNOWN_CODE, 'the signature is too old; the retry signs again'),
  ExpiredTokenException: passing(UNKNOWN_CODE, 'rotated credentials; the retry signs with new ones'),
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

/**
 * The event types that have a meaning, by kind (`text`, `media`, …), because one destination accepts a limited number. Progress
 * would be billed: several events per message.
 */
export function awsEventTypes(): Record<string, string[]> {
  const types = Object.entries(AWS_EVENTS).filter(([, meaning]) => meaning.kind !== 'progress');
  const byKind = Map.groupBy(types, ([name]) => name.slice(0, name.indexOf('_')).toLowerCase());
  return Object.fromEntries([...byKind].map(([kind, rows]) => [kind, rows.map(([name]) => name)]));
}

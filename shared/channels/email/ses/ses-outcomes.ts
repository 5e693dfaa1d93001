import { CATCH_ALL_CODE } from '../../../schemas/logs/failure-codes.ts';
import type { Cause } from '../../failure/not-accepted.ts';
import type { EmailFailureCode } from '../email-failure.ts';

/**
 * Meaning of an exception of SES. `text`, if present, must match its message. `hold` waits 15 to 60 minutes, `slowDown` waits
 * from a second, `doubt` retries a message that SES possibly accepted; `code` is recorded in the end. Without a `cause`, the
 * response's status decides whether another provider is tried.
 */
export type SesOutcome = {
  exception: string | RegExp;
  text?: RegExp;
  kind: 'rejected' | 'hold' | 'slowDown' | 'doubt';
  code: EmailFailureCode;
  cause?: Cause;
  meaning: string;
};

/** The code of every failure that no row lists. */
export const SES_CATCH_ALL = CATCH_ALL_CODE.EMAIL;

const UNVERIFIED = /not verified|unverified|failed the check/i;
const SIZE =
  /too (large|long|big)|(message|content) (length|size)|size (limit|exceed)|maximum (message )?(length|size)/i;
const RECIPIENT =
  /^(?!.*\b(from|reply-?to|return-?path|source|sender|feedback)).*(address|@domain|domain (name )?(contains|starts|ends|is)|user ?name)/is;
const DAILY = /daily|24.?hour|quota/i;
const RATE = /^(TooManyRequests|Throttling)(Exception)?$/;
const NOT_ALLOWED = /^(AccessDenied|NotAuthorized|UnrecognizedClient|InvalidClientTokenId)(Exception)?$/;
const EXPIRED = /expired|not yet current/i;
const PASSING = /^(ExpiredToken|RequestExpired|RequestTimeTooSkewed|RequestTimeout)/;

/** Outcomes of SES. The first matching row decides; without a match, the response's status does. */
export const SES_OUTCOMES: readonly SesOutcome[] = [
  final('MessageRejected', UNVERIFIED, 'UNVERIFIED_SENDER', 'sender', 'the sender is not verified'),
  final('MessageRejected', SIZE, 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE', 'message', 'too large'),
  final('MessageRejected', undefined, 'TRANSIENT_CONTENT_REJECTED_BOUNCE', 'message', 'rejected content'),
  final(
    'MailFromDomainNotVerifiedException',
    undefined,
    'UNVERIFIED_SENDER',
    'sender',
    'the MAIL FROM domain is not verified',
  ),
  final('BadRequestException', SIZE, 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE', 'message', 'too large'),
  final('BadRequestException', RECIPIENT, 'PERMANENT_NO_EMAIL_BOUNCE', 'message', 'a malformed recipient'),
  final('BadRequestException', undefined, SES_CATCH_ALL, 'message', 'a malformed message'),
  passing('NotFoundException', 'hold', 'account', 'the configuration set does not exist'),
  passing(NOT_ALLOWED, 'slowDown', 'account', 'the role may not send; a change of permissions takes time'),
  passing('AccountSuspendedException', 'hold', 'account', 'the account is suspended'),
  passing('SendingPausedException', 'hold', 'account', 'sending is paused'),
  passing('LimitExceededException', 'hold', 'busy', 'the daily quota is used up'),
  { ...passing(RATE, 'hold', 'busy', 'the daily quota is used up'), text: DAILY },
  passing(RATE, 'slowDown', undefined, 'too many requests'),
  passing(PASSING, 'doubt', 'open', 'the signature is too old; the retry signs again'),
  { ...passing('InvalidSignatureException', 'doubt', 'open', 'the same, in other words'), text: EXPIRED },
];

function final(
  exception: string,
  text: RegExp | undefined,
  code: EmailFailureCode,
  cause: Cause,
  meaning: string,
): SesOutcome {
  return { exception, ...(text && { text }), kind: 'rejected', code, cause, meaning };
}

function passing(
  exception: string | RegExp,
  kind: SesOutcome['kind'],
  cause: Cause | undefined,
  meaning: string,
): SesOutcome {
  return { exception, kind, code: SES_CATCH_ALL, ...(cause && { cause }), meaning };
}

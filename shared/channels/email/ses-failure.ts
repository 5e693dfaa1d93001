import * as v from 'valibot';
import {
  type NotAccepted,
  notAcceptedBy,
  notConnected,
  PROOFS,
  proofOf,
  withoutCredentials,
} from '../not-accepted.ts';
import { type EmailFailure, type EmailFailureCode, proving, reject, retry } from './email-failure.ts';

const LenientText = v.fallback(v.optional(v.string(), ''), '');
const Thrown = v.object({
  name: v.string(),
  message: LenientText,
  code: LenientText,
  $metadata: v.fallback(v.object({ httpStatusCode: v.optional(v.number()) }), { httpStatusCode: undefined }),
});
type Thrown = v.InferOutput<typeof Thrown>;
type Classifier = (thrown: Thrown, attempt: number, random: () => number) => EmailFailure;

const CATCH_ALL: EmailFailureCode = 'UNDETERMINED_BOUNCE';
const HOLD_SECONDS = 15 * 60;
const HOLD_SECONDS_MAX = 60 * 60;
const THROTTLE_SECONDS_MAX = 256;
const DOUBTFUL_TRIES_MAX = 5;
const DOUBTFUL_SECONDS_MAX = 900;

// Errors without a response: time limits, lost connections.
const UNANSWERED = ['TimeoutError', 'AbortError', 'RequestTimeout'];
const NETWORK_CODE = /^(E[A-Z]{3,}|EAI_[A-Z]+|ERR_TLS_[A-Z_]+|ERR_SSL_[A-Z_]+|CERT_[A-Z_]+)$/;
const PASSING = /^(ExpiredToken|RequestExpired|RequestTimeTooSkewed|RequestTimeout)/;

const UNVERIFIED = /not verified|unverified|failed the check/i;
const SIZE =
  /too (large|long|big)|(message|content) (length|size)|size (limit|exceed)|maximum (message )?(length|size)/i;
const ADDRESS = /address|@domain|domain (name )?(contains|starts|ends|is)|user ?name/i;
const OTHER_ADDRESS = /\b(from|reply-?to|return-?path|source|sender|feedback)/i;
const DAILY = /daily|24.?hour|quota/i;

const CLASSIFIERS: Readonly<Record<string, Classifier>> = {
  MessageRejected: (thrown) => reject(codeOfRejection(thrown.message), toInternal(thrown)),
  MailFromDomainNotVerifiedException: (thrown) => reject('UNVERIFIED_SENDER', toInternal(thrown)),
  BadRequestException: (thrown) => reject(codeOfBadRequest(thrown.message), toInternal(thrown)),
  NotFoundException: (thrown) => reject(CATCH_ALL, toInternal(thrown)),
  AccountSuspendedException: hold,
  SendingPausedException: hold,
  LimitExceededException: hold,
  TooManyRequestsException: slowDown,
  ThrottlingException: slowDown,
};

/**
 * Returns the outcome of an error of the SES client; undefined if it is a fault of this service, which the
 * caller rethrows. A paused or suspended account and a used-up daily quota delay the message for 15 to 60
 * minutes; a rate over the limit slows it down, 1 s doubling with jitter. A message that may have been
 * accepted is tried five times within about 15 minutes.
 */
export function findSesFailure(
  error: unknown,
  attempt: number,
  random: () => number,
): EmailFailure | undefined {
  const parsed = v.safeParse(Thrown, error);
  if (!parsed.success) return undefined;
  const thrown = parsed.output;
  const status = thrown.$metadata.httpStatusCode;
  const classify = Object.hasOwn(CLASSIFIERS, thrown.name) ? CLASSIFIERS[thrown.name] : classifyStatus;
  const failure =
    status === undefined
      ? classifySilence(thrown, attempt, random)
      : (classify ?? classifyStatus)(thrown, attempt, random);
  return failure && proving(failure, proofOfThrown(thrown));
}

function proofOfThrown(thrown: Thrown): NotAccepted | undefined {
  const { name, code, message } = thrown;
  const status = thrown.$metadata.httpStatusCode;
  if (status === undefined) return notConnected(code || name, message) ?? withoutCredentials(code, name);
  if (status < 300 || name === 'BadRequestException' || PASSING.test(name)) return undefined;
  if (name === 'MessageRejected') return UNVERIFIED.test(message) ? 'sender' : undefined;
  if (CLASSIFIERS[name] === slowDown && DAILY.test(message)) return 'busy';
  return proofOf(PROOFS.ses, name) ?? notAcceptedBy(status);
}

// A response below 300 that the client could not read: whether the message was accepted is unknown.
function classifyStatus(thrown: Thrown, attempt: number, random: () => number): EmailFailure {
  const status = thrown.$metadata.httpStatusCode ?? 500;
  if (status === 429) return slowDown(thrown, attempt, random);
  const isPassing = status >= 500 || status === 408 || status < 300 || PASSING.test(thrown.name);
  return isPassing ? doubt(thrown, attempt, random) : reject(CATCH_ALL, toInternal(thrown));
}

function classifySilence(thrown: Thrown, attempt: number, random: () => number): EmailFailure | undefined {
  if (proofOfThrown(thrown)) return retry(CATCH_ALL, toInternal(thrown));
  const isUnanswered = UNANSWERED.includes(thrown.name) || NETWORK_CODE.test(thrown.code);
  return isUnanswered ? doubt(thrown, attempt, random) : undefined;
}

// The message may have been accepted, and each retry may repeat it: few retries, far apart.
function doubt(thrown: Thrown, attempt: number, random: () => number): EmailFailure {
  const base = Math.min(DOUBTFUL_SECONDS_MAX, 5 ** Math.max(1, attempt));
  const afterSeconds = Math.round(base * (1 + random() / 2));
  return retry(CATCH_ALL, toInternal(thrown), { afterSeconds, triesMax: DOUBTFUL_TRIES_MAX });
}

function hold(thrown: Thrown, attempt: number): EmailFailure {
  const seconds = Math.min(HOLD_SECONDS_MAX, HOLD_SECONDS * Math.max(1, attempt));
  return retry(CATCH_ALL, toInternal(thrown), { afterSeconds: seconds });
}

function slowDown(thrown: Thrown, attempt: number, random: () => number): EmailFailure {
  if (DAILY.test(thrown.message)) return hold(thrown, attempt);
  const base = Math.min(THROTTLE_SECONDS_MAX, 2 ** Math.max(0, attempt - 1));
  return retry(CATCH_ALL, toInternal(thrown), { afterSeconds: Math.round(base * (1 + random())) });
}

function codeOfRejection(message: string): EmailFailureCode {
  if (UNVERIFIED.test(message)) return 'UNVERIFIED_SENDER';
  return SIZE.test(message) ? 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE' : 'TRANSIENT_CONTENT_REJECTED_BOUNCE';
}

function codeOfBadRequest(message: string): EmailFailureCode {
  if (SIZE.test(message)) return 'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE';
  const isRecipients = ADDRESS.test(message) && !OTHER_ADDRESS.test(message);
  return isRecipients ? 'PERMANENT_NO_EMAIL_BOUNCE' : CATCH_ALL;
}

function toInternal(thrown: Thrown): string {
  const status = thrown.$metadata.httpStatusCode;
  if (status === undefined) return `${thrown.name} ${thrown.code}`.trim();
  return [thrown.name, `HTTP ${status}`, thrown.message].filter(Boolean).join(' ');
}

import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import { type NotAccepted, PROOFS } from '../../failure/not-accepted.ts';
import { doubt, type EmailFailure, type EmailFailureCode, proving, reject, retry } from '../email-failure.ts';
import { readFailure } from '../inbound/failure-reply.ts';

const Thrown = v.object({
  name: v.fallback(v.string(), 'Error'),
  code: v.string(),
  message: v.fallback(v.string(), ''),
  command: v.fallback(v.optional(v.string(), ''), ''),
  response: v.fallback(v.optional(v.string(), ''), ''),
  responseCode: v.fallback(v.optional(v.number()), undefined),
  recipient: v.fallback(v.optional(v.string()), undefined),
  rejectedErrors: v.fallback(v.optional(v.array(v.unknown()), []), []),
});
type Thrown = v.InferOutput<typeof Thrown>;

const CATCH_ALL: EmailFailureCode = 'UNDETERMINED_BOUNCE';
const WANTS_LOGIN = [530, 534, 535, 538];
const MESSAGE_COMMANDS = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** The cause: the server, the recipient's mailbox or the message's size. */
const OF_MAILBOX: readonly EmailFailureCode[] = [
  'TRANSIENT_MAILBOX_FULL_BOUNCE',
  'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
];
const QUOTA = /quota|limit exceeded|too many (messages|connections)/i;

/**
 * Returns the outcome of an error of nodemailer for a message to `to`; undefined if it is a fault of this
 * service, which the caller rethrows. 4xx, login and connection failures are retried. `dataBegun`: DATA was
 * written, so without a reply the server may have the message.
 */
export function findSmtpFailure(
  error: unknown,
  to: string,
  { dataBegun = true, attempt = 1 }: { dataBegun?: boolean; attempt?: number } = {},
): EmailFailure | undefined {
  const parsed = v.safeParse(Thrown, error);
  if (!parsed.success) return undefined;
  const thrown = findOfRecipient(parsed.output, to) ?? parsed.output;
  const classified = classify(thrown);
  const isDoubtful = dataBegun && thrown.responseCode === undefined && classified?.kind === 'retry';
  const failure = isDoubtful ? doubt(classified.code, classified.internal, attempt) : classified;
  return failure && proving(failure, proofOfThrown(thrown, failure, dataBegun));
}

function classify(thrown: Thrown): EmailFailure | undefined {
  const { command, responseCode } = thrown;
  if (responseCode === undefined) return withoutReply(thrown);
  if (!MESSAGE_COMMANDS.includes(command) || WANTS_LOGIN.includes(responseCode)) {
    return retry(CATCH_ALL, toInternal(thrown));
  }
  return classifyReply(thrown, responseCode);
}

/**
 * A reply to a message command is a rejection, at the latest to DATA's end (RFC 5321 §4.2.5); its subject
 * decides.
 */
function proofOfThrown(
  { code, command, responseCode, response }: Thrown,
  failure: EmailFailure,
  dataBegun: boolean,
): NotAccepted | undefined {
  const proofs = PROOFS.smtp;
  const isLogin = code === 'EAUTH' && !MESSAGE_COMMANDS.includes(command);
  if (isLogin || WANTS_LOGIN.includes(responseCode ?? 0)) return proofs['AUTH rejected or required'];
  if (responseCode === undefined) {
    return failure.kind === 'retry' && !dataBegun ? proofs['no reply before DATA'] : undefined;
  }
  if (OF_MAILBOX.includes(failure.code)) return undefined;
  if (responseCode === 454 || (responseCode < 500 && QUOTA.test(response))) return proofs['454, or a quota'];
  if (command === 'MAIL FROM') {
    return responseCode < 500 ? proofs['MAIL FROM rejected for now'] : proofs['MAIL FROM rejected'];
  }
  if (!MESSAGE_COMMANDS.includes(command)) return proofs['greeting, EHLO or STARTTLS rejected'];
  if (responseCode === 421) return proofs['421 or 451'];
  // 451 to a recipient is greylisting: the same server accepts it a little later.
  return responseCode === 451 && command === 'DATA' ? proofs['421 or 451'] : undefined;
}

/**
 * The outcome for a recipient whom the server rejected while it accepted the message for others: final,
 * because they have it.
 */
export function findPartialFailure(rejectedErrors: readonly unknown[], to: string): EmailFailure | undefined {
  const failures = rejectedErrors.map((each) => v.safeParse(Thrown, each));
  const thrown = failures.map(({ success, output }) => (success ? output : undefined)).find(isAbout(to));
  if (thrown?.responseCode === undefined) return undefined;
  const failure = classifyReply(thrown, thrown.responseCode);
  return failure.kind === 'rejected'
    ? failure
    : reject(failure.code, failure.internal, diagnosticsOf(thrown));
}

function classifyReply(thrown: Thrown, responseCode: number): EmailFailure {
  const { command, response } = thrown;
  const { code, suppresses } = readFailure({ command, code: responseCode, text: response });
  const internal = toInternal(thrown);
  const fields = diagnosticsOf(thrown);
  if (responseCode < 500) return retry(code, internal, { fields });
  return { ...reject(code, internal, fields), ...(suppresses ? { suppresses } : {}) };
}

// nodemailer itself rejects a message over the size that the server announced, and addresses that violate the
// protocol.
function withoutReply(thrown: Thrown): EmailFailure | undefined {
  const internal = toInternal(thrown);
  if (thrown.code === 'EMESSAGE' && thrown.command === 'MAIL FROM') {
    return reject('TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE', internal);
  }
  if (thrown.code === 'EENVELOPE') return reject('PERMANENT_NO_EMAIL_BOUNCE', internal);
  return /^E[A-Z]+$/.test(thrown.code) ? retry(CATCH_ALL, internal) : undefined;
}

function findOfRecipient(thrown: Thrown, to: string): Thrown | undefined {
  return thrown.rejectedErrors
    .map((each) => v.safeParse(Thrown, each))
    .map(({ success, output }) => (success ? output : undefined))
    .find(isAbout(to));
}

function isAbout(to: string) {
  return (thrown: Thrown | undefined): thrown is Thrown => thrown?.recipient === to;
}

function diagnosticsOf({ recipient, response }: Thrown) {
  return {
    ...defined({ email_failed_recipient: recipient || undefined }),
    email_failed_diagnostic_code: `smtp; ${response}`,
  };
}

function toInternal({ code, command, response, message }: Thrown): string {
  return [code, command, response || message].filter(Boolean).join(' ');
}

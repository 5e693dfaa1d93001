import * as v from 'valibot';
import { isUnanswered, provenBy, provenByClient } from '../../failure/not-accepted.ts';
import { doubt, type EmailFailure, proving, reject, retry } from '../email-failure.ts';
import { SES_CATCH_ALL, SES_OUTCOMES, type SesOutcome } from './ses-outcomes.ts';

const LenientText = v.fallback(v.optional(v.string(), ''), '');
const Thrown = v.object({
  name: v.string(),
  message: LenientText,
  code: LenientText,
  requestWritten: v.fallback(v.optional(v.boolean()), undefined),
  $metadata: v.fallback(v.object({ httpStatusCode: v.optional(v.number()) }), { httpStatusCode: undefined }),
});
type Thrown = v.InferOutput<typeof Thrown>;

const HOLD_SECONDS = 15 * 60;
const HOLD_SECONDS_MAX = 60 * 60;
const THROTTLE_SECONDS_MAX = 256;

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
  from = '',
): EmailFailure | undefined {
  const parsed = v.safeParse(Thrown, error);
  if (!parsed.success) return undefined;
  const thrown = parsed.output;
  const status = thrown.$metadata.httpStatusCode;
  if (status === undefined) return classifySilence(thrown, attempt, random);
  const found = findOutcome(thrown, status) ?? outcomeOfStatus(status);
  const outcome = found.code === 'UNVERIFIED_SENDER' && isAboutRecipient(thrown, from) ? IN_SANDBOX : found;
  return proving(failureOf(outcome, thrown, attempt, random), provenBy(outcome.cause, status));
}

function findOutcome(thrown: Thrown, status: number): SesOutcome | undefined {
  return status < 300 ? undefined : SES_OUTCOMES.find((row) => isAbout(row, thrown));
}

function isAbout({ exception, text }: SesOutcome, { name, message }: Thrown): boolean {
  const isNamed = typeof exception === 'string' ? exception === name : exception.test(name);
  return isNamed && (text === undefined || text.test(message));
}

function outcomeOfStatus(status: number): Pick<SesOutcome, 'kind' | 'code' | 'cause'> {
  const code = SES_CATCH_ALL;
  if (status === 429) return { kind: 'slowDown', code };
  // A response below 300 that the client could not read: whether the message was accepted is unknown.
  if (status < 300) return { kind: 'doubt', code, cause: 'open' };
  return { kind: status >= 500 || status === 408 ? 'doubt' : 'rejected', code };
}

/** In the sandbox, SES reports an unverified recipient in the same words as an unverified sender. */
const IN_SANDBOX = { kind: 'rejected', code: SES_CATCH_ALL, cause: 'account' } as const;

/** True if SES lists the identities that failed, and the sender's is not among them. */
function isAboutRecipient({ message }: Thrown, from: string): boolean {
  const listed = /failed the check in region [\w-]*:(.*)/is.exec(message)?.[1];
  if (listed === undefined || from === '') return false;
  const sender = from.toLowerCase();
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const names = listed
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^.*<|>.*/gs, ''));
  return !names.some((name) => name === sender || name === domain || domain.endsWith(`.${name}`));
}

function failureOf(
  { kind, code }: Pick<SesOutcome, 'kind' | 'code'>,
  thrown: Thrown,
  attempt: number,
  random: () => number,
): EmailFailure {
  if (kind === 'hold') return hold(thrown, attempt);
  if (kind === 'slowDown') return slowDown(thrown, attempt, random);
  if (kind === 'doubt') return doubt(code, toInternal(thrown), attempt, random());
  return reject(code, toInternal(thrown));
}

function classifySilence(thrown: Thrown, attempt: number, random: () => number): EmailFailure | undefined {
  const proof = provenByClient(thrown);
  if (proof) return proving(retry(SES_CATCH_ALL, toInternal(thrown)), proof);
  return isUnanswered(thrown) ? doubt(SES_CATCH_ALL, toInternal(thrown), attempt, random()) : undefined;
}

function hold(thrown: Thrown, attempt: number): EmailFailure {
  const seconds = Math.min(HOLD_SECONDS_MAX, HOLD_SECONDS * Math.max(1, attempt));
  return retry(SES_CATCH_ALL, toInternal(thrown), { afterSeconds: seconds });
}

function slowDown(thrown: Thrown, attempt: number, random: () => number): EmailFailure {
  const base = Math.min(THROTTLE_SECONDS_MAX, 2 ** Math.max(0, attempt - 1));
  return retry(SES_CATCH_ALL, toInternal(thrown), { afterSeconds: Math.round(base * (1 + random())) });
}

function toInternal(thrown: Thrown): string {
  const status = thrown.$metadata.httpStatusCode;
  if (status === undefined) return `${thrown.name} ${thrown.code}`.trim();
  return [thrown.name, `HTTP ${status}`, thrown.message].filter(Boolean).join(' ');
}

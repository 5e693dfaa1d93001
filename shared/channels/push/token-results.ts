import * as v from 'valibot';
import { mapAtMost } from '../../runtime/async/map-at-most.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { DeliveryOutcome } from '../channel.ts';
import { internalText } from '../failure/internal-text.ts';

/** The channels that send one message to each of a user's tokens. */
export type TokenChannel = 'PUSH' | 'WEB_PUSH';

/**
 * The outcome for one token. `dead`: the provider reported that the token will never work again, so it is
 * removed from the user. `code` of a retry is recorded after the last retry; `isUncalled`: nothing was sent,
 * because the host is resting.
 */
export type ResultWith<Code extends string> =
  | { kind: 'sent' }
  | { kind: 'rejected'; code: Code; internal: string; dead: boolean }
  | { kind: 'retry'; code: Code; internal: string; afterSeconds?: number; isUncalled?: true };

export type TokenResult<C extends TokenChannel> = ResultWith<FailureCode<C>>;

/** The log fields that name the token of the sent stage and of the failed stage. */
export type TokenFields = {
  sent(token: string): LogFields;
  failed(token: string, internal: string): LogFields;
};

/** Maximum number of a user's tokens that are sent to concurrently. */
const TOKENS_AT_ONCE_MAX = 50;

const WAIT_SECONDS_MAX = 3600;

type Tried<C extends TokenChannel> = { token: string; result: TokenResult<C> };

/**
 * Sends to every distinct token, at most `atOnceMax` concurrently, and combines the results into one outcome.
 * - `sent` if a token was accepted, with the first accepted token. The last permanent failure is noted. Tokens that can still be
 *   accepted remain, and only they are tried again.
 * - `retry` if no token was accepted but a later try can be, after the longest requested wait.
 * - `postponed` if nothing was called because all hosts are resting, until the last of them can be called again.
 * - `rejected` if all failed, with the last failure. Having no tokens is such a failure.
 */
export async function deliverToTokens<C extends TokenChannel, T>(
  entries: readonly T[],
  {
    tokenOf,
    send,
    fields,
    atOnceMax = TOKENS_AT_ONCE_MAX,
  }: {
    tokenOf: (entry: T) => string;
    send: (entry: T) => Promise<TokenResult<C>>;
    fields: TokenFields;
    atOnceMax?: number;
  },
): Promise<DeliveryOutcome<C>> {
  const distinct = [...new Map(entries.map((entry) => [tokenOf(entry), entry])).values()];
  const tried = await mapAtMost(atOnceMax, distinct, async (entry) => ({
    token: tokenOf(entry),
    result: await send(entry),
  }));
  const dead = tried.filter(({ result }) => result.kind === 'rejected' && result.dead);
  const deadTokens = dead.map(({ token }) => token);
  return {
    ...combine(tried, fields),
    ...defined({ deadTokens: deadTokens.length > 0 ? deadTokens : undefined }),
  };
}

function combine<C extends TokenChannel>(tried: Tried<C>[], fields: TokenFields): DeliveryOutcome<C> {
  const sent = tried.find(({ result }) => result.kind === 'sent');
  const failures = tried.flatMap(({ token, result }) => (result.kind === 'sent' ? [] : [{ token, result }]));
  const last = failures.at(-1);
  const retries = failures.flatMap(({ token, result }) =>
    result.kind === 'retry' ? [{ token, result }] : [],
  );
  const lastRetry = retries.at(-1);
  const waits = retries.flatMap(({ result }) => result.afterSeconds ?? []);
  if (sent) {
    const final = failures.findLast(({ result }) => result.kind === 'rejected');
    const noted = (each: typeof last) => (each ? fields.failed(each.token, each.result.internal) : {});
    const remaining = lastRetry && {
      tokens: retries.map(({ token }) => token),
      fields: noted(lastRetry),
      ...defined({ afterSeconds: waits.length > 0 ? Math.max(...waits) : undefined }),
    };
    return {
      kind: 'sent',
      fields: { ...noted(final), ...fields.sent(sent.token) },
      ...defined({ remaining }),
    };
  }
  if (lastRetry) {
    const { code, internal } = lastRetry.result;
    const failure = { code, internal, fields: fields.failed(lastRetry.token, internal) };
    const isUncalled = tried.every(({ result }) => result.kind === 'retry' && result.isUncalled);
    if (isUncalled) return { kind: 'postponed', afterSeconds: Math.max(1, ...waits), failure };
    return {
      kind: 'retry',
      ...failure,
      ...defined({ afterSeconds: waits.length > 0 ? Math.max(...waits) : undefined }),
    };
  }
  if (!last) return { kind: 'rejected', code: 'UNKNOWN', internal: 'the user has no token' };
  const { code, internal } = last.result;
  return { kind: 'rejected', code, internal, fields: fields.failed(last.token, internal) };
}

export function rejectToken<Code extends string>(code: Code, internal: string): ResultWith<Code> {
  return { kind: 'rejected', code, internal: internalText(internal), dead: false };
}

/** A final failure of a token that the user loses. */
export function buryToken<Code extends string>(code: Code, internal: string): ResultWith<Code> {
  return { kind: 'rejected', code, internal: internalText(internal), dead: true };
}

/** A temporary failure; `afterSeconds` is from the provider and limited to an hour. */
export function retryToken(internal: string, afterSeconds?: number): ResultWith<'UNKNOWN'> {
  const after = defined({ afterSeconds: afterSeconds && Math.min(afterSeconds, WAIT_SECONDS_MAX) });
  return { kind: 'retry', code: 'UNKNOWN', internal: internalText(internal), ...after };
}

/** A token that was not called, because its host rests for `afterSeconds`. */
export function retryUncalled(internal: string, afterSeconds: number): ResultWith<'UNKNOWN'> {
  return { kind: 'retry', code: 'UNKNOWN', internal: internalText(internal), afterSeconds, isUncalled: true };
}

/**
 * The parts of a provider's JSON response that `schema` names; undefined if it is not JSON or not of that
 * shape.
 */
export function readJson<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : undefined;
}

import * as v from 'valibot';
import { type Creation, isRepetition } from '../../domain/creation.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { AppError } from '../../runtime/errors.ts';

/** Time for which a secret that was replaced remains valid. */
const FORMER_SECRET_MS = DAY_MS;
/** Each of them signs every call. */
const FORMER_SECRETS_MAX = 20;

/** The secret of an item, encrypted, with those that it replaced; `creation` is that of the request that made it. */
export const SECRETS = {
  creation: v.optional(v.string()),
  formerSecrets: v.optional(
    v.array(v.object({ sealed: v.string(), untilMs: v.number(), creation: v.optional(v.string()) })),
  ),
};
type Secrets = { [Name in keyof typeof SECRETS]?: v.InferOutput<(typeof SECRETS)[Name]> };
type FormerSecrets = NonNullable<Secrets['formerSecrets']>;

/** Those that are still valid, newest last. */
export function validFormers({ formerSecrets = [] }: Secrets, nowMs: number): FormerSecrets {
  return formerSecrets.filter(({ untilMs }) => untilMs > nowMs);
}

/** The former secrets once the present one is replaced. Throws INVALID_REQUEST for too many in a day. */
export function formersAfter(secrets: Secrets & { sealed: string }, nowMs: number): FormerSecrets {
  const { sealed, creation } = secrets;
  const formers = validFormers(secrets, nowMs);
  if (formers.length >= FORMER_SECRETS_MAX) {
    throw new AppError('INVALID_REQUEST', {
      message: `The secret was replaced ${FORMER_SECRETS_MAX} times within 24 hours.`,
      fix: 'Use the present secret, or try again tomorrow.',
    });
  }
  return [...formers, { sealed, untilMs: nowMs + FORMER_SECRET_MS, ...(creation ? { creation } : {}) }];
}

/** True if the request has replaced a secret before: its response was lost. */
export function hasReplaced(creation: Creation, { creation: mark, formerSecrets = [] }: Secrets): boolean {
  return [mark, ...formerSecrets.map((each) => each.creation)].some((each) => isRepetition(creation, each));
}

import * as v from 'valibot';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { AppError } from '../../../runtime/errors.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_MS } from '../../../runtime/values/durations.ts';

/** How long what was replaced remains valid, and how many of them: each signs every call, or is tried at every subscription. */
const FORMERS = { secret: { days: 1, most: 20 }, 'VAPID key': { days: 90, most: 5 } };

/** The secret of an item and its former secrets, encrypted. `creation` belongs to the request that made the secret. */
export const SECRETS = {
  creation: v.optional(v.string()),
  formerSecrets: v.optional(
    v.array(
      v.object({
        sealed: v.string(),
        untilMs: v.number(),
        creation: v.optional(v.string()),
        publicKey: v.optional(v.string()),
      }),
    ),
  ),
};
type Secrets = { [Name in keyof typeof SECRETS]?: v.InferOutput<(typeof SECRETS)[Name]> };
type FormerSecrets = NonNullable<Secrets['formerSecrets']>;

/** Those that are still valid, newest last. */
export function validFormers({ formerSecrets = [] }: Secrets, nowMs: number): FormerSecrets {
  return formerSecrets.filter(({ untilMs }) => untilMs > nowMs);
}

/** The former secrets once the present one is replaced. Throws INVALID_REQUEST for too many at a time. */
export function formersAfter(
  secrets: Secrets & { sealed: string; publicKey?: string },
  nowMs: number,
  kind: keyof typeof FORMERS = 'secret',
): FormerSecrets {
  const { sealed, publicKey, creation } = secrets;
  const { days, most } = FORMERS[kind];
  const formers = validFormers(secrets, nowMs);
  if (formers.length >= most) {
    throw new AppError('INVALID_REQUEST', {
      message: `The ${kind} was replaced ${most} times within ${days === 1 ? '24 hours' : `${days} days`}.`,
      fix: `Use the present ${kind} until the first of them is no longer valid.`,
    });
  }
  const former = { sealed, untilMs: nowMs + days * DAY_MS };
  return [...formers, { ...former, ...defined({ publicKey, creation: creation || undefined }) }];
}

/** True if the request has replaced a secret before: its response was lost. */
export function hasReplaced(creation: Creation, { creation: mark, formerSecrets = [] }: Secrets): boolean {
  return [mark, ...formerSecrets.map((each) => each.creation)].some((each) => isRepetition(creation, each));
}

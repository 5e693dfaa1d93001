import * as v from 'valibot';

/** Text in a provider's response; anything else, including null, is undefined. */
export const LenientText = v.fallback(v.optional(v.string()), undefined);

/** A number in a provider's response, also as text; anything else is undefined. */
export const LenientNumber = v.fallback(
  v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/), v.transform(Number))]),
      v.finite(),
    ),
  ),
  undefined,
);

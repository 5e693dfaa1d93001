import * as v from 'valibot';

/** Text of a provider's answer; anything else, null too, is undefined. */
export const LenientText = v.fallback(v.optional(v.string()), undefined);

/** A number of a provider's answer, also when it came as text; anything else is undefined. */
export const LenientNumber = v.fallback(
  v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/), v.transform(Number))]),
      v.finite(),
    ),
  ),
  undefined,
);

/** The value of a JSON text; undefined when it is not one. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fields` without those that are undefined. */
export function compact<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

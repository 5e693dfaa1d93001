import * as v from 'valibot';

type Clearable<F> = {
  [N in keyof F]: F[N] extends v.OptionalSchema<infer S, undefined> ? v.NullishSchema<S, undefined> : never;
};

/** Optional fields as a change has them: absent stays, null clears. */
export function clearable<F extends Record<string, v.OptionalSchema<v.GenericSchema, undefined>>>(
  fields: F,
): Clearable<F> {
  const entries = Object.entries(fields).map(([name, field]) => [name, v.nullish(field.wrapped)]);
  return Object.fromEntries(entries) as Clearable<F>;
}

import * as v from 'valibot';

/** Returns the schema, marked so that a request's unknown fields are accepted and dropped instead of being reported. */
export function opened<S extends v.GenericSchema>(schema: S): S & { isOpen: true } {
  return { ...schema, isOpen: true };
}

/** An object whose shape others define: fields that are not named here are accepted and dropped. */
export const openObject = <const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> =>
  opened(v.object(entries));

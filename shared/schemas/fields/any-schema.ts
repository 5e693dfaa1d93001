import type * as v from 'valibot';

/** Any valibot schema without asynchronous steps. */
export type AnySchema = v.GenericSchema;

import * as v from 'valibot';

/** A code of the closed list of errors. */
export const ErrorCodeText = v.string();

/** What is wrong with one field. */
export const FIELD_CODES = [
  'REQUIRED',
  'UNKNOWN_FIELD',
  'WRONG_TYPE',
  'UNKNOWN_VALUE',
  'TOO_SMALL',
  'TOO_LARGE',
  'TOO_SHORT',
  'TOO_LONG',
  'NOT_ALLOWED',
  'INVALID',
] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

/** One of these, or a code of the closed list of errors. */
export const FieldCodeText = v.string();

/** One problem of a request, with its field; of a template, with the place in its text. */
export const FieldError = v.object({
  path: v.string(),
  code: FieldCodeText,
  message: v.string(),
  line: v.optional(v.pipe(v.number(), v.integer())),
  column: v.optional(v.pipe(v.number(), v.integer())),
});

const STATED = {
  code: ErrorCodeText,
  message: v.string(),
  fix: v.optional(v.string()),
  docs: v.optional(v.string()),
  errors: v.optional(v.array(FieldError)),
};

/** The standard error body of every unsuccessful response. */
export const ErrorBody = v.object({
  trackingId: v.string(),
  error: v.object({
    ...STATED,
    provider: v.optional(v.string()),
    providerCode: v.optional(v.string()),
  }),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

/** The result of an entry of a bulk request that was not accepted. */
export const BulkRejection = v.object({
  error: v.object(STATED),
});

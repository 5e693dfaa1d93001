import * as v from 'valibot';

/** A code of the closed list of errors. */
export const ErrorCodeText = v.string();

/** The standard error body of every unsuccessful response. */
export const ErrorBody = v.object({
  trackingId: v.string(),
  error: v.object({
    code: ErrorCodeText,
    message: v.string(),
    fix: v.optional(v.string()),
    docs: v.optional(v.string()),
    provider: v.optional(v.string()),
    providerCode: v.optional(v.string()),
  }),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

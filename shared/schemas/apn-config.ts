import * as v from 'valibot';

/** APNs configuration of an account. */
export const ApnConfig = v.object({
  KeyId: v.string(),
  Key: v.string(),
  TeamId: v.string(),
  Topic: v.string(),
});
export type ApnConfig = v.InferOutput<typeof ApnConfig>;

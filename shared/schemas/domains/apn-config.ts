import * as v from 'valibot';
import { secret } from '../account/secret.ts';

export const ApnConfig = v.object({
  KeyId: v.string(),
  Key: secret(v.string()),
  TeamId: v.string(),
  Topic: v.string(),
});
export type ApnConfig = v.InferOutput<typeof ApnConfig>;

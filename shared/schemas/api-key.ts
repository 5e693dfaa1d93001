import * as v from 'valibot';
import { secret } from './secret.ts';

export const KeyType = v.picklist(['secret', 'public']);
/** The use of a key: secret on servers, public in browsers and apps. */
export type KeyType = v.InferOutput<typeof KeyType>;

/** An API key as returned. */
export const ApiKey = v.object({
  id: v.string(),
  key: secret(v.string()),
  keyType: KeyType,
  environmentId: v.optional(v.string()),
  accountId: v.string(),
  name: v.string(),
  revoked: v.boolean(),
  createdAt: v.string(),
  lastUsedAt: v.optional(v.string()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

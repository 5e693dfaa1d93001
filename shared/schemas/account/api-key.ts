import * as v from 'valibot';
import { secret } from './secret.ts';

export const KeyType = v.picklist(['secret', 'public']);
/** The use of a key: secret on servers, public in browsers and apps. */
export type KeyType = v.InferOutput<typeof KeyType>;

export const SCOPES = ['send', 'read', 'manage'] as const;
export const Scope = v.picklist(SCOPES);
/** What a key may do: send notifications, read, or everything else. */
export type Scope = v.InferOutput<typeof Scope>;

export const ApiKey = v.object({
  id: v.string(),
  key: secret(v.string()),
  keyType: KeyType,
  environmentId: v.optional(v.string()),
  accountId: v.string(),
  name: v.string(),
  revoked: v.boolean(),
  scopes: v.array(Scope),
  issuedBy: v.optional(v.string()),
  revokedAt: v.optional(v.string()),
  revokedBy: v.optional(v.string()),
  createdAt: v.string(),
  lastUsedAt: v.optional(v.string()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

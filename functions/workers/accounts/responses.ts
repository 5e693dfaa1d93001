import * as v from 'valibot';

/** An account as the operator sees it when it is created. `signIn`: whether its administrator's access tokens work. */
export const OpenedAccount = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  name: v.string(),
  admin: v.object({ userId: v.string(), email: v.string() }),
  signIn: v.picklist(['ready', 'with the first token', 'failed']),
  isNew: v.boolean(),
  /** Present only if they have just been created. */
  secretKey: v.optional(v.string()),
  publicKey: v.optional(v.string()),
});
export type OpenedAccount = v.InferOutput<typeof OpenedAccount>;

export const ListedAccount = v.object({
  accountId: v.string(),
  name: v.string(),
  disabled: v.boolean(),
  admins: v.array(v.string()),
  createdAt: v.string(),
});
export type ListedAccount = v.InferOutput<typeof ListedAccount>;

export const AccountList = v.object({ accounts: v.array(ListedAccount) });

/** Another secret key of an account. */
export const IssuedKey = v.object({ accountId: v.string(), secretKey: v.string() });
export type IssuedKey = v.InferOutput<typeof IssuedKey>;

/** A key that no longer works; false if there was no such key. */
export type RevokedKey = { revoked: boolean };

export const SwitchedAccount = v.object({ accountId: v.string(), disabled: v.boolean() });
export type SwitchedAccount = v.InferOutput<typeof SwitchedAccount>;

/** An account and what a day of it may cost. */
export const LimitedAccount = v.object({ accountId: v.string(), usd: v.number() });
export type LimitedAccount = v.InferOutput<typeof LimitedAccount>;

/** Progress of a deletion. While it is running, passing `next` back as `start` continues it. */
export const DeletionProgress = v.object({
  accountId: v.string(),
  state: v.picklist(['running', 'done']),
  examined: v.number(),
  items: v.number(),
  objects: v.number(),
  next: v.optional(v.object({ pk: v.string(), sk: v.string() })),
});
export type DeletionProgress = v.InferOutput<typeof DeletionProgress>;

/** The secret that signs links and invitations was replaced. */
export const RotatedSecret = v.object({ rotated: v.literal(true), leaked: v.boolean() });
export type RotatedSecret = v.InferOutput<typeof RotatedSecret>;

/** An expected error, in the form of the API's errors. */
export const Refusal = v.object({
  error: v.object({ code: v.string(), message: v.string(), fix: v.optional(v.string()) }),
});
export type Refusal = v.InferOutput<typeof Refusal>;

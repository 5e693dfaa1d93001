import * as v from 'valibot';

/** A member as returned: a person of the account, or one invited to it. */
export const MemberResponse = v.object({
  userId: v.string(),
  email: v.string(),
  role: v.picklist(['admin', 'member']),
  status: v.picklist(['invited', 'active']),
  pendingEmail: v.optional(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type MemberResponse = v.InferOutput<typeof MemberResponse>;

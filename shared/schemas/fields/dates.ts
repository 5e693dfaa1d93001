import * as v from 'valibot';

/** When a resource was made and last changed, and the member or key that changed it; absent in earlier releases. */
export const DATES = {
  createdAt: v.optional(v.string()),
  updatedAt: v.optional(v.string()),
  updatedBy: v.optional(v.string()),
};

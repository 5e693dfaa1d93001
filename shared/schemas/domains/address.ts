import * as v from 'valibot';

/** True if an address is on the service's own mail domain or on the account's. */
export const AddressType = v.picklist(['builtin', 'custom']);
export type AddressType = v.InferOutput<typeof AddressType>;

export const Address = v.object({
  fullAddress: v.string(),
  prefix: v.string(),
  domain: v.string(),
  type: AddressType,
  createdAt: v.string(),
  displayName: v.optional(v.string()),
});
export type Address = v.InferOutput<typeof Address>;

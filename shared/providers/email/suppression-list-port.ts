/** Addresses blocked by the email provider, in addition to the addresses suppressed in this service. */
export type SuppressionList = {
  /** Removes an address from the list; repeating it has no effect. Throws PROVIDER_ERROR. */
  remove(address: string): Promise<void>;
};

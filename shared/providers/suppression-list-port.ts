/** Addresses that the mail provider refuses to send to, beside those suppressed on users. */
export type SuppressionList = {
  /** Takes an address off the list; one that is not on it stays off. Throws PROVIDER_ERROR. */
  remove(address: string): Promise<void>;
};

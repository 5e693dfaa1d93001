/** Addresses to which the email provider does not send, in addition to those suppressed in this service. */
export type SuppressionList = {
  /** Removes an address from the list; repeating it has no effect. Throws PROVIDER_ERROR. */
  remove(address: string): Promise<void>;
};

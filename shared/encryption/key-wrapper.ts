/** Wraps data keys: KMS in AWS, a key file in the local run. Both bind the wrapped key to the account. */
export type KeyWrapper = {
  generateDataKey(accountId: string): Promise<{ plain: Uint8Array; wrapped: Uint8Array }>;
  unwrap(accountId: string, wrapped: Uint8Array): Promise<Uint8Array>;
};

/** Signs texts of our own: cursors, unsubscribe links, reply addresses. `purpose` keeps their signatures apart. */
export type Signer = {
  /** HMAC-SHA256, base64url, 43 characters. */
  sign(purpose: string, text: string): Promise<string>;
  verify(purpose: string, text: string, signature: string): Promise<boolean>;
};

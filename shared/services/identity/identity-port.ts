/** Data that may be shown in the response itself: in the sandbox, nobody reads email. */
type Revealed = { revealed?: string };

/** The service where people sign in: Cognito, or a sandbox. Calls throw PROVIDER_ERROR. */
export type Identity = {
  /**
   * Lets a person sign in; returns the subject of their access tokens, unless that is known with their first
   * token.
   */
  register(person: { email: string }): Promise<{ subject: string | undefined }>;
  /** Lets a person sign in and sends them the invitation's token. */
  invite(invitation: { email: string; accountName: string; token: string }): Promise<Revealed>;
  /** Sends the link that confirms a new address, to that address. */
  confirmEmail(request: { email: string; url: string }): Promise<Revealed>;
  hasEmail(person: { subject: string; email: string }): Promise<boolean>;
  /** Tells an address that it no longer is a person's. */
  reportChange(change: { email: string; newEmail: string }): Promise<void>;
  /** Removes the sign-in of a person whom no account has any more; one who is unknown is no error. */
  remove(person: { email: string }): Promise<void>;
  /** Makes the confirmed address the person's sign-in address. */
  changeEmail(person: { subject: string; email: string }): Promise<void>;
};

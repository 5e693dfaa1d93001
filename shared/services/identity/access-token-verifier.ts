/** What a valid access token says: who it is about, and their confirmed email when the issuer tells. */
type AccessTokenClaims = { subject: string; email?: string };

/** Verifies access tokens of people: a Cognito user pool in AWS, an own issuer locally, by the same claims. */
export type AccessTokenVerifier = {
  /** The claims, or undefined when the token is malformed, expired, of another issuer or wrongly signed. */
  verify(token: string): Promise<AccessTokenClaims | undefined>;
};

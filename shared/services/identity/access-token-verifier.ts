/** The content of a valid access token: its subject, and their confirmed email if the issuer includes it. */
type AccessTokenClaims = { subject: string; email?: string };

/** Verifies access tokens of people: a Cognito user pool in AWS, an own issuer locally, by the same claims. */
export type AccessTokenVerifier = {
  /** The claims, or undefined when the token is malformed, expired, of another issuer or wrongly signed. */
  verify(token: string): Promise<AccessTokenClaims | undefined>;
};

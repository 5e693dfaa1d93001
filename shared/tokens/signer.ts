const DAY_MS = 86_400_000;

/**
 * What signatures are for, and how long a text that was signed just before the secret was replaced stays valid, in
 * milliseconds. Links in messages never expire: an email is kept for years.
 */
export const SIGNATURE_LIFETIMES_MS = {
  cursor: DAY_MS,
  'member-invitation': 7 * DAY_MS,
  'email-change': DAY_MS,
  'sandbox-checkout': DAY_MS,
  'sandbox-payment-event': DAY_MS,
  unsubscribe: Number.POSITIVE_INFINITY,
  'track-open': Number.POSITIVE_INFINITY,
  'track-click': Number.POSITIVE_INFINITY,
} as const satisfies Record<string, number>;

/** Keeps signatures apart: a text signed for one purpose is invalid for every other. */
export type SigningPurpose = keyof typeof SIGNATURE_LIFETIMES_MS;

/** Signs texts that leave the service and come back. */
export type Signer = {
  /** HMAC-SHA256, base64url, 43 characters. */
  sign(purpose: SigningPurpose, text: string): Promise<string>;
  verify(purpose: SigningPurpose, text: string, signature: string): Promise<boolean>;
};

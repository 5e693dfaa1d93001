import { DAY_MS } from '../runtime/values/durations.ts';

/**
 * The purposes of signatures, and how long a text that was signed just before the secret was replaced stays
 * valid, in milliseconds. Links in messages never expire: an email is kept for years.
 */
export const SIGNATURE_LIFETIMES_MS = {
  cursor: DAY_MS,
  'member-invitation': 7 * DAY_MS,
  'email-change': DAY_MS,
  'user-export': 7 * DAY_MS,
  'sandbox-checkout': DAY_MS,
  'sandbox-payment-event': DAY_MS,
  unsubscribe: Number.POSITIVE_INFINITY,
  'unsubscribe-address': Number.POSITIVE_INFINITY,
  'track-open': Number.POSITIVE_INFINITY,
  'track-click': Number.POSITIVE_INFINITY,
  // Servers give up on an email within days, but some bounces arrive much later.
  'return-path': 30 * DAY_MS,
  // A provider may report the end of a message three days later.
  'provider-callback': 7 * DAY_MS,
  // A complaint may come as long as the email is kept.
  'erased-recipient': Number.POSITIVE_INFINITY,
} as const satisfies Record<string, number>;

/** Separates signatures: a text signed for one purpose is invalid for every other. */
export type SigningPurpose = keyof typeof SIGNATURE_LIFETIMES_MS;

/**
 * Purposes whose signature is part of an email address, with its length in hexadecimal digits: a local part has at most
 * 64 characters, and servers may change their case (RFC 5321).
 */
export const SIGNATURES_IN_ADDRESSES: Partial<Record<SigningPurpose, number>> = {
  'return-path': 24,
  'unsubscribe-address': 24,
};

/** Signs texts that leave the service and come back. */
export type Signer = {
  /** HMAC-SHA256, base64url, 43 characters; in addresses its beginning in hexadecimal. */
  sign(purpose: SigningPurpose, text: string): Promise<string>;
  verify(purpose: SigningPurpose, text: string, signature: string): Promise<boolean>;
};

import * as v from 'valibot';
import { signed, verified } from './signed-text.ts';
import type { Signer } from './signer.ts';

const Payload = v.tuple([v.string(), v.string(), v.string(), v.number()]);

/** The content of an email's token: the member, and one more text, such as the address to confirm. */
export type MemberToken = { accountId: string; memberId: string; subject: string };

/** Purposes keep invitations and confirmations apart. */
export type TokenPurpose = 'member-invitation' | 'email-change' | 'user-export';

/** A signed token `<payload>.<signature>`, base64url, that is good until `expiresAtMs`. */
export async function writeExpiringToken(
  signer: Signer,
  purpose: TokenPurpose,
  { accountId, memberId, subject }: MemberToken,
  expiresAtMs: number,
): Promise<string> {
  const payload: v.InferOutput<typeof Payload> = [accountId, memberId, subject, expiresAtMs];
  return signed(signer, purpose, JSON.stringify(payload));
}

/** The content of a token; undefined if this service did not sign it for this purpose, or it has expired. */
export async function readExpiringToken(
  signer: Signer,
  purpose: TokenPurpose,
  token: string,
  nowMs: number,
): Promise<MemberToken | undefined> {
  const payload = await verified(signer, purpose, token);
  if (payload === undefined) return undefined;
  const [accountId, memberId, subject, expiresAtMs] = v.parse(Payload, JSON.parse(payload));
  return nowMs < expiresAtMs ? { accountId, memberId, subject } : undefined;
}

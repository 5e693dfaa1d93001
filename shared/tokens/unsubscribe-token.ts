import * as v from 'valibot';
import { Channel } from '../schemas/channel.ts';
import { signed, verified } from './signed-text.ts';
import type { Signer } from './signer.ts';

const Payload = v.tupleWithRest(
  [v.string(), v.string(), v.string(), v.string(), v.string(), Channel, v.string()],
  v.union([v.string(), v.number()]),
);

/** The scope of one unsubscribe link: one person, type, sub-notification and channel. */
export type Unsubscription = {
  accountId: string;
  environmentId: string;
  userId: string;
  notificationId: string;
  subNotificationId: string;
  channel: Channel;
  trackingId: string;
  /** The hash of the address that got the link, and when; links of earlier releases have neither. */
  address?: string | undefined;
  issuedAtMs?: number | undefined;
};

const PURPOSE = 'unsubscribe';

/**
 * A signed token for a link: `<payload>.<signature>`, base64url. It does not expire: email is kept for years.
 */
export async function writeUnsubscribeToken(signer: Signer, link: Unsubscription): Promise<string> {
  const { accountId, environmentId, userId, notificationId, subNotificationId, channel, trackingId } = link;
  const type = [accountId, environmentId, userId, notificationId, subNotificationId] as const;
  const facts = [link.address ?? '', link.issuedAtMs ?? 0] as const;
  const payload: v.InferOutput<typeof Payload> = [...type, channel, trackingId, ...facts];
  return signed(signer, PURPOSE, JSON.stringify(payload));
}

/** The content of a token; undefined if this service did not sign it. */
export async function readUnsubscribeToken(
  signer: Signer,
  token: string,
): Promise<Unsubscription | undefined> {
  const payload = await verified(signer, PURPOSE, token);
  if (payload === undefined) return undefined;
  const [accountId, environmentId, userId, notificationId, subNotificationId, channel, trackingId, ...facts] =
    v.parse(Payload, JSON.parse(payload));
  const [address, issuedAtMs] = facts;
  return {
    ...{ accountId, environmentId, userId, notificationId, subNotificationId, channel, trackingId },
    address: address ? String(address) : undefined,
    issuedAtMs: issuedAtMs ? Number(issuedAtMs) : undefined,
  };
}

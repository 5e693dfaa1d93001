import * as v from 'valibot';
import { Channel } from '../schemas/channel.ts';
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
  const payload: v.InferOutput<typeof Payload> = [
    link.accountId,
    link.environmentId,
    link.userId,
    link.notificationId,
    link.subNotificationId,
    link.channel,
    link.trackingId,
    link.address ?? '',
    link.issuedAtMs ?? 0,
  ];
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${await signer.sign(PURPOSE, text)}`;
}

/** The content of a token; undefined if this service did not sign it. */
export async function readUnsubscribeToken(
  signer: Signer,
  token: string,
): Promise<Unsubscription | undefined> {
  const [text, signature, ...rest] = token.split('.');
  if (!text || !signature || rest.length > 0 || !(await signer.verify(PURPOSE, text, signature)))
    return undefined;
  const [accountId, environmentId, userId, notificationId, subNotificationId, channel, trackingId, ...facts] =
    v.parse(Payload, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  const [address, issuedAtMs] = facts;
  return {
    ...{ accountId, environmentId, userId, notificationId, subNotificationId, channel, trackingId },
    address: address ? String(address) : undefined,
    issuedAtMs: issuedAtMs ? Number(issuedAtMs) : undefined,
  };
}

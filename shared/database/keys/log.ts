import { hash } from 'node:crypto';
import { type Channel, channelOfPrefix, LOG_PREFIX } from '../../schemas/channel.ts';
import { STAGES, type Stage } from '../../schemas/logs/stage.ts';
import { type Key, logPk, part } from './key.ts';

export const DIGEST_ITEM_PREFIX = 'ITEM#';
/** `LOG#018f… / HEAD` */
export const headKey = (trackingId: string): Key => ({ pk: logPk(trackingId), sk: 'HEAD' });
/** `LOG#018f… / EVENT#email#sent`, or with `#seq` where a stage can happen more than once. */
export const eventKey = (
  trackingId: string,
  channel: Channel | undefined,
  stage: Stage,
  seq?: string,
): Key => ({
  pk: logPk(trackingId),
  sk: `${eventPrefix(channel)}${stage}${seq === undefined ? '' : `#${part(seq)}`}`,
});
/** `EVENT#email#`: start of the sort keys of a channel's events, or of the whole notification's events without a channel. */
export const eventPrefix = (channel: Channel | undefined) =>
  `EVENT#${channel === undefined ? WHOLE_PREFIX : LOG_PREFIX[channel]}#`;
const WHOLE_PREFIX = 'steps';
/** The channel and stage in the sort key of an event; undefined for another item, and for a stage of a later release. */
export function readEventSk(
  sk: string,
): { channel: Channel | undefined; stage: Stage; seq: string | undefined } | undefined {
  const [kind, prefix, name, seq] = sk.split('#');
  const stage = STAGES.find((each) => each === name);
  const channel = channelOfPrefix(prefix);
  if (kind !== 'EVENT' || !stage || (!channel && prefix !== WHOLE_PREFIX)) return undefined;
  return { channel, stage, seq };
}
/** `PROVIDERCALL#018f…#sms / PROVIDERCALL`: which provider may have a message. */
export const providerCallKey = (trackingId: string, channel: string): Key => ({
  pk: `${PROVIDER_CALL_PREFIX}${part(trackingId)}#${part(channel)}`,
  sk: 'PROVIDERCALL',
});
export const PROVIDER_CALL_PREFIX = 'PROVIDERCALL#';
/** `RETRY#018f…#email / RETRY`: a delivery whose next attempt is further away than a queue's delay. */
export const retryKey = (trackingId: string, channel: string): Key => ({
  pk: `${RETRY_PREFIX}${part(trackingId)}#${part(channel)}`,
  sk: 'RETRY',
});
/** `RETRY#`: start of the partition keys of deliveries that wait for an attempt. */
export const RETRY_PREFIX = 'RETRY#';
/** `MESSAGE#ses#0100… / MESSAGE` */
export const messageKey = (provider: string, messageId: string): Key => ({
  pk: `${MESSAGE_PREFIX}${part(provider)}#${part(messageId)}`,
  sk: 'MESSAGE',
});
export const MESSAGE_PREFIX = 'MESSAGE#';
/** The key is also part of a sort key, which may have 1,024 bytes: longer names become their hash. */
const NAMED_BYTES_MAX = 800;
const withinKey = (named: string) =>
  Buffer.byteLength(named) <= NAMED_BYTES_MAX ? named : `~${hash('sha256', named, 'base64url')}`;
/** `DIGEST#x7…#ada#welcome##EMAIL#daily#1790000000000`: bucket of one user, type, sub-notification, channel, mode, flush. */
export const digestPk = (
  environmentId: string,
  userId: string,
  notificationId: string,
  subNotificationId: string,
  channel: string,
  mode: string,
  flushAtMs: number,
) => {
  const named = [environmentId, userId, notificationId, subNotificationId].map(part).join('#');
  return `${DIGEST_PREFIX}${withinKey(named)}#${channel}#${mode}#${flushAtMs}`;
};
export const DIGEST_PREFIX = 'DIGEST#';
/** `DIGEST#… / BUCKET`: state of a digest. */
export const bucketKey = (pk: string): Key => ({ pk, sk: 'BUCKET' });
/** `DIGEST#… / ITEM#018f…`: one collected notification. */
export const digestItemKey = (pk: string, trackingId: string): Key => ({
  pk,
  sk: `${DIGEST_ITEM_PREFIX}${part(trackingId)}`,
});

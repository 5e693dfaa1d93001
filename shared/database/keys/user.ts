import { hash } from 'node:crypto';
import { mailboxOf } from '../../domain/users/mailbox.ts';
import { claimKey, type Key, part, userPk } from './key.ts';

/** `CLAIM#device-token#Zb… / CLAIM`: which user has a token or subscription; hashed, it is too long a name. */
export const deviceTokenKey = (environmentId: string, token: string): Key =>
  claimKey('device-token', hash('sha256', `${environmentId} ${token}`, 'base64url'));
/** `USER#x7…#ada / PROFILE` */
export const profileKey = (environmentId: string, userId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: 'PROFILE',
});
/** An address that identifies users; a number is in E.164. */
export type Contact = { kind: 'email' | 'number'; address: string };
/** `CONTACT#x7…#email#Zb…`: the users who have an address, in any spelling. */
export const contactPk = (environmentId: string, { kind, address }: Contact): string => {
  const normalized = kind === 'email' ? mailboxOf(address) : address;
  return `CONTACT#${part(environmentId)}#${kind}#${hash('sha256', normalized, 'base64url')}`;
};
/** `CONTACT#x7…#email#Zb… / USER#ada` */
export const contactKey = (environmentId: string, contact: Contact, userId: string): Key => ({
  pk: contactPk(environmentId, contact),
  sk: `${CONTACT_USER_PREFIX}${part(userId)}`,
});
/** `USER#`: start of the sort keys of an address's users. */
export const CONTACT_USER_PREFIX = 'USER#';
/** `CONTACT#x7…#email#Zb… / FORMER#ada`: a user who had the address. */
export const formerContactKey = (pk: string, userId: string): Key => ({
  pk,
  sk: `FORMER#${part(userId)}`,
});
/** `FORMER#`: start of the sort keys of those who had an address: before those who have it, which a list begins after. */
export const CONTACT_FORMER_PREFIX = 'FORMER#';
/** `CONTACT#`: start of the partition keys of addresses. */
export const CONTACT_PREFIX = 'CONTACT#';
/** `USER#x7…#ada / PREFERENCES`: all of a user's preferences in one item. */
export const preferencesKey = (environmentId: string, userId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: 'PREFERENCES',
});
/** `USER#x7…#ada / THROTTLE#user-type-9f…`: one person's; of a type as a whole `THROTTLE#x7…#type-9f… / THROTTLE`. */
export const throttleStateKey = (environmentId: string, userId: string | undefined, scope: string): Key =>
  userId === undefined
    ? { pk: `${THROTTLE_PREFIX}${part(environmentId)}#${part(scope)}`, sk: 'THROTTLE' }
    : { pk: userPk(environmentId, userId), sk: `${THROTTLE_PREFIX}${part(scope)}` };
/** `THROTTLE#`: start of the sort keys of a user's throttle states, and of the partition keys of types'. */
export const THROTTLE_PREFIX = 'THROTTLE#';
/** `USER#x7…#ada / DEDUP#9f…` */
export const dedupKey = (environmentId: string, userId: string, hash: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${DEDUP_PREFIX}${hash}`,
});
/** `USER#x7…#ada / CONSENT#2026-…#Zb…`: one change of a user's choices. */
export const consentKey = (environmentId: string, userId: string, atIso: string, id: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${CONSENT_PREFIX}${atIso}#${id}`,
});
export const CONSENT_PREFIX = 'CONSENT#';
/** `DEDUP#`: start of the sort keys of a user's deduplication marks. */
export const DEDUP_PREFIX = 'DEDUP#';
/** `USER#x7…#ada / INAPP#2026-…#018f…`: sorts by time. */
export const inappKey = (environmentId: string, userId: string, atIso: string, trackingId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${INAPP_PREFIX}${atIso}#${part(trackingId)}`,
});
/** `INAPP#`: start of the sort keys of a user's in-app items. */
export const INAPP_PREFIX = 'INAPP#';
/** `USER#x7…#ada / SNOOZE#018f…`: an in-app item that waits, or waited, for a time. */
export const snoozeKey = (environmentId: string, userId: string, trackingId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${SNOOZE_PREFIX}${part(trackingId)}`,
});
/** `SNOOZE#`: start of the sort keys of a user's snoozed in-app items. */
export const SNOOZE_PREFIX = 'SNOOZE#';
/** `USER#x7…#ada / RECHECK`: the user's settings have changed, and what waits is evaluated again. */
export const recheckKey = (environmentId: string, userId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: RECHECK_SK,
});
export const RECHECK_SK = 'RECHECK';
/** `USER#x7…#ada / CONNECTION#Zb…=` */
export const connectionKey = (environmentId: string, userId: string, connectionId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${CONNECTION_PREFIX}${part(connectionId)}`,
});
/** `CONNECTION#`: start of the sort keys of a user's connections. */
export const CONNECTION_PREFIX = 'CONNECTION#';
/**
 * `USER#x7…#ada / TRACE#Zb…`: another partition with the user's data; hashed, because its name is too long.
 */
export const traceKey = (environmentId: string, userId: string, tracedPk: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: TRACE_PREFIX + hash('sha256', tracedPk, 'base64url'),
});
/** `TRACE#`: start of the sort keys of a user's traces. */
export const TRACE_PREFIX = 'TRACE#';
/**
 * Open connections of an environment are spread over this many partitions: all browsers may reconnect
 * concurrently.
 */
export const SOCKET_SHARDS = 16;
/** `SOCKETS#x7…#3`: open connections of an environment, to close them all. */
export const socketsPk = (environmentId: string, shard: number) => `SOCKETS#${part(environmentId)}#${shard}`;
/** `SOCKETS#x7…#3 / CONNECTION#Zb…=` */
export const socketKey = (environmentId: string, shard: number, connectionId: string): Key => ({
  pk: socketsPk(environmentId, shard),
  sk: `${CONNECTION_PREFIX}${part(connectionId)}`,
});
/** `CONNECTION#Zb…= / CONNECTION`: the owner of an open connection, for its end. */
export const connectionOwnerKey = (connectionId: string): Key => ({
  pk: `${CONNECTION_PREFIX}${part(connectionId)}`,
  sk: 'CONNECTION',
});
/** `ERASED#hG… / ERASED`: when a user was deleted, under a keyed hash: a user's ID may be an address. */
export const erasureKey = (keyedHash: string): Key => ({
  pk: `${ERASED_PREFIX}${part(keyedHash)}`,
  sk: 'ERASED',
});
/** `ERASED#Zb… / ERASED`: where earlier releases stored it, under a hash that anybody can compute. */
export const earlierErasureKey = (environmentId: string, userId: string): Key =>
  erasureKey(hash('sha256', userPk(environmentId, userId), 'base64url'));
/** `ERASED#`: start of the partition keys of deleted users. */
export const ERASED_PREFIX = 'ERASED#';
/** `ERASURE#Zb… / JOB`: the erasure of a user's logs, while it is under way. */
export const erasureJobKey = (environmentId: string, userId: string): Key => ({
  pk: `${ERASURE_PREFIX}${hash('sha256', userPk(environmentId, userId), 'base64url')}`,
  sk: 'JOB',
});
/** `EXPORT#Zb… / JOB`: an export of a user's data; hashed, because the user's id may be an address. */
export const userExportKey = (environmentId: string, userId: string): Key => ({
  pk: `${EXPORT_PREFIX}${hash('sha256', userPk(environmentId, userId), 'base64url')}`,
  sk: 'JOB',
});
export const EXPORT_PREFIX = 'EXPORT#';
/** `ERASURE#`: start of the partition keys of erasures. */
export const ERASURE_PREFIX = 'ERASURE#';
/** `ERASING#x7… / PASS`: how far the logs of an environment are read for the erasures that wait for it. */
export const erasurePassKey = (environmentId: string): Key => ({
  pk: `${ERASURE_PASS_PREFIX}${part(environmentId)}`,
  sk: 'PASS',
});
/** `ERASING#x7…#retention / PASS`: how far they are read for a shorter retention. */
export const retentionPassKey = (environmentId: string): Key => ({
  pk: `${ERASURE_PASS_PREFIX}${part(environmentId)}#retention`,
  sk: 'PASS',
});
/** `ERASING#`: start of the partition keys of passes. */
export const ERASURE_PASS_PREFIX = 'ERASING#';

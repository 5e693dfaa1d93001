import { createHash } from 'node:crypto';
import { mailboxOf } from '../domain/mailbox.ts';
import { type Channel, channelOfPrefix, LOG_PREFIX } from '../schemas/channel.ts';
import { STAGES, type Stage } from '../schemas/stage.ts';
import type { Item } from './table.ts';

/**
 * Every key of the table, on one screen.
 *
 * | access pattern | key or index | entity |
 * |---|---|---|
 * | verify an API key; list, revoke keys | ACCOUNT#a / KEY#id | api-keys |
 * | one of the copies of a busy API key | KEYCOPY#a#id#n / KEYCOPY | api-key-copies |
 * | account, its data key, environments, members, domains, addresses, settings | ACCOUNT#a / … | accounts, environments, … |
 * | who holds a unique domain, address, member email, subject or environment | CLAIM#kind#value / CLAIM | claims |
 * | which user of an environment has a push token or web push subscription | CLAIM#device-token#hash / CLAIM | token-claims |
 * | the request that an idempotency key represents | CLAIM#idempotency#trackingId / CLAIM | idempotency-keys |
 * | notification types of an environment with the list of their templates | ENV#e / TYPE#t | notification-types |
 * | one template's content, of a variant with its locale | TEMPLATES#e#t / TEMPLATE#channel#id[#locale] | templates |
 * | translations of an environment: which there are, one language's | ENV#e / TRANSLATIONS, TRANSLATION#locale | translations |
 * | components, webhook endpoints of an environment | ENV#e / COMPONENT#c, WEBHOOK#w | components, webhooks |
 * | last attempts of a webhook; a pending call of one | WEBHOOKATTEMPTS#e#w / time#id#n; WEBHOOKCALL#id / CALL | webhooks, webhook-calls |
 * | which templates embed a component; which components embed which | ENV#e / REFERENCE#c#hash, EMBEDDINGS | components |
 * | a user and preferences (two exact keys), in-app items and when snoozed ones return, connections, throttle states, dedup markers | USER#e#u / … | users, … |
 * | what is stored of a user elsewhere: scheduled notifications, digests, text threads | USER#e#u / TRACE#hash | user-traces |
 * | whose a connection is that ends; all open ones of an environment | CONNECTION#id / CONNECTION; SOCKETS#e#shard / CONNECTION#id | connections |
 * | topics of an environment; members of one; topics of a user | ENV#e / TOPIC#t; TOPIC#e#t / MEMBER#u; USER#e#u / TOPIC#t | topics |
 * | whether an account's address is suppressed | SUPPRESSION#a#hash / SUPPRESSION | suppressions |
 * | whether a user was deleted after a notification was accepted | ERASED#hash / ERASED | user-erasures |
 * | how far the erasure of a user's logs is | ERASURE#hash / JOB | erasure-jobs |
 * | one notification's log: head and events in one Query | LOG#trackingId / HEAD, EVENT#… | logs |
 * | whom a text answers; whether a person opted out of texts | SMSTHREAD#ours#theirs / ENV#e; SMSOPTOUT#a#theirs / SERVICE#ours | texts |
 * | newest first: logs, users, in-app | index feed: ENV#e#kind#shard / time#id | logs, users |
 * | what is due until a time | index due: DUE#shard / time#id | due |
 * | items of a digest | DIGEST#… / BUCKET, ITEM#trackingId | digests |
 * | carrier of a number, looked up | CARRIER#number / CARRIER | carriers |
 * | what remains under a cap that is near; whether a notification has its part | RESERVE#a#cap#window / REMAINING; RESERVE#a#cap#trackingId / TAKEN | usage-reserves |
 * | requests of a credential or an account in the last seconds | RATE#name#window / RATE | request-counts |
 * | throttle state of a whole type; provider message id -> tracking ID; usage of a month | THROTTLE#…, MESSAGE#id, USAGE#a#month | … |
 */
export type Key = { pk: string; sk: string };

/** The key of a stored item. */
export function keyOf({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

/** Caller-chosen text inside a key: `#` and `%` are escaped so that no ID can extend into another part. */
export function part(text: string): string {
  return text.replace(/[%#]/g, (character) => (character === '#' ? '%23' : '%25'));
}

/** `ACCOUNT#q3…` */
export const accountPk = (accountId: string) => `ACCOUNT#${part(accountId)}`;
/** `ENV#x7…` */
export const environmentPk = (environmentId: string) => `ENV#${part(environmentId)}`;
/** `USER#x7…#ada` */
export const userPk = (environmentId: string, userId: string) =>
  `${USER_PK_PREFIX}${part(environmentId)}#${part(userId)}`;
/** `LOG#018f…` */
export const logPk = (trackingId: string) => `${LOG_PK_PREFIX}${part(trackingId)}`;
/** `LOG#`: start of the partition keys of logs. */
export const LOG_PK_PREFIX = 'LOG#';
/** The tracking ID of a log's partition key. */
export const trackingIdOfPk = (pk: string) => pk.slice(LOG_PK_PREFIX.length);

/** `KEY#`: start of the sort keys of an account's API keys. */
export const API_KEY_PREFIX = 'KEY#';
/** `ENV#`: start of the sort keys of an account's environments. */
export const ENVIRONMENT_PREFIX = 'ENV#';
/** `MEMBER#`: start of the sort keys of an account's members. */
export const MEMBER_PREFIX = 'MEMBER#';
/** `DOMAIN#`: start of the sort keys of an account's sender domains. */
export const DOMAIN_PREFIX = 'DOMAIN#';
/** `REMOVAL#`: start of the sort keys of an account's deleted sender domains. */
export const DOMAIN_REMOVAL_PREFIX = 'REMOVAL#';
/** `ADDRESS#`: start of the sort keys of an account's addresses. */
export const ADDRESS_PREFIX = 'ADDRESS#';
/** `TYPE#`: start of the sort keys of an environment's notification types. */
export const TYPE_PREFIX = 'TYPE#';
/** `COMPONENT#`: start of the sort keys of an environment's components. */
export const COMPONENT_PREFIX = 'COMPONENT#';
/** `ITEM#`: start of the sort keys of a digest's items. */
export const DIGEST_ITEM_PREFIX = 'ITEM#';
/** `ENV#`: start of the sort keys of a text thread's environments. */
export const SMS_THREAD_SK_PREFIX = 'ENV#';
/** The environment in the sort key of a text thread. */
export const environmentOfThread = (sk: string) => sk.slice(SMS_THREAD_SK_PREFIX.length);
/** `SERVICE#`: start of the sort keys of the numbers that a person opted out of. */
export const SMS_OPT_OUT_SK_PREFIX = 'SERVICE#';
/** The first two parts of a partition key: its kind, and in most kinds the account or environment that owns it. */
export function familyOfPk(pk: string): { family: string; owner: string | undefined } {
  const [family = '', owner] = pk.split('#');
  return { family, owner };
}
/** `WEBHOOKCALL#`: start of the partition keys of webhook calls that wait. */
export const WEBHOOK_CALL_PREFIX = 'WEBHOOKCALL#';

/** `ACCOUNT#q3… / ACCOUNT` */
export const accountKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'ACCOUNT' });
/** `ACCOUNT#q3… / ORGANIZATION` */
export const organizationKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'ORGANIZATION' });
/** `ACCOUNT#q3… / DATAKEY` */
export const dataKeyKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'DATAKEY' });
/** `ACCOUNT#q3… / KEY#9f…` */
export const apiKeyKey = (accountId: string, keyId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${API_KEY_PREFIX}${part(keyId)}`,
});
/** `KEYCOPY#q3…#9f…#3 / KEYCOPY`: a copy of a busy API key, in a separate partition. */
export const apiKeyCopyKey = (accountId: string, keyId: string, copy: number): Key => ({
  pk: `KEYCOPY#${part(accountId)}#${part(keyId)}#${copy}`,
  sk: 'KEYCOPY',
});
/** `ACCOUNT#q3… / ENV#x7…` */
export const environmentKey = (accountId: string, environmentId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${ENVIRONMENT_PREFIX}${part(environmentId)}`,
});
/** `ACCOUNT#q3… / MEMBER#m1…` */
export const memberKey = (accountId: string, memberId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${MEMBER_PREFIX}${part(memberId)}`,
});
/** `ACCOUNT#q3… / DOMAIN#example.com` */
export const domainKey = (accountId: string, domain: string): Key => ({
  pk: accountPk(accountId),
  sk: `${DOMAIN_PREFIX}${part(domain)}`,
});
/** `ACCOUNT#q3… / REMOVAL#example.com`: a deleted sender domain that the email provider has not deleted yet. */
export const domainRemovalKey = (accountId: string, domain: string): Key => ({
  pk: accountPk(accountId),
  sk: `${DOMAIN_REMOVAL_PREFIX}${part(domain)}`,
});
/** `ACCOUNT#q3… / ADDRESS#help@example.com` */
export const addressKey = (accountId: string, address: string): Key => ({
  pk: accountPk(accountId),
  sk: `${ADDRESS_PREFIX}${part(address)}`,
});
/** `ACCOUNT#q3… / SETTING#push-fcm` */
export const settingKey = (accountId: string, name: string): Key => ({
  pk: accountPk(accountId),
  sk: `SETTING#${part(name)}`,
});
/** `CLAIM#domain#example.com / CLAIM`; of kind environment: whose account it is; of kind idempotency: whose request. */
export const claimKey = (kind: string, value: string): Key => ({
  pk: `CLAIM#${part(kind)}#${part(value)}`,
  sk: 'CLAIM',
});
/** `CLAIM#device-token#Zb… / CLAIM`: which user has a token or subscription; hashed, it is too long a name. */
export const deviceTokenKey = (environmentId: string, token: string): Key =>
  claimKey('device-token', createHash('sha256').update(`${environmentId} ${token}`).digest('base64url'));
/** `DEPLOYMENT / SECRET`: the deployment's own signing secret. */
export const deploymentKey = (): Key => ({ pk: 'DEPLOYMENT', sk: 'SECRET' });
/** `DEPLOYMENT / SWEEP`: the sweeper's position. */
export const sweepKey = (): Key => ({ pk: 'DEPLOYMENT', sk: 'SWEEP' });
/** `DEPLOYMENT / ACCOUNT#q3…`: the list of accounts, for the operator. */
export const accountListKey = (accountId: string): Key => ({
  pk: 'DEPLOYMENT',
  sk: `ACCOUNT#${part(accountId)}`,
});

/** `ENV#x7… / TYPE#welcome` */
export const typeKey = (environmentId: string, notificationId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `${TYPE_PREFIX}${part(notificationId)}`,
});
/**
 * `TEMPLATES#x7…#welcome / TEMPLATE#EMAIL#default`, of a variant `TEMPLATE#EMAIL#default#de`: separate from
 * the types, so that listing types reads no bodies.
 */
export const templateKey = (
  environmentId: string,
  notificationId: string,
  channel: string,
  templateId: string,
  locale?: string,
): Key => ({
  pk: `TEMPLATES#${part(environmentId)}#${part(notificationId)}`,
  sk: `TEMPLATE#${channel}#${part(templateId)}${locale === undefined ? '' : `#${part(locale)}`}`,
});
/** `ENV#x7… / TRANSLATIONS`: the languages that have translations. */
export const translationListKey = (environmentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: 'TRANSLATIONS',
});
/** `ENV#x7… / TRANSLATION#de` */
export const translationKey = (environmentId: string, locale: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `TRANSLATION#${part(locale)}`,
});
/** `ENV#x7… / COMPONENT#footer` */
export const componentKey = (environmentId: string, componentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `${COMPONENT_PREFIX}${part(componentId)}`,
});
/** `ENV#x7… / EMBEDDINGS`: which components embed which. */
export const embeddingsKey = (environmentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: 'EMBEDDINGS',
});
type TemplateName = {
  notificationId: string;
  channel: string;
  templateId: string;
  locale?: string | undefined;
};

/** `ENV#x7… / REFERENCE#footer#Zb…`: a template embeds a component; its ids are hashed, three would be too long. */
export const referenceKey = (environmentId: string, componentId: string, template: TemplateName): Key => ({
  pk: environmentPk(environmentId),
  sk: referencePrefix(componentId) + referenceHash(template),
});
/** `REFERENCE#footer#`: start of the sort keys of a component's references; without one, of all components'. */
export const referencePrefix = (componentId?: string) =>
  componentId === undefined ? 'REFERENCE#' : `REFERENCE#${part(componentId)}#`;
const referenceHash = ({ notificationId, channel, templateId, locale }: TemplateName) =>
  createHash('sha256')
    .update(JSON.stringify([notificationId, channel, templateId, ...(locale === undefined ? [] : [locale])]))
    .digest('base64url');
/** `ENV#x7… / WEBHOOK#events` */
export const webhookKey = (environmentId: string, name: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `WEBHOOK#${part(name)}`,
});

/** `WEBHOOKATTEMPTS#x7…#w3…`: attempts of an environment's webhook; one that is created again has another id. */
export const webhookAttemptsPk = (environmentId: string, webhookId: string) =>
  `${WEBHOOK_ATTEMPTS_PREFIX}${part(environmentId)}#${part(webhookId)}`;
/** `WEBHOOKATTEMPTS#`: start of the partition keys of webhook attempts. */
export const WEBHOOK_ATTEMPTS_PREFIX = 'WEBHOOKATTEMPTS#';
/** `WEBHOOKATTEMPTS#x7…#w3… / 2026-…#msg_018f…#1`: sorts by time. */
export const webhookAttemptKey = (
  environmentId: string,
  webhookId: string,
  atIso: string,
  messageId: string,
  attempt: number,
): Key => ({ pk: webhookAttemptsPk(environmentId, webhookId), sk: `${atIso}#${part(messageId)}#${attempt}` });
/** `WEBHOOKCALL#msg_018f… / CALL`: a webhook call whose next attempt is further away than a queue's delay. */
export const webhookCallKey = (messageId: string): Key => ({
  pk: `${WEBHOOK_CALL_PREFIX}${part(messageId)}`,
  sk: 'CALL',
});

/** `USER#x7…#ada / PROFILE` */
export const profileKey = (environmentId: string, userId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: 'PROFILE',
});
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
/** `USER#`: start of the partition keys of users. */
export const USER_PK_PREFIX = 'USER#';
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
  sk: TRACE_PREFIX + createHash('sha256').update(tracedPk).digest('base64url'),
});
/** `TRACE#`: start of the sort keys of a user's traces. */
export const TRACE_PREFIX = 'TRACE#';

/** `ENV#x7… / TOPIC#news` */
export const topicKey = (environmentId: string, topicId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `${TOPIC_PREFIX}${part(topicId)}`,
});
/** `TOPIC#`: start of the sort keys of an environment's topics, and of those that a user is a member of. */
export const TOPIC_PREFIX = 'TOPIC#';
/** `TOPIC#x7…#news` */
export const topicMembersPk = (environmentId: string, topicId: string) =>
  `${TOPIC_PREFIX}${part(environmentId)}#${part(topicId)}`;
/** `TOPIC#x7…#news / MEMBER#ada` */
export const topicMemberKey = (environmentId: string, topicId: string, userId: string): Key => ({
  pk: topicMembersPk(environmentId, topicId),
  sk: `${TOPIC_MEMBER_PREFIX}${part(userId)}`,
});
/** `MEMBER#`: start of the sort keys of a topic's members. */
export const TOPIC_MEMBER_PREFIX = 'MEMBER#';
/** `USER#x7…#ada / TOPIC#news` */
export const userTopicKey = (environmentId: string, userId: string, topicId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${TOPIC_PREFIX}${part(topicId)}`,
});

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

/** `ERASED#Zb… / ERASED`: when a user was deleted; hashed, because the user's id may be an address. */
export const erasureKey = (environmentId: string, userId: string): Key => ({
  pk: `${ERASED_PREFIX}${createHash('sha256').update(userPk(environmentId, userId)).digest('base64url')}`,
  sk: 'ERASED',
});
/** `ERASED#`: start of the partition keys of deleted users. */
export const ERASED_PREFIX = 'ERASED#';

/** `ERASURE#Zb… / JOB`: the erasure of a user's logs, while it is under way. */
export const erasureJobKey = (environmentId: string, userId: string): Key => ({
  pk: `${ERASURE_PREFIX}${createHash('sha256').update(userPk(environmentId, userId)).digest('base64url')}`,
  sk: 'JOB',
});
/** `ERASURE#`: start of the partition keys of erasures. */
export const ERASURE_PREFIX = 'ERASURE#';

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
/** `EVENT#email#`: start of the sort keys of a channel's events; without one, of those of the whole notification. */
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

/** `SMSTHREAD#+15005550006#+12025550123`: text messages from one of the deployment's numbers to a person. */
export const smsThreadPk = (serviceNumber: string, number: string) =>
  `${SMS_THREAD_PREFIX}${part(serviceNumber)}#${part(number)}`;
/** `SMSTHREAD#`: start of the partition keys of SMS threads. */
export const SMS_THREAD_PREFIX = 'SMSTHREAD#';
/** `SMSTHREAD#… / ENV#x7…`: the last text message that an environment sent there. */
export const smsThreadKey = (serviceNumber: string, number: string, environmentId: string): Key =>
  smsThreadKeyIn(smsThreadPk(serviceNumber, number), environmentId);
/** `SMSTHREAD#… / ENV#x7…`, by its partition. */
export const smsThreadKeyIn = (pk: string, environmentId: string): Key => ({
  pk,
  sk: `${SMS_THREAD_SK_PREFIX}${part(environmentId)}`,
});
/** `SMSOPTOUT#x7…#+12025550123`: the numbers that a person opted out of. */
export const smsOptOutPk = (accountId: string, number: string) =>
  `${SMS_OPT_OUT_PREFIX}${part(accountId)}#${part(number)}`;
/** `SMSOPTOUT#`: start of the partition keys of opt-outs. */
export const SMS_OPT_OUT_PREFIX = 'SMSOPTOUT#';
/** `SMSOPTOUT#… / SERVICE#+15005550006` */
export const smsOptOutKey = (accountId: string, number: string, serviceNumber: string): Key => ({
  pk: smsOptOutPk(accountId, number),
  sk: `${SMS_OPT_OUT_SK_PREFIX}${part(serviceNumber)}`,
});

/** `LEASE#chat-token/x7…/ada / LEASE` */
export const leaseKey = (name: string): Key => ({ pk: `LEASE#${part(name)}`, sk: 'LEASE' });

/** `CARRIER#+12025550123 / CARRIER` */
export const carrierKey = (number: string): Key => ({ pk: `CARRIER#${part(number)}`, sk: 'CARRIER' });
/** `SUPPRESSION#q3…#Zb… / SUPPRESSION`: hashed, because it outlives the owner of the address. */
export const suppressionKey = (accountId: string, address: string): Key => ({
  pk: `${SUPPRESSION_PREFIX}${part(accountId)}#${createHash('sha256')
    .update(`EMAIL ${mailboxOf(address)}`)
    .digest('base64url')}`,
  sk: 'SUPPRESSION',
});
/** `SUPPRESSION#`: start of the partition keys of suppressions. */
export const SUPPRESSION_PREFIX = 'SUPPRESSION#';
/** `PROVIDERCALL#018f…#sms / PROVIDERCALL`: which provider may have a message. */
export const providerCallKey = (trackingId: string, channel: string): Key => ({
  pk: `${PROVIDER_CALL_PREFIX}${part(trackingId)}#${part(channel)}`,
  sk: 'PROVIDERCALL',
});
/** `PROVIDERCALL#`: start of the partition keys of provider calls. */
export const PROVIDER_CALL_PREFIX = 'PROVIDERCALL#';
/** `BREAKER#q3…` */
export const breakerPk = (accountId: string): string => `BREAKER#${part(accountId)}`;
/** `BREAKER#q3… / SMS#twilio`: how a provider fares. */
export const breakerKey = (accountId: string, channel: string, provider: string): Key => ({
  pk: breakerPk(accountId),
  sk: `${part(channel)}#${part(provider)}`,
});
/** `MESSAGE#ses#0100… / MESSAGE` */
export const messageKey = (provider: string, messageId: string): Key => ({
  pk: `${MESSAGE_PREFIX}${part(provider)}#${part(messageId)}`,
  sk: 'MESSAGE',
});
/** `MESSAGE#`: start of the partition keys of provider message IDs. */
export const MESSAGE_PREFIX = 'MESSAGE#';
/** `RESERVE#q3…#smsCap#179… / REMAINING`: what may still be accepted or sent under a cap in one window of seconds. */
export const reserveKey = (accountId: string, cap: string, window: number): Key => ({
  pk: `RESERVE#${part(accountId)}#${cap}#${window}`,
  sk: 'REMAINING',
});
/** `RESERVE#q3…#smsCap#018f… / TAKEN`: a notification has its part of a reserve. */
export const reservePartKey = (accountId: string, cap: string, name: string): Key => ({
  pk: `RESERVE#${part(accountId)}#${cap}#${part(name)}`,
  sk: 'TAKEN',
});
/** `RATE#credential/q3…/9f…#179… / RATE`: requests of a credential or an account in one window of seconds. */
export const requestCountKey = (name: string, window: number): Key => ({
  pk: `RATE#${part(name)}#${window}`,
  sk: 'RATE',
});
/** `USAGE#q3…#2026-11 / DAY#21#SHARD#07`: by day, because billing periods begin on any day of the month. */
export const usageKey = (accountId: string, date: string, shard: number): Key => ({
  pk: usagePk(accountId, date.slice(0, 7)),
  sk: `${usageDayPrefix(date.slice(8))}SHARD#${String(shard).padStart(2, '0')}`,
});
/** `USAGE#q3…#2026-11 / DAY#21#RECOUNT`: what a recount of the day found beyond its counters. */
export const usageRecountKey = (accountId: string, date: string): Key => ({
  pk: usagePk(accountId, date.slice(0, 7)),
  sk: `${usageDayPrefix(date.slice(8))}RECOUNT`,
});
/** `DAY#21#`: start of the sort keys of a day's usage; without one, of all days. */
export const usageDayPrefix = (day?: string) => (day === undefined ? 'DAY#' : `DAY#${day}#`);
/** `USAGE#q3…#2026-11` */
export const usagePk = (accountId: string, yearMonth: string) =>
  `${USAGE_PREFIX}${part(accountId)}#${yearMonth}`;
/** `USAGE#`: start of the partition keys of usage. */
export const USAGE_PREFIX = 'USAGE#';

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
  const parts = [environmentId, userId, notificationId, subNotificationId].map(part);
  return `${DIGEST_PREFIX}${parts.join('#')}#${channel}#${mode}#${flushAtMs}`;
};
/** `DIGEST#`: start of the partition keys of digests. */
export const DIGEST_PREFIX = 'DIGEST#';

/** `DIGEST#… / BUCKET`: state of a digest. */
export const bucketKey = (pk: string): Key => ({ pk, sk: 'BUCKET' });
/** `DIGEST#… / ITEM#018f…`: one collected notification. */
export const digestItemKey = (pk: string, trackingId: string): Key => ({
  pk,
  sk: `${DIGEST_ITEM_PREFIX}${part(trackingId)}`,
});

/** Index `feed`: `ENV#x7…#LOG#3` / `1790000000000#018f…`. Newest first is a backward Query per shard. */
export const feedKeys = (environmentId: string, kind: string, shard: number, atMs: number, id: string) => ({
  feedPk: feedPk(environmentId, kind, shard),
  feedSk: `${indexTime(atMs)}#${part(id)}`,
});
/** `1790000000000`: where a time begins in the order of an index. */
export const indexTime = (atMs: number) => String(atMs).padStart(INDEX_TIME_LENGTH, '0');
const INDEX_TIME_LENGTH = 13;
/** The time of a sort key of an index. */
export const timeOfIndexSk = (sk: string) => Number(sk.slice(0, INDEX_TIME_LENGTH));
/** `ENV#x7…#LOG#3` */
export const feedPk = (environmentId: string, kind: string, shard: number) =>
  `${environmentPk(environmentId)}#${kind}#${shard}`;

/** Kind of the sparse feed of failures in the index `feed`. */
export const FAILED_FEED = 'FAILED';
/** Partitions of that feed: an outage fails everything simultaneously. */
export const FAILED_SHARDS = 16;

/** Shards of the due index, at least: heads of a busy account are spread over as many as its feed. */
export const DUE_SHARDS = 16;
/** Index `due`: `DUE#3` / `1790000000000#LOG#018f…`. A sweep reads a range of time per shard, however long it is. */
export const dueKeys = (dueAtMs: number, shard: number, id: string) => ({
  duePk: duePk(shard),
  dueSk: `${indexTime(dueAtMs)}#${id}`,
});
/** `DUE#3` */
export const duePk = (shard: number) => `${DUE_PK_PREFIX}${shard}`;
/** `DUE#`: start of the partition keys of waiting work. */
export const DUE_PK_PREFIX = 'DUE#';
/**
 * Index `due`: `READY#3` / `1790000000000#018f…`. Notifications made ready by a schedule or a digest, by that
 * time: the feed lists them by their acceptance, or not at all.
 */
export const readyKeys = (readyAtMs: number, shard: number, trackingId: string) => ({
  duePk: readyPk(shard),
  dueSk: `${indexTime(readyAtMs)}#${trackingId}`,
});
/** `READY#3` */
export const readyPk = (shard: number) => `READY#${shard}`;
/**
 * Partition of the due index of sender domains to check: few, so one partition, read up to now, needs no
 * checkpoint.
 */
export const DOMAIN_POLL_PK = 'DUE#DOMAINS';
/** Index `due`: `DUE#DOMAINS` / `1790000000000#q3…#example.com`. */
export const domainPollKeys = (dueAtMs: number, accountId: string, domain: string) => ({
  duePk: DOMAIN_POLL_PK,
  dueSk: `${indexTime(dueAtMs)}#${part(accountId)}#${part(domain)}`,
});

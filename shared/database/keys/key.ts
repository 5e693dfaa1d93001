import type { Item } from '../table.ts';

/**
 * The access patterns of the table. Their keys are in this folder, in a file for each part.
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
 * | last attempts of a webhook; a pending call of one | WEBHOOKATTEMPTS#e#w / time#id; WEBHOOKCALL#id / CALL | webhook-history, webhook-calls |
 * | a template's earlier versions, its draft | TEMPLATES#e#t / VERSION#channel#id#locale#version, DRAFT#channel#id#locale# | template-versions |
 * | which templates embed a component; which components embed which | ENV#e / REFERENCE#c#hash, EMBEDDINGS | components |
 * | a user and preferences (two exact keys), history of consent, in-app items and when snoozed ones return, connections, throttle states, dedup markers | USER#e#u / … | users, … |
 * | the users who have an email address or number | CONTACT#e#kind#hash / USER#u | contacts, user-list |
 * | what is stored of a user elsewhere: scheduled notifications, digests, text threads | USER#e#u / TRACE#hash | user-traces |
 * | whose a connection is that ends; all open ones of an environment | CONNECTION#id / CONNECTION; SOCKETS#e#shard / CONNECTION#id | connections |
 * | topics of an environment; members of one; topics of a user | ENV#e / TOPIC#t; TOPIC#e#t / MEMBER#u; USER#e#u / TOPIC#t | topics |
 * | how far the removal of an environment is | ENVREMOVAL#e / JOB | environment-removals |
 * | whether an account's address is suppressed | SUPPRESSION#a#hash / SUPPRESSION, ERASED | suppressions |
 * | whether a user was deleted after a notification was accepted | ERASED#hash / ERASED | erasure-marks |
 * | receipts of finished erasures, newest first | ERASURES#a / time#id | erasure-receipts |
 * | how far the erasure of a user's logs is; which wait; how far an environment is read for all that wait | ERASURE#hash / JOB; index feed: ENV#e#ERASING#0; ERASING#e / PASS | erasure-jobs, erasure-passes |
 * | one notification's log: head and events in one Query | LOG#trackingId / HEAD, EVENT#… | logs |
 * | whom a text answers; whether a person opted out of texts | SMSTHREAD#ours#theirs / ENV#e; SMSOPTOUT#EVERY#theirs / SERVICE#ours | texts |
 * | newest first: logs, users, in-app | index feed: ENV#e#kind#shard / time#id | logs, users |
 * | what is due until a time | index due: DUE#shard / time#id | due |
 * | the sender domains for which email is received | index due: RECEIVING / domain | domains |
 * | items of a digest | DIGEST#… / BUCKET, ITEM#trackingId | digests |
 * | a delivery whose next attempt is due later, or that is held | RETRY#trackingId#channel / RETRY | delivery-retries |
 * | carrier of a number, looked up | CARRIER#number / CARRIER | carriers |
 * | text messages and calls of a billing period, counted against its caps | PHONECOUNT#a / startDate | phone-caps |
 * | the turns of busy accounts on a channel whose rate is scarce | TURNS#channel / a | turn-clocks |
 * | the usual cost of an account's day; whether its sending was stopped today | COSTWATCH#a / DAY | cost-watches |
 * | requests of a credential or an account in the last seconds | RATE#name#window / RATE | request-counts |
 * | throttle state of a whole type; provider message id -> tracking ID; usage of a month | THROTTLE#…, MESSAGE#id, USAGE#a#month | … |
 */
export type Key = { pk: string; sk: string };

export function keyOf({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

/** Caller-chosen text inside a key: `#` and `%` are escaped so that no ID can extend into another part. */
export function part(text: string): string {
  return text.replace(/[%#]/g, (character) => (character === '#' ? '%23' : '%25'));
}

/** The first two parts of a partition key: its kind, and in most kinds the account or environment that owns it. */
export function familyOfPk(pk: string): { family: string; owner: string | undefined } {
  const [family = '', owner] = pk.split('#');
  return { family, owner };
}

/** `ACCOUNT#q3…` */
export const accountPk = (accountId: string) => `ACCOUNT#${part(accountId)}`;

/** `ENV#x7…` */
export const environmentPk = (environmentId: string) => `ENV#${part(environmentId)}`;

/** `USER#x7…#ada` */
export const userPk = (environmentId: string, userId: string) =>
  `${USER_PK_PREFIX}${part(environmentId)}#${part(userId)}`;

export const USER_PK_PREFIX = 'USER#';

/** `LOG#018f…` */
export const logPk = (trackingId: string) => `${LOG_PK_PREFIX}${part(trackingId)}`;

export const LOG_PK_PREFIX = 'LOG#';

export const trackingIdOfPk = (pk: string) => pk.slice(LOG_PK_PREFIX.length);

/** `CLAIM#domain#example.com / CLAIM`; `environment` claims map to the account, `idempotency` claims to the request. */
export const claimKey = (kind: string, value: string): Key => ({
  pk: `CLAIM#${part(kind)}#${part(value)}`,
  sk: 'CLAIM',
});

/** `LEASE#chat-token/x7…/ada / LEASE` */
export const leaseKey = (name: string): Key => ({ pk: `LEASE#${part(name)}`, sk: 'LEASE' });

import { hash } from 'node:crypto';
import { shardOf } from '../../runtime/values/ids.ts';
import { environmentPk, part } from './key.ts';

/**
 * Index `feed`: `ENV#x7…#LOG#3` / `1790000000000#018f…#~Zb3`. Newest first is a backward Query per shard. Logs of a user end in a
 * short hash of that user, which tells an erasure which logs to read.
 */
export const feedKeys = (
  environmentId: string,
  kind: string,
  shard: number,
  atMs: number,
  id: string,
  userId?: string,
) => ({
  feedPk: feedPk(environmentId, kind, shard),
  feedSk: `${indexTime(atMs)}#${part(id)}${userId === undefined ? '' : feedTag({ environmentId, userId })}`,
});
/** `#~Zb3`: so short that many users of a large environment have it in common. */
export const feedTag = (user: { environmentId: string; userId: string }) =>
  waitingTag(user).slice(0, FEED_TAG_LENGTH);
const FEED_TAG_LENGTH = 5;
/** The tag at the end of a sort key of the feed; undefined in logs of topics and of earlier releases. */
export const tagOfFeedSk = (feedSk: string) =>
  feedSk.slice(-FEED_TAG_LENGTH).startsWith('#~') ? feedSk.slice(-FEED_TAG_LENGTH) : undefined;
/** The sort key without its user. It sorts after all tags, so that no list that continues shows the entry twice. */
export const untaggedFeedSk = (feedSk: string) =>
  tagOfFeedSk(feedSk) === undefined ? feedSk : `${feedSk.slice(0, -FEED_TAG_LENGTH)}#~~~~`;
/** `1790000000000`: where a time begins in the order of an index. Times before 1970 and after 2286 are at its ends. */
export const indexTime = (atMs: number) =>
  String(Math.min(Math.max(0, atMs), 9_999_999_999_999)).padStart(INDEX_TIME_LENGTH, '0');
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
/** Index `due`: `DUE#3` / `1790000000000#LOG#018f…`. A sweep reads a range of time of any length per shard. */
export const dueKeys = (dueAtMs: number, shard: number, id: string) => ({
  duePk: duePk(shard),
  dueSk: `${indexTime(dueAtMs)}#${id}`,
});
/**
 * Index `due`: `DUE#3` / `1790000000000#LOG#018f…#~Zb3k9Q2xPw1c`. Steps and held channels of one user are in one shard and
 * end in a hash of the user, so that they are found together.
 */
export const waitingKeys = (
  dueAtMs: number,
  user: { environmentId: string; userId: string },
  { shards, id }: { shards: number; id: string },
) => dueKeys(dueAtMs, waitingShard(user, shards), `${id}${waitingTag(user)}`);
/** The shard of a user's waiting messages. */
export const waitingShard = (user: { environmentId: string; userId: string }, shards: number) =>
  shardOf(waitingTag(user), shards);
/** `#~Zb3k9Q2xPw1c` */
export const waitingTag = ({ environmentId, userId }: { environmentId: string; userId: string }) =>
  `#~${hash('sha256', `${environmentId} ${userId}`, 'base64url').slice(0, 12)}`;
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
/** Partition of the due index of verified sender domains with an inbound address: SES receives email for those. */
export const RECEIVING_PK = 'RECEIVING';
/** Index `due`: `RECEIVING` / `example.com`, of the domain's claim. */
export const receivingKeys = (domain: string) => ({ duePk: RECEIVING_PK, dueSk: part(domain) });
/** Index `due`: `DUE#DOMAINS` / `1790000000000#q3…#example.com`. */
export const domainPollKeys = (dueAtMs: number, accountId: string, domain: string) => ({
  duePk: DOMAIN_POLL_PK,
  dueSk: `${indexTime(dueAtMs)}#${part(accountId)}#${part(domain)}`,
});

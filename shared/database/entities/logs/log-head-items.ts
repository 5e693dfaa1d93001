import { createHash } from 'node:crypto';
import type { LOG_FOLDERS } from '../../../blobs/blob-folders.ts';
import { blobFolderOf } from '../../../blobs/blob-life.ts';
import type { Blobs } from '../../../blobs/blobs-port.ts';
import type { DigestContent, LogHead } from '../../../domain/logs/log.ts';
import { isGoing } from '../../../domain/routing/routing.ts';
import { nextDueAtMs, progressOf } from '../../../domain/routing/steps.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { deflated, inflated } from '../../../runtime/values/deflated.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import type { SendRequest } from '../../../schemas/sending/send-request.ts';
import { readStored } from '../../items/stored.ts';
import { DUE_SHARDS, dueKeys, feedKeys, readyKeys, waitingKeys } from '../../keys/indexes.ts';
import { logPk } from '../../keys/key.ts';
import { headKey } from '../../keys/log.ts';
import type { Item } from '../../table.ts';
import { longHead, StoredHead, type StoredLogHead, shortHead } from './log-head.ts';

/** Kind of the outbound feed in the index `feed`. */
export const OUTBOUND_FEED = 'LOG';
/** Feed of rejected requests, for erasures. */
export const REFUSED_FEED = 'REFUSED';

/** A request larger than this, deflated, goes to the blob store: past it an object costs less than write units. */
export const REQUEST_BYTES_MAX = 8 * 1024;

/** Heads as items; parts that are too large are in the blob store. */
export type HeadItems = ReturnType<typeof createHeadItems>;

/** Requests of topics that are held for their members' notifications. */
const HELD_REQUESTS_MAX = 20;

/** Reads and writes heads; large parts are in the blob store. A member of a topic has the request of the topic: `findHead` reads its item. */
export function createHeadItems(
  store: () => Blobs,
  findHead: (trackingId: string) => Promise<Item | undefined>,
) {
  const held = new Map<string, Promise<SendRequest>>();

  /** The request of a notification that was fanned out, which no longer changes. */
  function requestOf(trackingId: string): Promise<SendRequest> {
    const found = held.get(trackingId);
    if (found) return found;
    const read = findHead(trackingId).then(async (item) => (item ? (await readHead(item)).request : {}));
    if (held.size >= HELD_REQUESTS_MAX) held.delete([...held.keys()][0] ?? '');
    held.set(trackingId, read);
    read.catch(() => held.delete(trackingId));
    return read;
  }

  /**
   * The name under which a large part of a head was stored; undefined if it fits the item. It is derived from
   * the content, so a head that loses its conditional write does not affect the stored one's object.
   */
  async function storeLarge(name: string, bytes: Uint8Array): Promise<string | undefined> {
    if (bytes.length <= REQUEST_BYTES_MAX) return undefined;
    const blob = `${name}-${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}`;
    await store().put(blob, bytes);
    return blob;
  }

  async function headItem(
    head: LogHead,
    options: { feedShards: number; expiresAtSeconds: number },
  ): Promise<Item> {
    const stored = isOver(head) ? await masked(head) : head.request;
    // The topic's request is masked when its last member has a copy.
    const hasOwn = head.parentId === undefined || head.isSensitive;
    const request = hasOwn ? deflated(JSON.stringify(stored)) : undefined;
    const { expiresAt } = keptFor(head, options.expiresAtSeconds);
    const life = { storedAtMs: head.receivedAtMs, expiresAtSeconds: expiresAt };
    const folderOf = (kind: (typeof LOG_FOLDERS)[number]) => blobFolderOf(kind, head.accountId, life);
    const large = request && (await storeLarge(`${folderOf('requests')}/${head.trackingId}`, request));
    const shard = shardOf(head.trackingId, options.feedShards);
    const digest = head.digest && deflated(JSON.stringify(head.digest));
    const largeDigest = digest && (await storeLarge(`${folderOf('digests')}/${head.trackingId}`, digest));
    return {
      ...headKey(head.trackingId),
      ...(isListed(head) || isRefused(head)
        ? feedKeys(
            head.environmentId,
            isRefused(head) ? REFUSED_FEED : OUTBOUND_FEED,
            isRefused(head) ? 0 : shard,
            head.receivedAtMs,
            head.trackingId,
            isToTopic(head) || hasCopies(head.request) ? undefined : head.userId,
          )
        : {}),
      ...defined({ digestBlob: largeDigest, digest: largeDigest ? undefined : digest }),
      ...(logDueKeys(head, firstDueAtMs(head), options.feedShards) ??
        madeReadyKeys(head, options.feedShards)),
      ...shortHead(head),
      ...(hasCopies(head.request) ? { copies: true } : {}),
      ...(head.request.metadata ? { m: true } : {}),
      ...defined({ blob: large, req: large ? undefined : request }),
      ...keptFor(head, options.expiresAtSeconds),
    };
  }

  async function readHead(item: Item): Promise<StoredLogHead> {
    const stored = readStored('log head', StoredHead, item);
    const bytes = stored.req ?? (stored.blob && (await store().get(stored.blob)));
    const request: SendRequest = bytes ? JSON.parse(inflated(bytes)) : await memberRequest(stored);
    const packed = stored.digest ?? (stored.digestBlob && (await store().get(stored.digestBlob)));
    const digest: DigestContent | undefined = packed && JSON.parse(inflated(packed));
    return { ...longHead(stored, request), ...defined({ digest, blob: stored.blob }) };
  }

  /** The content for a member of a topic; an erased user's is empty. */
  async function memberRequest({ parent, u: id }: StoredHead): Promise<SendRequest> {
    return parent === undefined || id === '' ? {} : { ...(await requestOf(parent)), to: { id } };
  }

  return { headItem, readHead };
}

/** Seldom needed: loaded then. */
async function masked({ request }: LogHead): Promise<SendRequest> {
  const { maskedRequest } = await import('../../../domain/routing/sensitive.ts');
  return maskedRequest(request);
}

/** They name people whose log it is not: an erasure reads them all. */
const hasCopies = ({ options }: SendRequest): boolean =>
  [options?.email?.ccAddresses, options?.email?.bccAddresses].some((list) => list?.length);

const isRefused = ({ state, failedCode }: { state: string; failedCode?: string | undefined }): boolean =>
  state === 'cancelled' && failedCode !== undefined;

/** It names no user but those whom it leaves out. */
const isToTopic = ({ topicId, parentId }: LogHead) => topicId !== undefined && parentId === undefined;

/** True if no channel of a sensitive notification will be sent, or each member of its topic has a copy of it. */
function isOver({ isSensitive, state, topicId, routing }: LogHead): boolean {
  if (!isSensitive) return false;
  const isGone = topicId !== undefined || !Object.values(routing).some(isGoing);
  return state === 'cancelled' || (state === 'accepted' && isGone);
}

/**
 * Notifications made ready by a schedule or a digest are found by that time if their stream record is lost.
 */
function madeReadyKeys(head: LogHead, feedShards: number) {
  const { state, scheduledForMs, digest, processedAtMs, receivedAtMs, trackingId } = head;
  if (state !== 'accepted' || (scheduledForMs === undefined && !digest)) return {};
  const shard = shardOf(trackingId, Math.max(DUE_SHARDS, feedShards));
  return readyKeys(processedAtMs ?? receivedAtMs, shard, trackingId);
}

/**
 * A stream or a queue may be broken for days before anyone notices: a log is kept at least that long, hidden
 * if necessary.
 */
export const KEPT_SECONDS = 15 * DAY_SECONDS;

function keptFor(
  { receivedAtMs, processedAtMs = 0, scheduledForMs = 0 }: LogHead,
  shownUntil: number,
): { expiresAt: number; shownUntil?: number; kept?: number } {
  const keptUntilSeconds = secondsAfter(Math.max(receivedAtMs, processedAtMs, scheduledForMs), KEPT_SECONDS);
  return shownUntil >= keptUntilSeconds
    ? { expiresAt: shownUntil }
    : { expiresAt: keptUntilSeconds, shownUntil, kept: keptUntilSeconds };
}

/** Returns when a head is first due: a scheduled notification, a fan-out, a step or a held channel. */
function firstDueAtMs(head: LogHead): number | undefined {
  if (head.state === 'scheduled') return head.scheduledForMs;
  if (head.state === 'fanning') return head.fanOut?.dueAtMs;
  const progress = progressOf(head);
  return progress && nextDueAtMs(head, progress);
}

/** Keys of the index `due` for an item of a log. Heads of a busy account are spread as its feed is. */
export function logDueKeys(
  {
    trackingId,
    state,
    environmentId,
    userId,
  }: Pick<LogHead, 'trackingId' | 'state' | 'environmentId' | 'userId'>,
  dueAtMs: number | undefined,
  feedShards = 1,
) {
  if (dueAtMs === undefined) return undefined;
  const shards = Math.max(DUE_SHARDS, feedShards);
  const id = logPk(trackingId);
  return state === 'accepted'
    ? waitingKeys(dueAtMs, { environmentId, userId }, { shards, id })
    : dueKeys(dueAtMs, shardOf(trackingId, shards), id);
}

/**
 * A digest's log is read through the logs of its items. A rejected request's log is found by the tracking ID in its error, and an
 * inbound message without a type by the feed of inbound messages.
 */
function isListed({ digest, state, failedCode, notificationId }: LogHead): boolean {
  return !digest && notificationId !== '' && !isRefused({ state, failedCode });
}

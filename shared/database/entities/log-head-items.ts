import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { blobFolderOf } from '../../blobs/blob-life.ts';
import type { Blobs } from '../../blobs/blobs-port.ts';
import type { DigestContent, LogHead } from '../../domain/log-record.ts';
import { nextDueAtMs, progressOf } from '../../domain/steps.ts';
import { shardOf } from '../../runtime/ids.ts';
import type { SendRequest } from '../../schemas/send-request.ts';
import { DUE_SHARDS, dueKeys, feedKeys, headKey, logPk, readyKeys } from '../keys.ts';
import type { Item } from '../table.ts';
import { longHead, StoredHead, type StoredLogHead, shortHead } from './log-head.ts';
import { readStored } from './stored.ts';

/** Kind of the outbound feed in the index `feed`. */
export const OUTBOUND_FEED = 'LOG';

/** A request larger than this, deflated, goes to the blob store: past it an object costs less than write units. */
export const REQUEST_BYTES_MAX = 8 * 1024;

/** Heads as items; what is too large for one is in the blob store. */
export type HeadItems = {
  headItem(head: LogHead, options: { feedShards: number; expiresAtSeconds: number }): Promise<Item>;
  readHead(item: Item): Promise<StoredLogHead>;
};

/** Builds the two ways on the blob store. */
export function createHeadItems(store: () => Blobs): HeadItems {
  /**
   * The name under which a large part of a head was stored; undefined when it fits the item. It names the content, so
   * that a head that loses its conditional write leaves what the stored one names as it is.
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
    const request = deflated(JSON.stringify(head.request));
    const { expiresAt } = keptFor(head, options.expiresAtSeconds);
    const folderOf = (kind: string) => blobFolderOf(kind, head.receivedAtMs, expiresAt);
    const large = await storeLarge(`${folderOf('requests')}/${head.trackingId}`, request);
    const shard = shardOf(head.trackingId, options.feedShards);
    const digest = head.digest && deflated(JSON.stringify(head.digest));
    const largeDigest = digest && (await storeLarge(`${folderOf('digests')}/${head.trackingId}`, digest));
    return {
      ...headKey(head.trackingId),
      ...(isListed(head)
        ? feedKeys(head.environmentId, OUTBOUND_FEED, shard, head.receivedAtMs, head.trackingId)
        : {}),
      ...(largeDigest ? { digestBlob: largeDigest } : digest ? { digest } : {}),
      ...(logDueKeys(head.trackingId, firstDueAtMs(head)) ?? madeReadyKeys(head)),
      ...shortHead(head),
      ...(large ? { blob: large } : { req: request }),
      ...keptFor(head, options.expiresAtSeconds),
    };
  }

  async function readHead(item: Item): Promise<StoredLogHead> {
    const stored = readStored('log head', StoredHead, item);
    const bytes = stored.req ?? (stored.blob && (await store().get(stored.blob)));
    const request: SendRequest = bytes ? JSON.parse(inflateRawSync(bytes).toString('utf8')) : {};
    const packed = stored.digest ?? (stored.digestBlob && (await store().get(stored.digestBlob)));
    const digest: DigestContent | undefined = packed && JSON.parse(inflateRawSync(packed).toString('utf8'));
    return { ...longHead(stored, request), ...(digest ? { digest } : {}) };
  }

  return { headItem, readHead };
}

/** What a schedule or a digest made ready is found by that time, should its stream record be lost. */
function madeReadyKeys({ state, scheduledForMs, digest, processedAtMs, receivedAtMs, trackingId }: LogHead) {
  if (state !== 'accepted' || (scheduledForMs === undefined && !digest)) return {};
  return readyKeys(processedAtMs ?? receivedAtMs, shardOf(trackingId, DUE_SHARDS), trackingId);
}

/** A stream or a queue may be broken for days before somebody sees it: a log is kept that long, hidden if it must be. */
const KEPT_SECONDS = 15 * 86_400;

function keptFor(
  { receivedAtMs, processedAtMs = 0, scheduledForMs = 0 }: LogHead,
  shownUntil: number,
): { expiresAt: number; shownUntil?: number; kept?: number } {
  const kept = Math.ceil(Math.max(receivedAtMs, processedAtMs, scheduledForMs) / 1000) + KEPT_SECONDS;
  return shownUntil >= kept ? { expiresAt: shownUntil } : { expiresAt: kept, shownUntil, kept };
}

/** When something of a head is due first: a scheduled notification, a step or a held channel. */
function firstDueAtMs(head: LogHead): number | undefined {
  if (head.state === 'scheduled') return head.scheduledForMs;
  const progress = progressOf(head);
  return progress && nextDueAtMs(head, progress);
}

/** Keys of the index `due` for an item of a log. */
export function logDueKeys(trackingId: string, dueAtMs: number | undefined) {
  if (dueAtMs === undefined) return undefined;
  return dueKeys(dueAtMs, shardOf(trackingId, DUE_SHARDS), logPk(trackingId));
}

/** What is short needs no large window: preparing one takes longer than to deflate it. */
const SHORT_LENGTH_MAX = 4096;
const FOR_SHORT = { memLevel: 4, windowBits: 13, chunkSize: 1024 };

function deflated(text: string): Buffer {
  return deflateRawSync(text, text.length > SHORT_LENGTH_MAX ? {} : FOR_SHORT);
}

/** A digest's log is read through its items', a refused request's under the tracking ID that its error named. */
function isListed({ digest, state, failedCode }: LogHead): boolean {
  return !digest && !(state === 'cancelled' && failedCode !== undefined);
}

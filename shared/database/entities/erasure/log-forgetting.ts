import type { Blobs } from '../../../blobs/blobs-port.ts';
import { isGoing } from '../../../domain/routing/routing.ts';
import { maskedRequest } from '../../../domain/routing/sensitive.ts';
import { deflated } from '../../../runtime/values/deflated.ts';
import type { Channel } from '../../../schemas/channel.ts';
import { CHANNELS } from '../../../schemas/channel.ts';
import { SETTLED_STAGES } from '../../../schemas/logs/stage.ts';
import type { Database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { logPk } from '../../keys/key.ts';
import { headKey, readEventSk } from '../../keys/log.ts';
import { longHead, StoredHead } from '../logs/log-head.ts';
import type { LogParts } from '../logs/log-reads.ts';

/**
 * Removes the content and the request of a notification, which is sensitive from then on, once each channel has its outcome, or
 * anyway. False if one has none yet. Safe to repeat.
 */
export async function forgetContent(
  {
    table,
    store,
    log: { readHead },
  }: { table: Database; store: () => Blobs; log: Pick<LogParts, 'readHead'> },
  trackingId: string,
  isForced = false,
): Promise<boolean> {
  const items = await table.queryAll(logPk(trackingId), '', { consistent: true });
  const item = items.find(({ sk }) => sk === headKey(trackingId).sk);
  // A member of a topic has its request there.
  if (!item) return true;
  const isMember = item.parent !== undefined && item.req === undefined && item.blob === undefined;
  const head = isMember ? longHead(readStored('log head', StoredHead, item), {}) : await readHead(item);
  const settled = items.flatMap(({ sk }) => readEventSk(String(sk)) ?? []);
  const isSettled = (channel: Channel) =>
    settled.some((event) => event.channel === channel && SETTLED_STAGES.has(event.stage));
  if (CHANNELS.some((channel) => isGoing(head.routing[channel]) && !isSettled(channel)) && !isForced)
    return false;
  if (isMember) return true;
  const digest = head.digest && {
    ...head.digest,
    items: head.digest.items.map((each) => ({ ...each, request: maskedRequest(each.request) })),
  };
  const set = `SET secret = :true, bare = :true, req = :req${digest ? ', digest = :digest' : ''}`;
  await table.update(headKey(trackingId), `${set} REMOVE #blob, digestBlob`, {
    condition: 'attribute_exists(pk)',
    names: { '#blob': 'blob' },
    values: {
      ':true': true,
      ':req': deflated(JSON.stringify(maskedRequest(head.request))),
      ...(digest ? { ':digest': deflated(JSON.stringify(digest)) } : undefined),
    },
  });
  const blobs = [item.blob, item.digestBlob].filter((name) => typeof name === 'string');
  await Promise.all(blobs.map((name) => store().delete(name)));
  return true;
}

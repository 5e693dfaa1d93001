import { deflateRawSync } from 'node:zlib';
import { isGoing } from '../../domain/routing.ts';
import { maskedRequest } from '../../domain/sensitive.ts';
import type { Channel } from '../../schemas/channel.ts';
import { CHANNELS } from '../../schemas/channel.ts';
import { SETTLED_STAGES } from '../../schemas/stage.ts';
import { logPk } from '../keys/key.ts';
import { headKey, readEventSk } from '../keys/log.ts';
import type { LogParts } from './log-reads.ts';

/** Removes the content and the request of a sensitive notification once each channel has its outcome. Safe to repeat. */
export async function forgetContent({ table, store, readHead }: LogParts, trackingId: string): Promise<void> {
  const items = await table.queryAll(logPk(trackingId), '', { consistent: true });
  const item = items.find(({ sk }) => sk === headKey(trackingId).sk);
  // A member of a topic has its request there.
  if (!item || item.parent !== undefined) return;
  const head = await readHead(item);
  const settled = items.flatMap(({ sk }) => readEventSk(String(sk)) ?? []);
  const isSettled = (channel: Channel) =>
    settled.some((event) => event.channel === channel && SETTLED_STAGES.has(event.stage));
  if (CHANNELS.some((channel) => isGoing(head.routing[channel]) && !isSettled(channel))) return;
  const digest = head.digest && {
    ...head.digest,
    items: head.digest.items.map((each) => ({ ...each, request: maskedRequest(each.request) })),
  };
  const set = digest ? 'SET req = :req, digest = :digest' : 'SET req = :req';
  await table.update(headKey(trackingId), `${set} REMOVE #blob, digestBlob`, {
    condition: 'attribute_exists(pk)',
    names: { '#blob': 'blob' },
    values: {
      ':req': deflateRawSync(JSON.stringify(maskedRequest(head.request))),
      ...(digest ? { ':digest': deflateRawSync(JSON.stringify(digest)) } : undefined),
    },
  });
  const blobs = [item.blob, item.digestBlob].filter((name) => typeof name === 'string');
  await Promise.all(blobs.map((name) => store().delete(name)));
}

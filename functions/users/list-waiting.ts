import { digests } from '../../shared/database/entities/digests.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { userTraces } from '../../shared/database/entities/user-traces.ts';
import { LOG_PK_PREFIX, trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { DIGEST_PREFIX } from '../../shared/database/keys/log.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { inChunks } from '../../shared/runtime/chunks.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { listWaitingRoute } from './routes.ts';

const PARALLEL = 25;

export const handler = endpoint(
  listWaitingRoute,
  { userTraces, logs, digests },
  async ({ userTraces, logs, digests, caller, path, request }) => {
    const { environmentId } = caller;
    const { userId } = path;
    const traced = await userTraces.list({ environmentId, userId });
    const logPks = traced.filter((pk) => pk.startsWith(LOG_PK_PREFIX));
    const heads = await inChunks(logPks, PARALLEL, (pk) =>
      logs.findHead(trackingIdOfPk(pk), request.receivedAtMs),
    );
    const digestPks = traced.filter((pk) => pk.startsWith(DIGEST_PREFIX));
    const buckets = await inChunks(digestPks, PARALLEL, async (pk) => {
      const bucket = await digests.findBucket(pk);
      return bucket?.state === 'open' ? { bucket, items: await digests.listItems(pk) } : undefined;
    });
    return {
      scheduled: heads
        .flatMap((head) =>
          head?.state === 'scheduled' && head.userId === userId && head.scheduledForMs !== undefined
            ? [
                {
                  trackingId: head.trackingId,
                  type: head.notificationId,
                  scheduledFor: isoOf(head.scheduledForMs),
                },
              ]
            : [],
        )
        .sort((left, right) => left.scheduledFor.localeCompare(right.scheduledFor)),
      digests: buckets
        .flatMap((found) => {
          if (!found || found.items.length === 0) return [];
          const { notificationId: type, channel, mode, flushAtMs } = found.bucket;
          const trackingIds = found.items.map(({ trackingId }) => trackingId);
          return [{ type, channel, delivery: mode, sendAt: isoOf(flushAtMs), trackingIds }];
        })
        .sort((left, right) => left.sendAt.localeCompare(right.sendAt)),
    };
  },
);

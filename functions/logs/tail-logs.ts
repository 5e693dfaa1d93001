import { accounts } from '../../shared/database/entities/accounts.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { type FeedEntry, feed } from '../../shared/database/entities/feed.ts';
import { OUTBOUND_FEED } from '../../shared/database/entities/log-head-items.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { findReadable } from '../../shared/database/entities/stored.ts';
import { trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { inChunks } from '../../shared/runtime/chunks.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import type { LogRecord } from '../../shared/schemas/log-record.ts';
import { findRecord } from './find-record.ts';
import { fitRecord } from './fit-record.ts';
import { tailLogsRoute } from './routes.ts';
import { visibleEnvironmentIds } from './visible-environments.ts';

const TAIL_LENGTH = 100;
/** A record has up to 6 MB before it is cut: reading all concurrently would exceed the function's memory. */
const READ_AT_ONCE = 20;

export const handler = endpoint(
  tailLogsRoute,
  { logs, feed, accounts, environments },
  async ({ logs, feed, accounts, environments, caller, request }) => {
    const { feedShards: shards } = await accounts.get(caller.accountId);
    const environmentIds = await visibleEnvironmentIds(environments, caller);
    const feeds = environmentIds.map((environmentId) => ({ environmentId, kind: OUTBOUND_FEED, shards }));
    const entries = await feed.listNewestFirst(feeds, { limit: TAIL_LENGTH });
    const records = await inChunks(entries, READ_AT_ONCE, readFitting);
    return { logs: records.filter((record) => record !== undefined) };

    async function readFitting({ key }: FeedEntry): Promise<LogRecord | undefined> {
      const trackingId = trackingIdOfPk(key.pk);
      const record = await findReadable(() =>
        findRecord(logs, caller.accountId, trackingId, request.receivedAtMs),
      );
      return record && fitRecord(record, RESPONSE_BYTES_MAX / TAIL_LENGTH);
    }
  },
);

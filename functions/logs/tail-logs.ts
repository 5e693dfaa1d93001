import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { retentions } from '../../shared/database/entities/accounts/retentions.ts';
import { type FeedEntry, feed } from '../../shared/database/entities/logs/feed.ts';
import { OUTBOUND_FEED } from '../../shared/database/entities/logs/log-head-items.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { findReadable } from '../../shared/database/items/stored.ts';
import { trackingIdOfPk } from '../../shared/database/keys/key.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { inChunks } from '../../shared/runtime/async/chunks.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import type { LogRecord } from '../../shared/schemas/logs/log-record.ts';
import { findRecord } from './find-record.ts';
import { fitRecord } from './fit-record.ts';
import { tailLogsRoute } from './routes.ts';
import { visibleEnvironmentIds } from './visible-environments.ts';

const TAIL_LENGTH = 100;
/** A record has up to 6 MB before it is cut: reading all concurrently would exceed the function's memory. */
const READ_AT_ONCE = 20;

export const handler = endpoint(
  tailLogsRoute,
  { logs, feed, accounts, environments, retentions },
  async ({ logs, feed, accounts, environments, retentions, caller, request }) => {
    const { feedShards: shards } = await accounts.get(caller.accountId);
    const environmentIds = await visibleEnvironmentIds(environments, caller);
    const feeds = environmentIds.map((environmentId) => ({ environmentId, kind: OUTBOUND_FEED, shards }));
    const entries = await feed.listNewestFirst(feeds, { limit: TAIL_LENGTH });
    const { accountId } = caller;
    const scope = { accountId, rule: retentions.ruleOf(accountId), nowMs: request.receivedAtMs };
    const records = await inChunks(entries, READ_AT_ONCE, readFitting);
    return { logs: records.filter((record) => record !== undefined) };

    async function readFitting({ key }: FeedEntry): Promise<LogRecord | undefined> {
      const trackingId = trackingIdOfPk(key.pk);
      const record = await findReadable(() => findRecord(logs, trackingId, scope));
      return record && fitRecord(record, RESPONSE_BYTES_MAX / TAIL_LENGTH);
    }
  },
);

import { accounts } from '../../shared/database/entities/accounts.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { feed } from '../../shared/database/entities/feed.ts';
import { OUTBOUND_FEED } from '../../shared/database/entities/log-head-items.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { tailLogsRoute } from './routes.ts';
import { visibleEnvironmentIds } from './visible-environments.ts';

const TAIL_LENGTH = 100;

export const handler = endpoint(
  tailLogsRoute,
  { logs, feed, accounts, environments },
  async ({ logs, feed, accounts, environments, caller, request }) => {
    const { feedShards: shards } = await accounts.get(caller.accountId);
    const environmentIds = await visibleEnvironmentIds(environments, caller);
    const feeds = environmentIds.map((environmentId) => ({ environmentId, kind: OUTBOUND_FEED, shards }));
    const entries = await feed.listNewestFirst(feeds, { limit: TAIL_LENGTH });
    const records = await Promise.all(
      entries.map((entry) =>
        logs.findRecord(caller.accountId, entry.key.pk.slice('LOG#'.length), request.receivedAtMs),
      ),
    );
    return { logs: records.filter((record) => record !== undefined) };
  },
);

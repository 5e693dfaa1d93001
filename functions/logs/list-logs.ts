import type * as v from 'valibot';
import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { type MessagesFilter, messages } from '../../shared/database/entities/logs/messages.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { readCursor, writeCursor } from '../../shared/http/lists/cursor.ts';
import { rangeProblems } from '../../shared/http/problems/check.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/fields/list.ts';
import { listLogsRoute } from './routes.ts';
import { visibleEnvironmentIds } from './visible-environments.ts';

export const handler = endpoint(
  listLogsRoute,
  { messages, signer, accounts, environments },
  async ({ messages, signer, accounts, environments, caller, query, request }) => {
    const environmentIds = await visibleEnvironmentIds(environments, caller);
    const account = await accounts.get(caller.accountId);
    const scope = {
      signer,
      binding: ['listLogs', ...environmentIds.slice(0, 1), caller.accountId, ...filterBinding(query)],
    };
    const after = query.cursor === undefined ? undefined : String(await readCursor(scope, query.cursor));
    const page = await messages.listNewestFirst(
      {
        accountId: caller.accountId,
        environmentIds,
        feedShards: account.feedShards,
        eventType: query.eventType,
        filter: filterOf(query),
      },
      { limit: query.limit ?? LIMIT_DEFAULT, after, nowMs: request.receivedAtMs },
    );
    return {
      messages: page.messages,
      ...defined({
        nextCursor: page.nextPosition === undefined ? undefined : await writeCursor(scope, page.nextPosition),
      }),
    };
  },
  rangeProblems,
);

type Filter = v.InferOutput<(typeof listLogsRoute)['query']>;

function filterOf({ userId, type, subNotificationId, from, to, status }: Filter): MessagesFilter {
  const msOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  const isFailed = status === 'failed';
  return { userId, type, subNotificationId, fromMs: msOf(from), toMs: msOf(to), isFailed };
}

/** A cursor is valid only for the filters of the request that returned it. */
function filterBinding({ eventType, userId, type, from, to, status, subNotificationId }: Filter): string[] {
  const filters = [userId, type, from, to, status].map((each) => each ?? '');
  return [
    eventType ?? '',
    ...(filters.every((each) => each === '') ? [] : filters),
    ...(subNotificationId === undefined ? [] : ['sub', subNotificationId]),
  ];
}

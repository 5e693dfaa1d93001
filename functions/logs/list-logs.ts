import type * as v from 'valibot';
import { accounts } from '../../shared/database/entities/accounts.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { type MessagesFilter, messages } from '../../shared/database/entities/messages.ts';
import { textOf } from '../../shared/http/check.ts';
import { readCursor, writeCursor } from '../../shared/http/cursor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/list.ts';
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
      { environmentIds, feedShards: account.feedShards, eventType: query.eventType, filter: filterOf(query) },
      { limit: query.limit ?? LIMIT_DEFAULT, after, nowMs: request.receivedAtMs },
    );
    return {
      messages: page.messages,
      ...defined({
        nextCursor: page.nextPosition === undefined ? undefined : await writeCursor(scope, page.nextPosition),
      }),
    };
  },
  ({ query: { from, to } }) => {
    const isReversed = Date.parse(textOf(from) ?? '') > Date.parse(textOf(to) ?? '');
    return isReversed ? [{ where: 'query.to', must: 'must not be before from' }] : [];
  },
);

type Filter = v.InferOutput<(typeof listLogsRoute)['query']>;

function filterOf({ userId, type, from, to, status }: Filter): MessagesFilter {
  const msOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  return { userId, type, fromMs: msOf(from), toMs: msOf(to), isFailed: status === 'failed' };
}

/** A cursor is valid only for the filters of the request that returned it. */
function filterBinding({ eventType, userId, type, from, to, status }: Filter): string[] {
  const filters = [userId, type, from, to, status].map((each) => each ?? '');
  return [eventType ?? '', ...(filters.every((each) => each === '') ? [] : filters)];
}

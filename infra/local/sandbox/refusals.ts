import type { Answer } from '../../../shared/http/answer.ts';
import { findJson } from '../../../shared/runtime/find-json.ts';
import { parseKeyText } from '../../../shared/tokens/api-key-text.ts';
import type { loadRoute, RouteHandler } from '../functions/load.ts';

/** A request that an endpoint refused; the deployed service writes a log line instead. */
type Refusal = {
  atMs: number;
  accountId: string;
  keyId: string;
  operation: string;
  status: number;
  code: string;
};

const KEPT = 10_000;
const refusals: Refusal[] = [];

/** Loads endpoints whose refusals of keys are remembered. */
export function rememberingRefusals(load: typeof loadRoute, nowMs: () => number): typeof loadRoute {
  return async (route) => {
    const handler = (await load(route)) as (event: object) => Promise<Answer>;
    const remembering = async (event: { headers?: Record<string, string | undefined> }) => {
      const answer = await handler(event);
      const named = parseKeyText(event.headers?.authorization?.replace(/^Bearer +/i, '').trim() ?? '');
      if (answer.statusCode < 400 || !named) return answer;
      const code = String(Object(Object(findJson(answer.body)).error).code);
      const { accountId, keyId } = named;
      refusals.push({
        ...{ atMs: nowMs(), accountId, keyId, operation: route.id, status: answer.statusCode, code },
      });
      if (refusals.length > KEPT) refusals.shift();
      return answer;
    };
    return remembering as RouteHandler;
  };
}

/** Those of an account from `from` until before `to`, counted by what `npm run explain` shows. */
export function countRefusals(query: URLSearchParams): object {
  const [fromMs, toMs] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
  const found = refusals.filter(
    ({ accountId, atMs }) => accountId === query.get('account') && atMs >= fromMs && atMs < toMs,
  );
  const groups = Map.groupBy(found, ({ status, code, operation, keyId }) =>
    [status, code, operation, keyId].join(' '),
  );
  return { refused: [...groups].map(([name, list]) => ({ name, count: list.length })) };
}

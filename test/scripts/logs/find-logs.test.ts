import { expect, it } from 'vitest';
import { listLogsRoute } from '../../../functions/logs/routes.ts';
import type { Api } from '../../../scripts/frame/api.ts';
import { findLogs, PARAMETERS } from '../../../scripts/logs/find-logs.ts';

it('takes every filter that the API takes, and passes each on', async () => {
  const names = Object.keys(listLogsRoute.query.entries).filter(
    (name) => name !== 'limit' && name !== 'cursor',
  );
  expect(Object.values(PARAMETERS).sort()).toEqual(names.sort());
  const asked: string[] = [];
  const api = {
    call: async (_method: string, path: string) => {
      asked.push(path);
      return { messages: [] };
    },
  } as unknown as Api;
  const filter = Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, `x${name}`]));
  await findLogs(api, filter, 10);
  const query = new URLSearchParams(asked[0]?.split('?')[1]);
  for (const [name, parameter] of Object.entries(PARAMETERS)) expect(query.get(parameter)).toBe(`x${name}`);
});

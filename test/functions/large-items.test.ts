import { describe, expect, it } from 'vitest';
import { createComponentRoute } from '../../functions/components/routes.ts';
import { ROUTES } from '../../functions/routes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fileNameOf, type ListedRoute } from '../../shared/http/rows/route.ts';
import { call } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

/** Too much for an item of the table, and within what a request may have. */
const LARGE = 'x'.repeat(450_000);

/** The body with one of its texts made large, once for each text. */
function enlarged(value: unknown): unknown[] {
  if (typeof value === 'string') return [LARGE];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    enlarged(part).map((large) =>
      Array.isArray(value) ? value.with(Number(name), large) : { ...value, [name]: large },
    ),
  );
}

const bodiesOf = ({ example }: ListedRoute): unknown[] => enlarged(example?.request);
const WRITES: ListedRoute[] = ROUTES.filter(
  (row: ListedRoute) =>
    row.access !== 'none' && row.access.callers.includes('secret') && bodiesOf(row).length > 0,
);

async function responsesOf(row: ListedRoute): Promise<string[]> {
  const { handler } = await import(`../../functions/${row.resource}/${fileNameOf(row.id)}.ts`);
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = Object.fromEntries(names.map((name) => [name, `large-${name}`]));
  const responses = bodiesOf(row).map(async (body) => {
    const { status, json } = await call(handler, { key: account.secret.key, body, path });
    return status >= 500 ? `${status} ${json?.error?.code}` : '';
  });
  return (await Promise.all(responses)).filter(Boolean);
}

describe('what no item of the table can hold', () => {
  it.each(WRITES.map((row) => [row.id, row] as const))('is no fault of the service: %s', async (_, row) => {
    expect(await responsesOf(row)).toEqual([]);
  });

  it.each([
    ['an item', { name: 'ValidationException', message: 'Item size has exceeded the maximum allowed size' }],
    [
      'an update',
      { name: 'ValidationException', message: 'Item size to update has exceeded the maximum allowed size' },
    ],
    [
      'a transaction',
      {
        name: 'TransactionCanceledException',
        CancellationReasons: [
          { Code: 'None' },
          { Code: 'ValidationError', Message: 'Item size to update has exceeded the maximum allowed size' },
        ],
      },
    ],
  ])('is refused with the limit by every endpoint, as DynamoDB states it of %s', async (_, error) => {
    const handler = endpoint(createComponentRoute, {}, async () => {
      throw Object.assign(new Error(), error);
    });
    const body = createComponentRoute.example.request;
    const { status, json } = await call(handler, { key: account.secret.key, body });
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      'INVALID_REQUEST',
      'The data of one entry would be over 400 KB.',
    ]);
  });
});

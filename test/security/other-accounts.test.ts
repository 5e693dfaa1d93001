import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it, vi } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { fileNameOf, type ListedRoute } from '../../shared/http/rows/route.ts';
import { suppressionList } from '../../shared/providers/email/suppression-list.ts';
import { replace } from '../../shared/runtime/dependency.ts';
import {
  backendPlatform,
  sandboxBackendPlatform,
} from '../../shared/services/backend-platform/backend-platform.ts';
import { identity, sandboxIdentity } from '../../shared/services/identity/identity.ts';
import { PATHS, REQUESTS, type World } from '../aws/route-requests.ts';
import {
  type CallResult,
  call,
  createTestAccount,
  type TestAccount,
  type TestRequest,
} from '../support/app.ts';
import { partOf } from '../support/cases.ts';
import { useApp } from '../support/use-app.ts';

const app = useApp();

beforeAll(() => {
  // Times of REQUESTS are counted from now.
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.nowMs });
  vi.stubEnv('MAIL_DOMAIN', 'mail.example.com');
  replace(identity, () => sandboxIdentity);
  replace(backendPlatform, () => sandboxBackendPlatform);
  replace(suppressionList, () => ({ remove: async () => {} }));
  return () => vi.unstubAllEnvs();
});

const PHASES: Record<ListedRoute['method'], number> = { POST: 1, PUT: 1, GET: 3, PATCH: 3, DELETE: 4 };
const phaseOf = ({ id, method }: ListedRoute) => REQUESTS[id]?.phase ?? PHASES[method];
/** Routes of keys, ordered so that what a request names exists. */
const STEPS = ROUTES.filter(({ access }) => access !== 'none' && access.callers.includes('secret')).sort(
  (left, right) => phaseOf(left) - phaseOf(right),
);
const isMaking = ({ method }: Pick<ListedRoute, 'method'>) => method === 'POST' || method === 'PUT';

/** IDs that nobody has. */
const NOTHING: World = { trackingId: 'nothing' };

function requestOf(row: ListedRoute, known: World): TestRequest {
  const { body, query, path: own } = REQUESTS[row.id] ?? {};
  const values: World = { ...PATHS, locale: 'de', ...known, ...own?.(known) };
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    path: Object.fromEntries(names.map((name) => [name, values[name] || 'unknown'])),
    query: query ?? (Object(row.query).entries?.userId ? { userId: 'ada' } : {}),
    ...(row.body && { body: body ? body(known) : row.example?.request }),
  };
}

/** What a response says in any order, with its codes, without what is new in each: IDs, times and secrets. */
function comparable({ method }: ListedRoute, { json, response: { statusCode, body } }: CallResult): string {
  if (isMaking({ method })) return `${statusCode} ${json?.error?.code}`;
  const known = body.replace(/\d{4}-\d\d-\d\dT[^"]*|\b(?![A-Z]+(_[A-Z]+)+\b)[\w-]{16,}/g, '');
  return `${statusCode} ${known.split(/[{}]+/).sort().join()}`;
}

/** Every item that does not name the account or its environment, but counts of requests. */
async function itemsBeside({ account, environment }: TestAccount): Promise<string[]> {
  const { Items = [] } = await app.documents.send(new ScanCommand({ TableName: app.tableName }));
  return Items.filter(({ sk }) => sk !== 'RATE')
    .map((item) => JSON.stringify(item, (_, each) => (each instanceof Uint8Array ? `${each}` : each)))
    .filter((text) => !text.includes(account.accountId) && !text.includes(environment.environmentId));
}

it('no route shows or changes anything of another account, whose IDs are unknown to it', async () => {
  const as = async (account: TestAccount, { resource, id }: ListedRoute, request: TestRequest) => {
    app.clock.nowMs += 1000;
    const { handler } = await import(`../../functions/${resource}/${fileNameOf(id)}.ts`);
    return call(handler, { ...request, key: account.secret.key });
  };
  // As long as nobody has anything.
  const alone = new Map<string, string>();
  const tried = partOf(STEPS);
  // Addresses of the deployment's own domain belong to whoever creates them first.
  for (const row of tried.toSorted((left, right) => Number(isMaking(left)) - Number(isMaking(right))))
    if (row.id !== 'createAddress') {
      const response = await as(await createTestAccount(app), row, requestOf(row, NOTHING));
      alone.set(row.id, comparable(row, response));
    }

  const owner = await createTestAccount(app);
  const known: World = {};
  const problems: string[] = [];
  let succeeded = 0;
  for (const row of STEPS) {
    const request = requestOf(row, known);
    const ownersTurn = async () => {
      const { status, json } = await as(owner, row, request);
      if (status < 300) succeeded += 1;
      REQUESTS[row.id]?.keep?.(json ?? {}, known);
    };
    // The owner creates first, and changes or deletes last.
    if (isMaking(row) || !tried.includes(row)) await ownersTurn();
    if (!tried.includes(row)) continue;
    const other = await createTestAccount(app);
    const before = await itemsBeside(other);
    const response = await as(other, row, request);
    const after = new Set(await itemsBeside(other));
    if (before.some((item) => !after.has(item))) problems.push(`${row.id} changes an item`);
    const text = comparable(row, response);
    if (text !== (alone.get(row.id) ?? text)) problems.push(`${row.id}: ${text}, not ${alone.get(row.id)}`);
    if (!isMaking(row)) await ownersTurn();
  }
  expect(problems).toEqual([]);
  expect(succeeded).toBeGreaterThan(100);
});

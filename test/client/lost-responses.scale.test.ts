import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it, vi } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import { OPERATIONS } from '../../client/src/generated/operations.ts';
import { ROUTES } from '../../functions/routes.ts';
import { fileNameOf, type ListedRoute } from '../../shared/http/rows/route.ts';
import { compileRoutes, matchingRoutes, parametersOf } from '../../shared/http/rows/routing.ts';
import { PATHS, REQUESTS, type World } from '../aws/route-requests.ts';
import { createTestAccount, httpEvent } from '../support/app.ts';
import { useApp } from '../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  vi.stubEnv('MAIL_DOMAIN', 'mail.example.com');
  return () => vi.unstubAllEnvs();
});

const TREE = compileRoutes(ROUTES);
const PHASES: Record<ListedRoute['method'], number> = { POST: 1, PUT: 1, GET: 3, PATCH: 3, DELETE: 4 };
/** A stream of lines, and a file. */
const NO_JSON = new Set(['tailLogs', 'getOriginal', 'getAttachment']);

/** Every operation of the client with its route, ordered so that most succeed. */
const STEPS = Object.entries(OPERATIONS)
  .flatMap(([name, [method, path, parts]]) => {
    const row = ROUTES.find((each) => each.method === method && each.path === path);
    return row && !NO_JSON.has(row.id) ? [{ name, row, parts }] : [];
  })
  .sort((left, right) => phaseOf(left.row) - phaseOf(right.row));

function phaseOf({ id, method }: ListedRoute): number {
  return REQUESTS[id]?.phase ?? PHASES[method];
}

/** Calls the functions of the routes; with `isLossy`, a proxy answers 502 after the first attempt of each call. */
function fetchOf(isLossy: boolean): typeof fetch {
  let isFirst = true;
  return async (input, init = {}) => {
    const { pathname, searchParams } = new URL(String(input));
    const matched = decodeURIComponent(pathname);
    const found = matchingRoutes(TREE, matched).find(({ route }) => route.method === init.method);
    if (!found) return new Response('{}', { status: 404 });
    const { resource, id } = found.route;
    const { handler } = await import(`../../functions/${resource}/${fileNameOf(id)}.ts`);
    const headers = Object.fromEntries(new Headers(init.headers));
    const event = httpEvent({
      path: parametersOf(found, { matched, raw: matched }),
      query: Object.fromEntries(searchParams),
      headers,
      ...(typeof init.body === 'string' ? { rawBody: init.body } : {}),
    });
    const response = await handler(event);
    const isLost = isLossy && isFirst;
    isFirst = !isFirst;
    if (isLost) return new Response('lost', { status: 502, headers: { 'retry-after': '0' } });
    const body = response.statusCode === 204 ? null : response.body;
    // What needs AWS fails here: the client is not to wait before it repeats that.
    const soon = response.statusCode < 500 ? {} : { 'retry-after': '0' };
    return new Response(body, { status: response.statusCode, headers: { ...response.headers, ...soon } });
  };
}

async function listKeys(): Promise<Set<string>> {
  const { Items = [] } = await app.documents.send(
    new ScanCommand({ TableName: app.tableName, ProjectionExpression: 'pk, sk' }),
  );
  return new Set(Items.map(({ pk, sk }) => `${pk} / ${sk}`));
}

const SERVICE = { baseUrl: 'https://api.example.com' };

type Outcome = { outcome: string; added: number };

/** The outcome of every operation, in an account of its own, and how many items each added: rates are counted by requests. */
async function runAll(isLossy: boolean): Promise<Record<string, Outcome>> {
  const account = await createTestAccount(app);
  const known: World = { userId: 'ada' };
  const outcomes: Record<string, Outcome> = {};
  const { accountId } = account.account;
  const prefix = accountId.toLowerCase().replace(/\W/g, '');
  const later = await createClient({ ...SERVICE, key: account.secret.key, fetch: fetchOf(false) }).send({
    type: 'later',
    to: { id: 'ada', email: 'ada@example.com' },
    email: { subject: 's', html: 'h' },
    schedule: new Date(app.clock.nowMs + 86_400_000).toISOString(),
  });
  known.scheduledId = later.trackingId;
  // Unique in a deployment.
  const own: Record<string, unknown> = {
    createAddress: { prefix, domain: 'mail.example.com' },
    updateAddress: { fullAddress: `${prefix}@mail.example.com`, displayName: 'Help' },
    inviteMember: { email: `${prefix}@example.com`, role: 'member' },
    reschedule: { schedule: new Date(app.clock.nowMs + 2 * 86_400_000).toISOString() },
  };
  let before = await listKeys();
  for (const { name, row, parts } of STEPS) {
    const isSecret = row.access !== 'none' && row.access.callers.includes('secret');
    const client = createClient({
      ...SERVICE,
      key: (isSecret ? account.secret : account.public).key,
      fetch: fetchOf(isLossy),
    });
    const { body, path, query, keep } = REQUESTS[row.id] ?? {};
    const values: Record<string, string> = { ...PATHS, ...known, ...path?.(known) };
    const named = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => values[each] || 'unknown');
    const args = [
      ...named,
      ...(parts.includes('b') ? [own[row.id] ?? (body ? body(known) : row.example?.request)] : []),
      ...(parts.includes('q') ? [query ?? {}] : []),
    ];
    const [method = '', group] = name.split('.').reverse();
    // biome-ignore lint/suspicious/noExplicitAny: the methods are called by their names
    const holder: any = group ? (client as any)[group] : client;
    const outcome = await holder[method](...args).then(
      (result: Record<string, unknown>) => {
        keep?.(result ?? {}, known);
        return 'done';
      },
      (error: { code?: string; status?: number }) =>
        error.status === 502 ? 'unclear' : String(error.code ?? error),
    );
    const keys = await listKeys();
    const added = [...keys].filter((key) => !before.has(key) && !key.startsWith('RATE#')).length;
    outcomes[row.id] = { outcome, added };
    before = keys;
  }
  return outcomes;
}

/** What no repetition makes safe: the client does not repeat them. */
const ONCE = STEPS.filter(({ row, parts }) => row.method === 'POST' && !/[ir]/.test(parts)).map(
  ({ row }) => row.id,
);

const DELETIONS = STEPS.filter(({ row }) => row.method === 'DELETE').map(({ row }) => row.id);
it('every operation of the client has the state of one call when its first response is lost', async () => {
  // The first account makes what a deployment has once.
  await runAll(false);
  const [once, lossy] = [await runAll(false), await runAll(true)];
  const succeeded = Object.values(once).filter(({ outcome }) => outcome === 'done').length;
  expect(succeeded).toBeGreaterThan(STEPS.length * 0.6);
  const expected = Object.entries(once).map(([id, each]) => [
    id,
    {
      // What a repeated deletion does not find is deleted, as far as the client can tell.
      outcome: ONCE.includes(id)
        ? 'unclear'
        : each.outcome === 'RESOURCE_NOT_FOUND' && DELETIONS.includes(id)
          ? 'done'
          : each.outcome,
      added: each.added,
    },
  ]);
  expect(lossy).toEqual(Object.fromEntries(expected));
});

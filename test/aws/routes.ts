import { availableParallelism } from 'node:os';
import { pathSegmentOf } from '../../client/src/path-segment.ts';
import { ROUTES } from '../../functions/routes.ts';
import { userHashOf } from '../../shared/http/access/user-hash.ts';
import { RESPONSE_STATUS, type Route } from '../../shared/http/rows/route.ts';
import { PLATFORM_PROJECT } from '../support/fakes/backend-platform.ts';
import { CHAT_CODE } from '../support/fakes/chat.ts';
import { STRIPE_PRICE } from '../support/fakes/stripe.ts';
import { type Account, until } from './account.ts';
import { type World as Known, PATHS, REQUESTS, SENDER } from './route-requests.ts';
import type { World } from './world.ts';

export type Keys = { secretKey: string; publicKey: string };

/** The user that browsers act for, with the hash that secure mode requires. */
const USER = 'ada';

/** A person's authorization at the backend platform. */
export const BACKEND_CODE = {
  code: 'code-1',
  redirect_uri: 'https://app.example.com/backend',
  code_verifier: 'v'.repeat(43),
};

/** Bodies for providers that check them. */
const BODIES: Readonly<Record<string, unknown>> = {
  saveBilling: {
    budgetPriceId: STRIPE_PRICE,
    successUrl: 'https://shop.example.com/done',
    cancelUrl: 'https://shop.example.com/billing',
  },
  connectChat: { code: CHAT_CODE, redirect_uri: 'https://app.example.com/chat' },
  connectBackend: BACKEND_CODE,
  configureBackend: {
    projectRef: PLATFORM_PROJECT,
    projectName: 'shop',
    senderName: 'Shop',
    senderEmail: `team@${SENDER}`,
  },
};

const PHASES: Record<Route['method'], number> = { POST: 1, PUT: 1, GET: 3, PATCH: 3, DELETE: 4 };

/** Calls each route of the given phases over the HTTP API, with and without its credential; what was not expected. */
export async function callRoutes(
  world: World,
  keys: Keys,
  known: Known,
  phases: readonly number[],
): Promise<string[]> {
  const unexpected: string[] = [];
  for (const phase of phases) {
    await world.settle();
    Object.assign(known, linksOf(world));
    const rows = ROUTES.filter(({ id, method }) => (REQUESTS[id]?.phase ?? PHASES[method]) === phase);
    await inParallel(rows, async (row) => {
      const problem = await callRoute(world, keys, known, row);
      if (problem) unexpected.push(`${row.id}: ${problem}`);
    });
  }
  return unexpected;
}

/** True if the query names a user. */
function asksForUser({ query }: Route): boolean {
  return query !== undefined && 'entries' in query && 'userId' in Object(query.entries);
}

/** Tokens of the links in the last emails that have them: to confirm an address, to unsubscribe. */
function linksOf({ emails }: World): Record<string, string> {
  const texts = emails().map(({ Content }) => JSON.stringify(Content));
  const find = (name: string, link: RegExp) => {
    const token = texts.map((text) => link.exec(text)?.[1]).findLast(Boolean);
    return token ? { [name]: token } : {};
  };
  return {
    ...find('token', /\/confirm-email\/([\w.~-]+)/),
    ...find('linkToken', /\/unsubscribe\/([\w.~-]+)/),
  };
}

async function callRoute(world: World, keys: Keys, known: Known, row: Route): Promise<string | undefined> {
  const { refusal, keep, body: bodyOf, query, path: own, headers: ownHeaders } = REQUESTS[row.id] ?? {};
  const values: Record<string, string> = { ...PATHS, ...known, ...own?.(known) };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegmentOf(values[name] ?? 'unknown'));
  const isPublic = row.access !== 'none' && row.access.callers.includes('public');
  const asked = query ?? (isPublic && asksForUser(row) ? { userId: USER } : {});
  const search = new URLSearchParams(asked).toString();
  const target = search ? `${path}?${search}` : path;
  const body =
    row.method === 'GET'
      ? undefined
      : row.id in BODIES
        ? BODIES[row.id]
        : bodyOf
          ? bodyOf(known)
          : row.example?.request;
  const key = row.access === 'none' ? undefined : isPublic ? keys.publicKey : keys.secretKey;
  if (key) {
    const bare = await world.request(row.method, target, { body });
    if (bare.status !== 401) return `without a credential: ${bare.status} ${bare.text.slice(0, 200)}`;
  }
  const hash = isPublic ? { 'x-user-hash': userHashOf(known.clientSecret ?? '', USER) } : {};
  const headers = { ...hash, ...ownHeaders?.(known) };
  const { status, text, json } = await world.request(row.method, target, {
    body,
    headers,
    ...(key ? { key } : {}),
  });
  const code = json?.error?.code;
  const isExpected = refusal
    ? status === refusal[0] && code === refusal[1]
    : status === RESPONSE_STATUS[row.response.kind];
  if (!isExpected) return `${status} ${text.slice(0, 300)}`;
  keep?.(json, known);
  return undefined;
}

const findDomain = async ({ ask }: Account) =>
  (await ask('GET', '/domains')).json.find(({ sender }: { sender: string }) => sender === SENDER);

/** Publishes the records of the run's sender domain. */
export async function publishDomain({ dns }: World, account: Account): Promise<void> {
  const { dkim, mail_from_mx: mx } = (await findDomain(account)).verificationRecords;
  dns.zone.txt.set(dkim.host, [dkim.recordValue]);
  dns.zone.mx.set(mx.host, [mx.recordValue]);
}

/** Returns once the service has found the records. */
export async function untilVerified(account: Account): Promise<void> {
  await until('the domain', async () => {
    const value = await findDomain(account);
    return { value, isDone: value.status === 'SUCCESS' && value.mailFromDomainStatus === 'SUCCESS' };
  });
}

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();
/** What the lists lack for a second page, besides the examples of the routes. */
const SECOND_ENTRIES = [
  ['PUT', '/topics/news/users', { userIds: ['ada', 'bob'] }],
  ['PUT', '/topics/more/users', { userIds: ['ada'] }],
  ...['given', 'withdrawn'].map(
    (state) =>
      [
        'POST',
        '/users/ada/consents',
        { purpose: 'marketing', channel: 'SMS', state, source: 'form' },
      ] as const,
  ),
  ...['first', 'second'].map(
    (componentId) =>
      ['POST', '/components', { componentId, name: componentId, html: '<p>Hello</p>' }] as const,
  ),
  ...['first', 'second'].map(() => ['POST', '/webhooks/events/test', {}] as const),
  ...['heidi', 'ivan'].flatMap(
    (name) =>
      [
        ['PUT', `/suppressions/EMAIL/${name}@example.com`, { reason: 'Bounce' }],
        ['POST', '/send', { type: 'later', to: { id: name }, inapp: { title: 'Later' }, schedule: IN_A_DAY }],
      ] as const,
  ),
] as const;

/** Reads each list whose route has pages one entry at a time, two pages of it. */
export async function callPages({ request }: World, { secretKey }: Account, known: Known): Promise<string[]> {
  const unexpected: string[] = [];
  for (const [method, path, body] of SECOND_ENTRIES) {
    const { status, text } = await request(method, path, { key: secretKey, body });
    if (status >= 400) unexpected.push(`${method} ${path}: ${status} ${text}`);
  }
  if (unexpected.length > 0) return unexpected;
  for (const row of ROUTES.filter(hasPages)) {
    const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? PATHS[name] ?? 'unknown');
    // Calls of webhooks are recorded once they are made.
    const cursor = await until(`a second page of ${row.id}`, async () => {
      const { nextCursor, nextToken } = (await request('GET', `${path}?limit=1`, { key: secretKey })).json;
      return {
        value: encodeURIComponent(nextCursor ?? nextToken ?? ''),
        isDone: Boolean(nextCursor ?? nextToken),
      };
    });
    const second = await request('GET', `${path}?limit=1&cursor=${cursor}`, { key: secretKey });
    if (!cursor || second.status !== 200)
      unexpected.push(`${row.id}: ${cursor} ${second.status} ${second.text}`);
  }
  return unexpected;
}

/** True if a list has pages. Receipts of erasures come minutes after them: erasures.test.ts reads their pages. */
export function hasPages({ id, query }: Route): boolean {
  return id !== 'listErasures' && query !== undefined && 'cursor' in Object(Object(query).entries);
}

/** As many at a time as there are processors. */
async function inParallel<T>(list: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = [...list];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

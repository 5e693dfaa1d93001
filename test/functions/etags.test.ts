import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { fileNameOf, isConditional } from '../../shared/http/rows/route.ts';
import { call, createTestAccount, httpEvent, type TestAccount, type TestRequest } from '../support/app.ts';
import { APN_CONFIG } from '../support/fakes/apns.ts';
import { useApp } from '../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  vi.stubEnv('SMS_PROVIDER', 'sandbox');
  return () => vi.unstubAllEnvs();
});

type Request = Pick<TestRequest, 'body' | 'path' | 'query' | 'headers'>;
type Case = {
  /** Operations, each with its request, that make what is changed. */
  made: [operation: string, request: Request][];
  path?: Record<string, string>;
  query?: Record<string, string>;
  get: string;
  change: string;
  /** Two changes that leave different states. */
  bodies: [object, object];
  remove?: string;
  /** Repeating a change is a change: credentials are not compared. */
  isNeverSame?: true;
};

const MADE_TYPE: Case['made'][0] = [
  'createType',
  { body: { notificationId: 'news', title: 'News', channels: ['EMAIL'] } },
];
const RSA_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const EMAIL = { notificationId: 'news', channel: 'EMAIL' };
const FCM = (project: string) => ({
  fcmConfig: JSON.stringify({
    type: 'service_account',
    project_id: project,
    client_email: 'push@shop.iam.gserviceaccount.com',
    private_key: RSA_KEY,
  }),
});

const CASES: Record<string, Case> = {
  type: {
    made: [MADE_TYPE],
    path: { notificationId: 'news' },
    get: 'getType',
    change: 'updateType',
    bodies: [{ title: 'A' }, { title: 'B', retention: 7 }],
    remove: 'deleteType',
  },
  template: {
    made: [
      MADE_TYPE,
      ['createTemplate', { path: EMAIL, body: { templateId: 'a', subject: 'Hi', html: '<p>Hi</p>' } }],
    ],
    path: { ...EMAIL, templateId: 'a' },
    get: 'getTemplate',
    change: 'updateTemplate',
    bodies: [{ subject: 'A' }, { html: '<p>B</p>' }],
    remove: 'deleteTemplate',
  },
  'variant of a template': {
    made: [
      MADE_TYPE,
      ['createTemplate', { path: EMAIL, body: { templateId: 'a', subject: 'Hi', html: '<p>Hi</p>' } }],
      ['createTemplate', { path: EMAIL, body: { templateId: 'a', locale: 'de', subject: 'Hallo' } }],
    ],
    path: { ...EMAIL, templateId: 'a' },
    query: { locale: 'de' },
    get: 'getTemplate',
    change: 'updateTemplate',
    bodies: [{ subject: 'A' }, { subject: 'B' }],
    remove: 'deleteTemplate',
  },
  component: {
    made: [['createComponent', { body: { componentId: 'footer', name: 'Footer', html: '<p>Bye</p>' } }]],
    path: { componentId: 'footer' },
    get: 'getComponent',
    change: 'updateComponent',
    bodies: [{ html: '<p>A</p>' }, { name: 'B' }],
    remove: 'deleteComponent',
  },
  translations: {
    made: [['saveTranslations', { path: { locale: 'de' }, body: { greeting: 'Hallo' } }]],
    path: { locale: 'de' },
    get: 'getTranslations',
    change: 'saveTranslations',
    bodies: [{ greeting: 'A' }, { greeting: 'B', farewell: 'C' }],
    remove: 'deleteTranslations',
  },
  'one translation': {
    made: [['saveTranslations', { path: { locale: 'de' }, body: { greeting: 'Hallo', farewell: 'Adieu' } }]],
    path: { locale: 'de' },
    get: 'getTranslations',
    change: 'updateTranslations',
    bodies: [{ greeting: 'A' }, { farewell: null }],
    remove: 'deleteTranslations',
  },
  account: {
    made: [],
    get: 'getAccount',
    change: 'updateAccount',
    bodies: [{ timezone: 'Europe/Berlin' }, { retentionInDays: 7, postalAddress: '1 Main St' }],
  },
  'push-fcm': {
    made: [['saveFcmConfig', { body: FCM('first') }]],
    get: 'getFcmConfig',
    change: 'saveFcmConfig',
    bodies: [FCM('a'), FCM('b')],
    remove: 'deleteFcmConfig',
  },
  'push-apn': {
    made: [['saveApnConfig', { body: APN_CONFIG }]],
    get: 'getApnConfig',
    change: 'saveApnConfig',
    bodies: [
      { ...APN_CONFIG, Topic: 'com.example.a' },
      { ...APN_CONFIG, Topic: 'com.example.b' },
    ],
    remove: 'deleteApnConfig',
  },
  providers: {
    made: [],
    path: { channel: 'EMAIL' },
    get: 'getProviderStatus',
    change: 'saveProviderOrder',
    bodies: [
      { order: ['smtp:a'], credentials: { 'smtp:a': { url: 'smtps://a:b@mail.example.com' } } },
      { order: ['smtp:b'], credentials: { 'smtp:b': { url: 'smtps://a:b@mail.example.com' } } },
    ],
    remove: 'deleteProviderOrder',
    isNeverSame: true,
  },
};

const rowOf = (id: string) => {
  const row = ROUTES.find((each) => each.id === id);
  if (!row) throw new Error(`${id} is no operation`);
  return row;
};

async function run(account: TestAccount, id: string, request: Request) {
  const { resource, pathParameters, query } = rowOf(id);
  const { handler } = await import(`../../functions/${resource}/${fileNameOf(id)}.ts`);
  const result = await call(handler, {
    key: account.secret.key,
    ...request,
    path: pathParameters ? request.path : undefined,
    query: query ? request.query : undefined,
  } as TestRequest);
  return { ...result, headers: result.response.headers as Record<string, string | undefined> };
}

async function made(name: string) {
  const account = await createTestAccount(app);
  const of = CASES[name] as Case;
  for (const [id, request] of of.made) expect((await run(account, id, request)).status, id).toBe(200);
  const at = { path: of.path ?? {}, query: of.query ?? {} };
  const get = () => run(account, of.get, at);
  const change = (body: object, ifMatch?: string) =>
    run(account, of.change, { ...at, body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
  const remove = (ifMatch: string) =>
    run(account, of.remove ?? '', { ...at, headers: { 'if-match': ifMatch } });
  return { ...of, account, at, get, change, remove };
}

const etagOf = ({ headers }: { headers: Record<string, string | undefined> }) => headers.etag ?? 'none';
const NAMES = Object.keys(CASES);

describe.each(NAMES)('the ETag of %s', (name) => {
  it('is the same of a change and of a read, on GET and HEAD, and another after each change', async () => {
    const { get, change, account, at, bodies } = await made(name);
    const first = etagOf(await get());
    expect(first).toMatch(/^"[\w-]{20,}"$/);
    expect(etagOf(await get())).toBe(first);
    app.clock.nowMs += 1000;
    const second = etagOf(await change(bodies[0]));
    expect(second).not.toBe(first);
    expect(etagOf(await get())).toBe(second);
    const row = rowOf(CASES[name]?.get ?? '');
    const { handler } = await import(`../../functions/${row.resource}/${fileNameOf(row.id)}.ts`);
    const event = httpEvent({ key: account.secret.key, ...at });
    event.requestContext.http.method = 'HEAD';
    if (!row.query) Reflect.deleteProperty(event, 'queryStringParameters');
    const head = await handler(event);
    expect(etagOf(head)).toBe(second);
  });

  it('makes a change of an earlier state fail, with the present ETag and without an effect', async () => {
    const { get, change, bodies } = await made(name);
    const first = etagOf(await get());
    app.clock.nowMs += 1000;
    await change(bodies[0], first);
    const present = await get();
    expect(etagOf(present)).not.toBe(first);
    const late = await change(bodies[1], first);
    expect([late.status, late.json.error?.code]).toEqual([400, 'CHANGED_MEANWHILE']);
    expect(etagOf(late)).toBe(etagOf(present));
    const after = await get();
    expect([after.json, etagOf(after)]).toEqual([present.json, etagOf(present)]);
    expect((await change(bodies[1], `"other" , W/${etagOf(late)}`)).status).toBe(200);
    expect((await change(bodies[0], '*')).status).toBe(200);
  });

  it('lets one of several concurrent changes of the same state through', async () => {
    const { get, change, bodies } = await made(name);
    const first = etagOf(await get());
    app.clock.nowMs += 1000;
    const responses = await Promise.all(bodies.map((body) => change(body, first)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.skipIf(CASES[name]?.isNeverSame)(
    'lets the repetition of a change succeed, without an effect',
    async () => {
      const { get, change, bodies } = await made(name);
      const first = etagOf(await get());
      app.clock.nowMs += 1000;
      const done = await change(bodies[0], first);
      app.clock.nowMs += 1000;
      const again = await change(bodies[0], first);
      expect([again.status, again.json, etagOf(again)]).toEqual([200, done.json, etagOf(done)]);
    },
  );

  it.skipIf(!CASES[name]?.remove)('makes a deletion of an earlier state fail', async () => {
    const { get, change, remove, bodies } = await made(name);
    const first = etagOf(await get());
    app.clock.nowMs += 1000;
    const second = etagOf(await change(bodies[0]));
    const late = await remove(first);
    expect([late.status, late.json.error?.code, etagOf(late)]).toEqual([400, 'CHANGED_MEANWHILE', second]);
    expect(etagOf(await get())).toBe(second);
    expect((await remove(second)).status).toBeLessThan(300);
  });

  it.each(['abc', '"a', '', '"a" "b"', '*, "a"'])(
    'must be quoted in If-Match: %j is rejected',
    async (text) => {
      const { change, bodies } = await made(name);
      const { status, json } = await change(bodies[0], text);
      expect([status, json.error.code, json.error.errors[0].path]).toEqual([
        400,
        'INVALID_REQUEST',
        'header.If-Match',
      ]);
    },
  );
});

describe('ETags', () => {
  it('are on every read and change of types, templates, components, translations and settings', () => {
    const own = ['types', 'templates', 'components', 'translations', 'push-settings', 'account', 'providers'];
    const without = ROUTES.filter(
      ({ resource, path, etag }) =>
        own.includes(resource) && !etag && !/preview$|account-metadata|organization/.test(path),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
    const tested = Object.values(CASES).flatMap(({ change, remove }) => [change, remove]);
    const untested = ROUTES.filter(isConditional).filter(({ id }) => !tested.includes(id));
    // Those of versions and drafts are tested with them.
    const other = untested.filter(({ path }) => !/\/(?:versions|draft)\b/.test(path));
    expect(other.map(({ id }) => id)).toEqual(['selectDefaultTemplate']);
  });

  it('let a default be selected for the state that was read only', async () => {
    const { account, get } = await made('template');
    await run(account, 'createTemplate', { path: EMAIL, body: { templateId: 'b', subject: 'B', html: 'B' } });
    const select = (templateId: string, ifMatch?: string) =>
      run(account, 'selectDefaultTemplate', {
        path: EMAIL,
        body: { templateId, modes: ['instant'] },
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      });
    const first = etagOf(await get());
    const other = await select('b');
    expect(etagOf(await get())).not.toBe(first);
    const late = await select('a', first);
    expect([late.json.error?.code, etagOf(late)]).toEqual(['CHANGED_MEANWHILE', etagOf(await get())]);
    expect((await select('b', etagOf(other))).json).toEqual(other.json);
    expect((await select('a', etagOf(late))).json).toMatchObject({ templateId: 'a', default: true });
  });

  it('of lists change with the list', async () => {
    const { account, change, bodies } = await made('type');
    const list = () => run(account, 'listTypes', {});
    const first = etagOf(await list());
    expect(etagOf(await list())).toBe(first);
    await change(bodies[0]);
    expect(etagOf(await list())).not.toBe(first);
  });

  it('are in the response of a creation, and not of a deletion', async () => {
    const account = await createTestAccount(app);
    const created = await run(account, ...MADE_TYPE);
    const read = await run(account, 'getType', { path: { notificationId: 'news' } });
    expect(etagOf(created)).toBe(etagOf(read));
    expect(etagOf(await run(account, 'deleteType', { path: { notificationId: 'news' } }))).toBe('none');
  });

  it.each(['createType', 'createApiKey', 'send'])('are no condition of %s', async (id) => {
    const account = await createTestAccount(app);
    const body = { notificationId: 'news', title: 'News', channels: ['EMAIL'] };
    const { status, json } = await run(account, id, { body, headers: { 'if-match': '"a"' } });
    expect(status).toBe(400);
    expect(json.error.errors).toContainEqual(expect.objectContaining({ path: 'header.If-Match' }));
  });

  it('of what does not exist match nothing', async () => {
    const { account } = await made('type');
    const body = { greeting: 'Hallo' };
    const at = { path: { locale: 'fr' }, body, headers: { 'if-match': '*' } };
    const { json, headers } = await run(account, 'saveTranslations', at);
    expect([json.error.code, headers.etag]).toEqual(['CHANGED_MEANWHILE', undefined]);
    expect((await run(account, 'updateTranslations', at)).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });
});

describe('dates', () => {
  it.each([
    ['type', 'updatedAt'],
    ['template', 'updatedAt'],
    ['component', 'modifiedAt'],
    ['account', 'updatedAt'],
  ])('of a %s say when and by whom it was made and changed', async (name, field) => {
    const { get, change, bodies, account } = await made(name);
    const { json: before } = await get();
    app.clock.nowMs += 60_000;
    await change(bodies[0]);
    const { json } = await get();
    const now = new Date(app.clock.nowMs).toISOString();
    expect(json.createdAt).toBe(before.createdAt);
    expect([json.updatedAt, json[field], json.updatedBy]).toEqual([now, now, account.admin.userId]);
    expect(Date.parse(before.updatedAt)).toBeLessThan(app.clock.nowMs);
  });

  it('of translations are in the list of languages', async () => {
    const { change, bodies, account } = await made('one translation');
    const createdAt = new Date(app.clock.nowMs).toISOString();
    app.clock.nowMs += 60_000;
    await change(bodies[0]);
    const { json } = await run(account, 'listTranslations', {});
    const updatedAt = new Date(app.clock.nowMs).toISOString();
    expect(json.translations).toEqual([
      { locale: 'de', keyCount: 2, createdAt, updatedAt, updatedBy: account.admin.userId },
    ]);
  });

  it('of a type stay when one of its templates changes', async () => {
    const { account, change, bodies } = await made('template');
    const get = () => run(account, 'getType', { path: { notificationId: 'news' } });
    const before = await get();
    app.clock.nowMs += 60_000;
    await change(bodies[0]);
    const after = await get();
    expect([after.json, etagOf(after)]).toEqual([before.json, etagOf(before)]);
  });
});

describe('PATCH /translations/{locale}', () => {
  it('changes, adds and removes single texts', async () => {
    const { get, change } = await made('one translation');
    const body = { greeting: 'Guten Tag', farewell: null, 'cart.items': '{count, plural, other {#}}' };
    expect((await change(body)).json).toMatchObject({ locale: 'de', keyCount: 2 });
    expect((await get()).json).toEqual({ greeting: 'Guten Tag', 'cart.items': body['cart.items'] });
    expect((await change({})).status).toBe(200);
  });

  it('reports what is not ICU MessageFormat and changes nothing', async () => {
    const { get, change } = await made('one translation');
    const before = (await get()).json;
    const { json } = await change({ greeting: '{name', farewell: 3 });
    expect(json.error.code).toBe('INVALID_REQUEST');
    expect(json.error.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'farewell',
      'greeting',
    ]);
    expect((await get()).json).toEqual(before);
  });

  it('keeps both of two concurrent changes of different texts', async () => {
    const { get, change } = await made('one translation');
    await Promise.all([change({ greeting: 'A' }), change({ farewell: 'B' })]);
    expect((await get()).json).toEqual({ greeting: 'A', farewell: 'B' });
  });

  it('adds no more keys than PUT accepts', async () => {
    const { account } = await made('translations');
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, 'x']));
    await run(account, 'saveTranslations', { path: { locale: 'de' }, body: keys(0, 9_999) });
    const update = (body: object) => run(account, 'updateTranslations', { path: { locale: 'de' }, body });
    expect((await update(keys(9_999, 1))).status).toBe(200);
    const over = await update(keys(10_000, 1));
    expect([over.status, over.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

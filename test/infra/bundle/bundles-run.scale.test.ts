import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import type { Bundle } from '../../../infra/bundle/bundle.ts';
import { keyWrapper } from '../../../shared/encryption/keyring.ts';
import type { Answer } from '../../../shared/http/answer.ts';
import { fileNameOf, type Route } from '../../../shared/http/route.ts';
import type { Worker } from '../../../shared/http/worker.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { createTestAccount, createTestApp, type TestAccount, type TestApp } from '../../support/app.ts';
import { functionIn, referredBy, type Synthesized, sandboxTemplates, textOf } from '../aws/synthesized.ts';
import { builtBundles } from './built-bundles.ts';
import { eventOf, requestsOf, type Scene } from './bundle-events.ts';
import { PATHS, REQUESTS, type World } from './bundle-requests.ts';
import { answersOf } from './fresh-process.ts';
import { type Allowed, type SmallCloud, startSmallCloud } from './small-cloud.ts';

let bundles: Map<string, Bundle>;
let templates: Synthesized;
let app: TestApp;
let account: TestAccount;
let cloud: SmallCloud;
const world: World = {};

beforeAll(async () => {
  const built = await builtBundles();
  bundles = new Map(built.bundles.map((bundle) => [fileNameOf(bundle.id), bundle]));
  templates = await sandboxTemplates();
  app = await createTestApp();
  // The data keys of the account are unwrapped by the functions' KMS.
  const key = new Uint8Array(32).fill(7);
  replace(keyWrapper, () => ({
    generateDataKey: async () => ({ plain: key, wrapped: key }),
    unwrap: async () => key,
  }));
  account = await createTestAccount(app);
  cloud = await startSmallCloud({ dynamodbEndpoint: app.endpoint, roleOf });
}, 240_000);

afterAll(() => cloud.close());

const functionOf = (id: string) => functionIn(templates, id);

function roleOf(id: string): Allowed[] {
  const invoked = functionOf(id);
  const [{ PolicyDocument }] = referredBy(templates, invoked, invoked.properties.Role).properties.Policies;
  return PolicyDocument.Statement.map(({ Action, Resource, Condition }: Record<string, never>) => ({
    actions: [Action].flat(),
    resources: [Resource].flat().map(textOf),
    leadingKeys: Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'],
  }));
}

/** What the template sets and nothing else, with names of this machine in the place of references. */
function environmentOf(id: string): Record<string, string> {
  const given: Record<string, unknown> = functionOf(id).properties.Environment.Variables;
  const here: Record<string, string> = { TABLE_NAME: app.tableName, BLOB_BUCKET: 'blobs' };
  const variables = Object.entries(given).map(([name, value]) => {
    const text = textOf(value);
    if (name.startsWith('QUEUE_URL_')) return [name, `${cloud.url}/1/${text.split('/').at(-1)}`];
    return [name, here[name] ?? (text.includes('<') ? `https://${name.toLowerCase()}.example.com` : text)];
  });
  return {
    ...Object.fromEntries(variables),
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL: cloud.url,
  };
}

async function invoke(id: string, events: readonly unknown[]): Promise<unknown[]> {
  const bundle = bundles.get(id);
  if (!bundle) throw new Error(`there is no bundle ${id}`);
  return answersOf(bundle, environmentOf(id), events);
}

/** As many processes at a time as there are processors. */
async function each<T>(list: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = [...list];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

const PHASES: Record<Route['method'], number> = { POST: 1, PUT: 1, GET: 3, PATCH: 3, DELETE: 4 };

const scene = (): Scene => ({
  app,
  account,
  world,
  paths: PATHS,
  messagesOf: (queue) =>
    [...cloud.messages].flatMap(([name, bodies]) =>
      name.replace('.fifo', '') === `notifications-dev-${queue}` ? bodies : [],
    ),
});

async function unexpectedAnswers(phases: readonly number[]): Promise<string[]> {
  const unexpected: string[] = [];
  for (const phase of phases) {
    const rows = ROUTES.filter(({ id, method }) => (REQUESTS[id]?.phase ?? PHASES[method]) === phase);
    await each(rows, async (row) => {
      const [answer, bare] = await invoke(fileNameOf(row.id), requestsOf(row, scene()));
      const problem = problemOf(row, answer as Answer) ?? bareProblemOf(row, bare as Answer);
      if (problem) unexpected.push(`${row.id}: ${problem}`);
      else REQUESTS[row.id]?.keep?.(JSON.parse((answer as Answer).body), world);
    });
  }
  return unexpected;
}

/** In the order in which a notification passes them: what one puts on a queue is what the next is given. */
const CHAIN = ['dispatch', 'deliver', 'ingest'];
const stepOf = ({ name }: Worker) => CHAIN.findIndex((step) => name.startsWith(step));

describe('the bundle of each function', () => {
  it('of an endpoint that makes, changes or reads answers an event of API Gateway and a bare one', async () => {
    expect(await unexpectedAnswers([1, 2, 3])).toEqual([]);
  }, 240_000);

  it('of a worker takes the event of its trigger, each the messages that the one before it sent', async () => {
    cloud.objects.set('inbound/mail-1', Buffer.from(MAIL));
    const unexpected: string[] = [];
    for (const step of [0, 1, 2, -1]) {
      await each(
        WORKERS.filter((worker) => stepOf(worker) === step),
        async (worker) => {
          const event = await eventOf(worker, scene());
          const [answer] = await invoke(worker.name, [event]);
          if (!isFine(worker, event, answer)) unexpected.push(`${worker.name}: ${JSON.stringify(answer)}`);
        },
      );
    }
    expect(unexpected).toEqual([]);
    const [logged] = await invoke('get-logs', [requestsOf(rowOf('getLogs'), scene())[0]]);
    const [record] = JSON.parse((logged as Answer).body).logs;
    const sent = Object.keys(record).filter((name) => /^[a-z]+(_push)?_sent_at$/.test(name));
    expect(sent).toHaveLength(7);
    expect(record).toHaveProperty('email_delivered_at');
    expect([...cloud.objects.keys()].filter((name) => name.startsWith('attachments/'))).toHaveLength(1);
  }, 240_000);

  it('of an endpoint that deletes answers an event of API Gateway and a bare one', async () => {
    expect(await unexpectedAnswers([4, 5])).toEqual([]);
  }, 240_000);

  it('called nothing that the policy of its own role does not allow', () => {
    expect(cloud.refused).toEqual([]);
  });
});

const MAIL = [
  'From: ada@example.com',
  'To: orders@mail.example.com',
  'Subject: My order',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'Where is it?',
  '--b',
  'Content-Type: text/csv',
  'Content-Disposition: attachment; filename="order.csv"',
  '',
  'a,b',
  '--b--',
  '',
].join('\r\n');

function rowOf(id: string): Route {
  const row = ROUTES.find((each) => each.id === id);
  if (!row) throw new Error(`there is no row ${id}`);
  return row;
}

/** Workers that cannot do their work here, and say so for each message, so that it comes again. */
const WITHOUT_PROVIDER: Readonly<Record<string, string>> = {
  'read-price': 'Only Twilio tells prices, and there is no secret with its credentials.',
};

/** A batch of at least one message without failures, a connection let in, or whatever else was returned, not thrown. */
function isFine({ name, trigger }: Worker, event: unknown, answer: unknown): boolean {
  const { Records } = event as { Records?: unknown[] };
  const { batchItemFailures, statusCode } = (answer ?? {}) as { batchItemFailures?: []; statusCode?: number };
  switch (trigger.kind) {
    case 'queue':
    case 'events':
    case 'stream':
      return (
        Records !== undefined &&
        Records.length > 0 &&
        batchItemFailures?.length === (WITHOUT_PROVIDER[name] ? Records.length : 0)
      );
    case 'websocket':
      return statusCode === 200;
    case 'manual':
      return answer !== null && typeof answer === 'object' && !('error' in answer);
    default:
      return true;
  }
}

function problemOf(row: Route, { statusCode, headers, body }: Answer): string | undefined {
  const { refusal } = REQUESTS[row.id] ?? {};
  const code = statusCode >= 400 ? JSON.parse(body).error.code : undefined;
  const isExpected = refusal
    ? statusCode === refusal[0] && code === refusal[1]
    : statusCode === row.answer.status;
  const isOpen = headers['access-control-allow-origin'] === '*';
  if (isExpected && isOpen === (row.cors ?? false)) return undefined;
  return `${statusCode} ${isOpen ? 'open' : 'closed'} ${body.slice(0, 300)}`;
}

/** Without a credential it is refused, or is for anybody and answers as before. */
function bareProblemOf(row: Route, { statusCode, body }: Answer): string | undefined {
  const expected = row.access === 'none' ? (REQUESTS[row.id]?.refusal?.[0] ?? row.answer.status) : 401;
  return statusCode === expected ? undefined : `bare: ${statusCode} ${body.slice(0, 300)}`;
}

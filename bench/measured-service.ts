import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable, localClient } from '../infra/local/create-table.ts';
import { launchDynamoDbLocal } from '../infra/local/dynamodb-local.ts';
import { type LocalAccount, openLocalAccount } from '../infra/local/first-run.ts';
import { applyLocalSettings } from '../infra/local/local-settings.ts';
import { LOCAL_TABLE, type Machine, startMachine } from '../infra/local/machine.ts';
import { WELCOME } from '../infra/local/welcome.ts';
import { database } from '../shared/database/database.ts';
import { replace } from '../shared/deps/dependency.ts';
import type { Answer } from '../shared/http/answer.ts';
import { type Ledger, openLedger } from './ledger.ts';

/** The whole service in this process, on DynamoDB Local in memory, with a record of what it consumes. */
export type MeasuredService = {
  endpoint: string;
  documents: DynamoDBDocumentClient;
  account: LocalAccount;
  ledger: Ledger;
  machine: Machine;
  /** Events and records each worker was given since the last call. */
  takeInvocations(): Map<string, { events: number; records: number }>;
  /** Sends by the handler of POST /send, as Lambda would, and tells its time. */
  send(body: unknown): Promise<{ trackingId: string; durationMs: number }>;
  stop(): Promise<void>;
};

/** Starts it. */
export async function startMeasuredService(): Promise<MeasuredService> {
  applyLocalSettings();
  const local = await launchDynamoDbLocal({});
  process.env.DYNAMODB_ENDPOINT = local.endpoint;
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  await createTable(local.endpoint, LOCAL_TABLE);
  const client = localClient(local.endpoint);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const ledger = openLedger(documents, LOCAL_TABLE);
  replace(database, () => ledger.database);
  let invocations = new Map<string, { events: number; records: number }>();
  const machine = await startMachine({
    dataFolder: undefined,
    clockStartMs: undefined,
    onStreamEvent: () => {},
    onError: (error) => console.error(error),
    onDatabaseLost: () => {
      throw new Error('DynamoDB Local has stopped.');
    },
    onInvocation: ({ name }, recordCount) => {
      const { events, records } = invocations.get(name) ?? { events: 0, records: 0 };
      invocations.set(name, { events: events + 1, records: records + recordCount });
    },
  });
  const account = await openLocalAccount();
  const { handler } = await import('../functions/sending/send.ts');
  return {
    endpoint: local.endpoint,
    documents,
    account,
    ledger,
    machine,
    takeInvocations() {
      const taken = invocations;
      invocations = new Map();
      return taken;
    },
    async send(body) {
      const beganAtMs = performance.now();
      const answer: Answer = await handler(sendEvent(account.secretKey, body));
      if (answer.statusCode !== 200)
        throw new Error(`POST /send answers ${answer.statusCode}: ${answer.body}`);
      const { trackingId }: { trackingId: string } = JSON.parse(answer.body);
      return { trackingId, durationMs: performance.now() - beganAtMs };
    },
    async stop() {
      await machine.stop();
      client.destroy();
      await local.stop();
    },
  };
}

/** The event of POST /send as a script gives it. */
export function sendEvent(secretKey: string, body: unknown) {
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/json',
    'user-agent': 'bench/1.0',
  };
  return { headers, body: JSON.stringify(body) };
}

/** A send to user `position`, on the first `channels` content blocks; the text is of usual length. */
export function sendBody(blocks: readonly (keyof typeof CONTENT)[], position: number): object {
  const content = Object.fromEntries(blocks.map((block) => [block, CONTENT[block]]));
  const { id: _, ...addresses } = WELCOME.to;
  const { email, ...others } = addresses;
  const contact = blocks.length === 1 ? { email } : { email, ...others };
  return {
    type: `bench-${blocks.length}`,
    to: { id: `user-${position}`, ...contact },
    parameters: { name: 'Ada', order: `A-${position}`, total: '42.00' },
    ...content,
  };
}

/** One block per channel. */
export const CONTENT = {
  email: {
    subject: 'Your order {{ order }}',
    html: '<h1>Thank you, {{ name }}</h1><p>We have your order {{ order }} over {{ total }} and send it today.</p><p>You can follow it in your account.</p>',
  },
  inapp: { title: 'Your order {{ order }} is on its way', url: 'https://example.com/orders' },
  mobile_push: { title: 'Order {{ order }}', message: 'It is on its way, {{ name }}.' },
  sms: { message: 'Your order {{ order }} is on its way.' },
  call: { message: 'Your order {{ order }} is on its way, {{ name }}.' },
  web_push: { title: 'Order {{ order }}', message: 'It is on its way.', url: 'https://example.com/orders' },
  chat: { text: 'Order {{ order }} of {{ name }} is on its way.' },
} as const;

/** Runs `work` for each of `count` positions, `concurrency` at a time; what they came to. */
export async function inParallel<T>(
  count: number,
  concurrency: number,
  work: (position: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next += 1;
      results.push(await work(next));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return results;
}

/** Resolves when every notification sent was delivered: the log of each says so. */
export async function allDelivered(service: MeasuredService, wanted: number): Promise<void> {
  const untilMs = Date.now() + 60_000;
  const count = () => deliveredCount(service);
  while (count() < wanted) {
    if (Date.now() > untilMs)
      throw new Error(`Only ${count()} of ${wanted} messages were delivered in a minute.`);
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

function deliveredCount({ ledger }: MeasuredService): number {
  const delivered = ledger.steps().filter(({ name }) => /^put log event .*delivered$/.test(name));
  return delivered.reduce((sum, { calls }) => sum + calls, 0);
}

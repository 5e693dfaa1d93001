import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable, localClient } from '../infra/local/database/dynamodb-local/create-table.ts';
import { launchDynamoDbLocal } from '../infra/local/database/dynamodb-local/launch.ts';
import { inTurn } from '../infra/local/database/dynamodb-local/start.ts';
import { openTurns } from '../infra/local/database/dynamodb-local/turns.ts';
import type { LocalStreamEvent } from '../infra/local/database/stream/stream-event.ts';
import { LOCAL_TABLE } from '../infra/local/database/table-input.ts';
import { type Machine, startMachine } from '../infra/local/machine.ts';
import { WELCOME } from '../infra/local/sandbox/welcome.ts';
import { type LocalAccount, openLocalAccount } from '../infra/local/start/first-run.ts';
import { applyLocalSettings } from '../infra/local/start/local-settings.ts';
import { database } from '../shared/database/database.ts';
import type { HttpResponse } from '../shared/http/endpoint/response.ts';
import { replace } from '../shared/runtime/dependency.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { openWindows, type Windows } from './windows.ts';

/** The whole service in this process, on DynamoDB Local in memory, recording its consumption. */
export type MeasuredService = {
  endpoint: string;
  documents: DynamoDBDocumentClient;
  account: LocalAccount;
  ledger: Ledger;
  windows: Windows;
  machine: Machine;
  /** Set while invocations are counted: on the machine's own time batches are smaller than in AWS. */
  pace: { isAsLambda: boolean };
  /** Events and records that each worker received since the last call. */
  takeInvocations(): Map<string, { events: number; records: number }>;
  /** Sends with the handler of POST /send, as Lambda would, and returns its time. */
  send(body: unknown): Promise<{ trackingId: string; durationMs: number }>;
  /** Sends several with the handler of POST /send/bulk, and returns its time. */
  sendBulk(notifications: readonly unknown[]): Promise<number>;
  /** The last events of the stream that dispatch received. */
  streamEvents: LocalStreamEvent[];
  stop(): Promise<void>;
};

const STREAM_EVENTS_MAX = 200;

export async function startMeasuredService(): Promise<MeasuredService> {
  applyLocalSettings();
  // Off, as a deployment has it by default.
  process.env.EVENT_BUS = '';
  const local = await launchDynamoDbLocal({});
  process.env.DYNAMODB_ENDPOINT = local.endpoint;
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  await createTable(local.endpoint, LOCAL_TABLE);
  const client = localClient(local.endpoint);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const ledger = openLedger(documents, LOCAL_TABLE);
  const turns = openTurns();
  replace(database, () => inTurn(ledger.database, turns));
  let invocations = new Map<string, { events: number; records: number }>();
  const pace = { isAsLambda: false };
  const streamEvents: LocalStreamEvent[] = [];
  const machine = await startMachine({
    pace,
    beforeOutcome: turns.resume,
    dataFolder: undefined,
    clockStartMs: undefined,
    onStreamEvent: (event) => {
      streamEvents.push(event);
      if (streamEvents.length > STREAM_EVENTS_MAX) streamEvents.shift();
    },
    onError: (error) => console.error(error),
    onDatabaseLost: () => {
      throw new Error('DynamoDB Local has stopped.');
    },
    onInvocation: ({ name }, recordCount) => {
      const { events, records } = invocations.get(name) ?? { events: 0, records: 0 };
      invocations.set(name, { events: events + 1, records: records + recordCount });
    },
  });
  const windows = openWindows({ documents, endpoint: local.endpoint, outbox: machine.outbox });
  const account = await openLocalAccount();
  const { handler } = await import('../functions/sending/send.ts');
  const { handler: bulkHandler } = await import('../functions/sending/send-bulk.ts');
  return {
    endpoint: local.endpoint,
    documents,
    account,
    ledger,
    windows,
    machine,
    pace,
    takeInvocations() {
      const counted = invocations;
      invocations = new Map();
      return counted;
    },
    async send(body) {
      const beganAtMs = performance.now();
      const response: HttpResponse = await handler(sendEvent(account.secretKey, body));
      if (response.statusCode !== 200)
        throw new Error(`POST /send returned ${response.statusCode}: ${response.body}`);
      const { trackingId }: { trackingId: string } = JSON.parse(response.body);
      return { trackingId, durationMs: performance.now() - beganAtMs };
    },
    async sendBulk(notifications) {
      const beganAtMs = performance.now();
      const response: HttpResponse = await bulkHandler(sendEvent(account.secretKey, { notifications }));
      const durationMs = performance.now() - beganAtMs;
      if (response.statusCode !== 200)
        throw new Error(`POST /send/bulk returned ${response.statusCode}: ${response.body}`);
      const { results }: { results: { trackingId?: string }[] } = JSON.parse(response.body);
      if (!results.every(({ trackingId }) => trackingId)) throw new Error('an entry was not accepted');
      return durationMs;
    },
    streamEvents,
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
  const contact = blocks.length === 1 ? { email } : { email, ...others, ...ownDevices(position) };
  return {
    type: `bench-${blocks.join('-')}`,
    to: { id: `user-${position}`, ...contact },
    parameters: { name: 'Ada', order: `A-${position}`, total: '42.00' },
    ...content,
  };
}

/** A separate number, and devices as real services see them: mobile and web push report no delivery. */
function ownDevices(position: number) {
  const sub = {
    endpoint: `https://push-${position}.example.com/sandbox-no-receipt`,
    keys: { p256dh: 'BNc', auth: 'tBH' },
  };
  return {
    number: `+1415555${String(position % 10_000).padStart(4, '0')}`,
    pushTokens: [{ type: 'FCM', token: `sandbox-no-receipt:${position}` }],
    webPushTokens: [{ sub }],
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

/** Runs `work` for each of `count` positions, `concurrency` at a time; returns the results. */
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

/** Moves the clock in one jump: what is due on the way is due together, as on a busy stage, and then done. */
export async function skipTime({ machine }: MeasuredService, durationMs: number): Promise<void> {
  await machine.settle();
  machine.clock.moveTo(machine.clock.now() + durationMs);
  await machine.settle();
}

/** Channels whose services report delivery, or deliver by accepting. */
const REPORTED = ['email', 'inapp', 'sms', 'call', 'chat'];

/** Resolves when `count` notifications on the blocks' channels were sent and, if reported, delivered. */
export async function allDelivered(
  { ledger }: MeasuredService,
  count: number,
  blocks: readonly (keyof typeof CONTENT)[] = ['email'],
): Promise<void> {
  const untilMs = Date.now() + 600_000;
  const countOf = (stages: RegExp) =>
    ledger
      .steps()
      .filter(({ name }) => stages.test(name))
      .reduce((sum, { calls }) => sum + calls, 0);
  const reported = blocks.filter((block) => REPORTED.includes(block));
  const isDone = () =>
    countOf(/^put log event sent/) >= count * blocks.length &&
    countOf(/^put log event .*delivered$/) >= count * reported.length;
  while (!isDone()) {
    if (Date.now() > untilMs) {
      throw new Error(
        `Only ${countOf(/^put log event sent/)} of ${count * blocks.length} messages were sent.`,
      );
    }
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

import { randomBytes } from 'node:crypto';
import { createLocalKeyWrapper } from '../../infra/local/files/key-file.ts';
import { blobs } from '../../shared/blobs/blobs.ts';
import type { Blobs } from '../../shared/blobs/blobs-port.ts';
import { createTablePages, tablePages } from '../../shared/database/client/table-pages.ts';
import { createDatabase, type Database, database } from '../../shared/database/database.ts';
import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import {
  accountCreation,
  type CreatedAccount,
} from '../../shared/database/entities/accounts/account-creation.ts';
import { keyWrapper } from '../../shared/encryption/keyring.ts';
import type { HttpResponse } from '../../shared/http/endpoint/response.ts';
import { queues } from '../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../shared/messaging/queues-port.ts';
import { clock, dropMade, machineClock, replace, resolve } from '../../shared/runtime/dependency.ts';
import { newId } from '../../shared/runtime/values/ids.ts';
import type { ApiKey } from '../../shared/schemas/account/api-key.ts';
import { accessTokenVerifier } from '../../shared/services/identity/access-tokens.ts';
import { openTestTable, type TestTable } from './test-table.ts';

/** A clock that tests move manually. It starts at a fixed time. */
type TestClock = { nowMs: number };

/** The base of a test file of endpoints: a separate table, a keyring, blobs and queues in memory, a clock. */
export type TestApp = TestTable & {
  database: Database;
  clock: TestClock;
  blobs: Map<string, Uint8Array>;
  /** Messages sent to queues, by queue name. */
  sent: Map<string, QueueMessage[]>;
  /** Access tokens that verify, with their subjects. */
  tokens: Map<string, string>;
};

/** A fresh account with its keys. */
export type TestAccount = CreatedAccount & { secret: ApiKey; public: ApiKey };

export const START_MS = Date.parse('2026-11-21T08:30:00.000Z');

/** The dates of what is made before a test moves its clock. */
export const MADE_AT = {
  createdAt: new Date(START_MS).toISOString(),
  updatedAt: new Date(START_MS).toISOString(),
};

/** Makes an own table and puts test adapters in the place of AWS. Call it once per file, in `beforeAll`. */
export async function createTestApp(): Promise<TestApp> {
  return assemble(await openTestTable({ isStreamed: false }));
}

/** The same on a table whose stream can be read. */
export async function createStreamedApp(): Promise<TestApp> {
  return assemble(await openTestTable({ isStreamed: true }));
}

/** Moves an app to another table: everything made on the first table now reads and writes there. */
export function useTable(app: TestApp, table: TestTable): void {
  Object.assign(app.database, createDatabase(table.documents, table.tableName));
  Object.assign(app, table);
}

function assemble(table: TestTable): TestApp {
  const app: TestApp = {
    ...table,
    database: createDatabase(table.documents, table.tableName),
    clock: { nowMs: START_MS },
    blobs: new Map(),
    sent: new Map(),
    tokens: new Map(),
  };
  const key = randomBytes(32);
  // What another file of this process made holds that file's table.
  dropMade();
  replace(database, () => app.database);
  replace(tablePages, () => createTablePages(table.documents, table.tableName));
  replace(keyWrapper, () => createLocalKeyWrapper(key));
  for (const each of [clock, machineClock]) replace(each, () => ({ now: () => app.clock.nowMs }));
  replace(blobs, () => memoryBlobs(app.blobs));
  replace(accessTokenVerifier, () => ({
    verify: async (token) => {
      const subject = app.tokens.get(token);
      return subject === undefined ? undefined : { subject };
    },
  }));
  replace(queues, () => ({
    send: async (queue, messages) => {
      app.sent.set(queue, [...(app.sent.get(queue) ?? []), ...messages]);
      return [];
    },
    changeVisibility: async () => {},
    countWaiting: async () => 0,
  }));
  return app;
}

function memoryBlobs(stored: Map<string, Uint8Array>): Blobs {
  return {
    put: async (name, bytes) => void stored.set(name, bytes),
    get: async (name) => stored.get(name),
    delete: async (name) => void stored.delete(name),
    list: async (prefix) => [...stored.keys()].filter((name) => name.startsWith(prefix)),
  };
}

/** A fresh account: production environment, admin, a secret key issued by the admin, a public key. */
export async function createTestAccount(app: TestApp): Promise<TestAccount> {
  const created = await resolve(accountCreation).createAccount({
    name: 'Test',
    adminEmail: `admin-${newId()}@example.com`,
    nowMs: app.clock.nowMs,
    secureMode: false,
  });
  const keyOf = (keyType: 'secret' | 'public') =>
    resolve(apiKeys).create({
      accountId: created.account.accountId,
      keyType,
      name: keyType,
      defaultEnvironmentId: created.environment.environmentId,
      issuedBy: created.admin.userId,
      nowMs: app.clock.nowMs,
    });
  return { ...created, secret: await keyOf('secret'), public: await keyOf('public') };
}

/** A request to an endpoint, in a test's words. `body` is sent as JSON text, `rawBody` as it is. */
export type TestRequest = {
  key?: string | undefined;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** The query as it was sent, if its spelling matters. */
  rawQuery?: string;
  body?: unknown;
  rawBody?: string;
  headers?: Record<string, string>;
};

/** The API Gateway HTTP API event (payload 2.0) of a request, with the fields real events have. */
export function httpEvent(request: TestRequest) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/',
    rawQueryString: request.rawQuery ?? new URLSearchParams(request.query).toString(),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'test-agent/1.0',
      ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
      ...request.headers,
    },
    ...(request.query ? { queryStringParameters: request.query } : {}),
    ...(request.path ? { pathParameters: request.path } : {}),
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: {
        method: 'POST',
        path: '/',
        protocol: 'HTTP/1.1',
        sourceIp: '203.0.113.7',
        userAgent: 'test-agent/1.0',
      },
      requestId: 'gateway-request',
      routeKey: '$default',
      stage: '$default',
      time: '21/Nov/2026:08:30:00 +0000',
      timeEpoch: START_MS,
    },
    ...(request.rawBody === undefined
      ? request.body === undefined
        ? {}
        : { body: JSON.stringify(request.body) }
      : { body: request.rawBody }),
    isBase64Encoded: false,
  };
}

type Handler = (event: never) => Promise<HttpResponse>;

/** An endpoint's response; `json` is its parsed body, which tests look into freely. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
export type CallResult = { status: number; json: any; response: HttpResponse };

export async function call(handler: Handler, request: TestRequest): Promise<CallResult> {
  const response = await handler(httpEvent(request) as never);
  const isJson = response.headers['content-type']?.includes('json') && response.body !== '';
  return { status: response.statusCode, json: isJson ? JSON.parse(response.body) : undefined, response };
}

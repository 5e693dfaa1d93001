import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchDynamoDbLocal } from '../../infra/local/database/dynamodb-local/launch.ts';
import { openEngine } from '../../infra/local/database/embedded/engine.ts';
import { serveTable } from '../../infra/local/database/server/table-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Returns the address of the run's DynamoDB (dynamodb.ts). */
    databaseUrl: string;
    /** Holds what is made once for the whole run (once-a-run.ts). */
    runFolder: string;
  }
}

type Launched = { endpoint: string; stop: () => unknown };

/**
 * Serves the address of one DynamoDB for the whole run, in memory: DynamoDB Local where a project asks for it, otherwise the
 * embedded table over HTTP, which needs no Java. The first test file that asks starts it. Every test file creates its own table.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'test-run-'));
  project.provide('runFolder', folder);
  const asked = project.config.env?.TEST_DATABASE ?? process.env.TEST_DATABASE;
  let launching: Promise<Launched> | undefined;
  const findEndpoint = async () => {
    if (process.env.DYNAMODB_ENDPOINT) return process.env.DYNAMODB_ENDPOINT;
    launching ??= asked === 'dynamodb-local' ? launchDynamoDbLocal({}) : launchEmbedded();
    return (await launching).endpoint;
  };
  const server = createServer((_request, response) => {
    findEndpoint().then(
      (endpoint) => response.end(endpoint),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  project.provide('databaseUrl', `http://127.0.0.1:${portOf(server.address())}`);
  return async () => {
    server.close();
    await launching?.then((launched) => launched.stop()).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
}

async function launchEmbedded(): Promise<Launched> {
  const { url, stop } = await serveTable(openEngine({ file: ':memory:' }), 0);
  return { endpoint: url, stop };
}

/** A server that listens on TCP has an address with a port. */
function portOf(address: string | AddressInfo | null): number {
  return (address as AddressInfo).port;
}

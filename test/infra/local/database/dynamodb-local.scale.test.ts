import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { createTable, localClient } from '../../../../infra/local/database/dynamodb-local/create-table.ts';
import {
  type DynamoDbLocal,
  JavaMissing,
  javaVersionOf,
  launchDynamoDbLocal,
} from '../../../../infra/local/database/dynamodb-local/launch.ts';

const launched: DynamoDbLocal[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(launched.splice(0).map((local) => local.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dynamodb-'));
  folders.push(folder);
  return folder;
}

async function launch(options: Parameters<typeof launchDynamoDbLocal>[0]): Promise<DynamoDbLocal> {
  const local = await launchDynamoDbLocal(options);
  launched.push(local);
  return local;
}

async function tablesOf(endpoint: string, accessKeyId?: string): Promise<string[]> {
  const client = localClient(endpoint, accessKeyId);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a data folder', () => {
  it('keeps the tables across a restart, for clients with its access key ID only', async () => {
    const dataFolder = join(temporaryFolder(), 'new', 'folder');
    const accessKeyId = 'abcdef0123456789abcdef';
    const first = await launch({ dataFolder, accessKeyId });
    await createTable(first.endpoint, 'kept', { accessKeyId });
    await createTable(first.endpoint, 'other');
    expect(await tablesOf(first.endpoint)).toEqual(['other']);
    expect(await tablesOf(first.endpoint, accessKeyId)).toEqual(['kept']);
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(first.endpoint, { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-origin')).not.toBe('*');
    expect(preflight.headers.get('access-control-allow-origin')).not.toBe(headers.origin);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await launch({ dataFolder, accessKeyId, port: first.port });
    expect(second.port).toBe(first.port);
    expect(await tablesOf(second.endpoint)).toEqual(['other']);
    expect(await tablesOf(second.endpoint, accessKeyId)).toEqual(['kept']);
  });

  it('loses no acknowledged write when the process is killed', async () => {
    const dataFolder = temporaryFolder();
    const killed = await launch({ dataFolder });
    await createTable(killed.endpoint, 'kept');
    process.kill(killed.pid, 'SIGKILL');
    const { endpoint } = await launch({ dataFolder });
    expect(await tablesOf(endpoint)).toEqual(['kept']);
  });
});

describe('the child process', () => {
  it('ends when its parent is killed with SIGKILL, and writes nothing to the terminal', async () => {
    const module = new URL('../../../../infra/local/database/dynamodb-local/launch.ts', import.meta.url).href;
    const program = `
      import { launchDynamoDbLocal } from '${module}';
      const local = await launchDynamoDbLocal({});
      await fetch(local.endpoint, { method: 'POST', body: 'nonsense' });
      console.log(local.pid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let noise = '';
    parent.stderr.on('data', (chunk) => {
      noise += chunk;
    });
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(line);
    expect(String(line)).toMatch(/^\d+\n$/);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(noise).toBe('');
  });

  it('reports only an unexpected end', async () => {
    const ends: (number | null)[] = [];
    const killed = await launch({ onExit: (code) => ends.push(code) });
    process.kill(killed.pid, 'SIGKILL');
    await expect.poll(() => ends).toEqual([null]);
    const stopped = await launch({ port: killed.port, onExit: (code) => ends.push(code) });
    await stopped.stop();
    expect(ends).toEqual([null]);
  });
});

describe('a failed start of the database', () => {
  it('names a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(launch({ port })).rejects.toThrow('could not start');
    server.close();
  });

  it('explains in one line how to install Java when it is missing', async () => {
    const failure = await launchWithPath(temporaryFolder());
    expect(failure).toBeInstanceOf(JavaMissing);
    expect(failure).toHaveProperty(
      'message',
      'DynamoDB Local needs Java 17 or newer, but none was found: install it (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install temurin) or set DYNAMODB_ENDPOINT to another DynamoDB.',
    );
  });

  it('names the version of a Java that is too old', async () => {
    const folder = temporaryFolder();
    const java = join(folder, 'java');
    writeFileSync(java, '#!/bin/sh\necho \'openjdk version "11.0.22" 2024-01-16\' >&2\nexit 1\n');
    chmodSync(java, 0o755);
    const failure = await launchWithPath(folder);
    expect(failure).toBeInstanceOf(JavaMissing);
    expect(failure).toHaveProperty('message', expect.stringContaining('but version 11 was found'));
  });

  async function launchWithPath(path: string): Promise<unknown> {
    const before = process.env.PATH;
    process.env.PATH = path;
    try {
      return await launch({}).catch((error: unknown) => error);
    } finally {
      process.env.PATH = before;
    }
  }
});

describe('the Java version', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['java version "1.8.0_402"', 8],
    ['openjdk version "25-ea" 2026-09-15', 25],
    ['The operation couldn’t be completed. Unable to locate a Java Runtime.', undefined],
    ['', undefined],
  ])('follows from %j', (output, version) => {
    expect(javaVersionOf(output)).toBe(version);
  });
});

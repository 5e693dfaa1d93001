import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, describe, it } from 'vitest';
import { compareWith, PAGES, STREAM } from '../support/memory-dynamodb/compare-with.ts';
import { until } from '../support/until.ts';

/** A native emulator, published for Linux x64 alone. It needs no Java. */
const binary = findBinary();
let running: ChildProcess | undefined;
afterAll(() => running?.kill());

if (binary === undefined)
  describe('the embedded table and dynoxide', () => {
    it('is compared on Linux x64', ({ skip }) => skip('npm installs no dynoxide here'));
  });
// AWS rejects a value that no expression uses, a path without a parent, and two paths that overlap. An item that begins within
// the first MB belongs to the page, and a write that changes nothing is not in the stream.
else
  compareWith('dynoxide', () => start(binary), {
    cases: ['a value that no expression uses', PAGES, STREAM],
    steps: ['REMOVE v.deep', 'REMOVE v[0]', 'SET v.a = :n, #v = :value'],
  });

async function start(path: string): Promise<string> {
  const port = await freePort();
  running = spawn(path, ['--port', String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(endpoint).catch(() => undefined)) !== undefined, 'dynoxide to listen');
  return endpoint;
}

function findBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

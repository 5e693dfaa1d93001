import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { until } from '../../support/until.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'node-alone-'));
const path = nodeAlone();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with Node.js, npm and the shell that npm starts its scripts with, and nothing else. */
function nodeAlone(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  for (const name of ['npm', 'sh']) symlinkSync(found(name), join(bin, name));
  return bin;
}

function found(name: string): string {
  const all = (process.env.PATH ?? '').split(delimiter).map((each) => join(each, name));
  return realpathSync(all.find((each) => existsSync(each)) ?? name);
}

/** Runs a program of that folder. */
function run(program: string, ...args: string[]) {
  const env = { HOME: folder, PATH: path };
  const child = spawn(join(path, program), args, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code) };
}

it('npm start delivers on a machine that has nothing but Node.js', async () => {
  const file = join(folder, 'ready.json');
  const started = run(
    'npm',
    'start',
    '--',
    '--memory',
    '--port',
    '0',
    '--smtp-port',
    '0',
    '--ready-file',
    file,
  );
  await until(
    () => existsSync(file) || (started.child.exitCode ?? started.child.signalCode) !== null,
    'the service to be ready',
  );
  expect(started.output()).not.toMatch(/java/i);
  const { baseUrl } = JSON.parse(readFileSync(file, 'utf8'));
  await until(() => /email\s+delivered/.test(started.output()), 'the delivery of the welcome notification');
  expect((await fetch(`${baseUrl}/status`)).status).toBe(200);
  // npm does not pass the signal on to what its shell has started.
  process.kill(-(started.child.pid ?? 0), 'SIGTERM');
  await started.ended;
});

it('tests run there too', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const tests = run(
    'node',
    vitest,
    'run',
    '--project',
    'main',
    'test/shared/database/items/held-items.test.ts',
  );
  expect([await tests.ended, tests.output()]).toEqual([0, expect.stringContaining('passed')]);
});

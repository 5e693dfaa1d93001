import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../crash/service.ts';

const START = resolve(import.meta.dirname, '../../infra/local/start.ts');
const START_MS_MAX = 60_000;

/** What the ready file of a local run tells, and how to end it. */
export type LocalRun = {
  baseUrl: string;
  smtpPort: number;
  secretKey: string;
  publicKey: string;
  accountId: string;
  environmentId: string;
  stop: () => Promise<void>;
};

/** Starts the local run as a process that keeps nothing, on a free port, with `settings` over the environment. */
export async function startLocalRun({
  args = [],
  settings = {},
}: {
  args?: string[];
  settings?: Record<string, string>;
} = {}): Promise<LocalRun> {
  const folder = mkdtempSync(join(tmpdir(), 'local-run-'));
  const file = join(folder, 'ready.json');
  const fixed = ['--memory', '--port', '0', '--smtp-port', '0', '--quiet', '--no-welcome'];
  const child = spawn(process.execPath, [START, ...fixed, '--ready-file', file, ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = once(child, 'close');
  await until(() => existsSync(file) || child.exitCode !== null, START_MS_MAX, 'the service to be ready');
  if (!existsSync(file)) throw new Error(`the service ended: ${errors}`);
  const facts = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  return {
    ...facts,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

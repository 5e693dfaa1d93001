import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '../support/until.ts';

/** The contents of the ready file. */
export type ReadyFacts = { baseUrl: string; secretKey: string; accountId: string; environmentId: string };

/** `npm start` in a separate process group. */
export type Service = ReadyFacts & {
  startMs: number;
  /** Kills the whole group, as when a machine runs out of memory, and waits until it is gone. */
  killAll(): Promise<void>;
  /** Ends it the polite way. */
  stop(): Promise<void>;
};

const ROOT = resolve(import.meta.dirname, '../..');

/** Starts the service on `folder` and waits until it responds. Its output goes to `<folder>/service.log`. */
export async function startService(folder: string, port: number): Promise<Service> {
  const readyFile = join(folder, 'ready.json');
  rmSync(readyFile, { force: true });
  const output = openSync(join(folder, 'service.log'), 'a');
  const beganAtMs = Date.now();
  const options = ['--data', join(folder, 'data'), '--port', String(port), '--ready-file', readyFile];
  const child = spawn('npm', ['start', '--silent', '--', ...options, '--quiet', '--no-welcome'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', output, output],
  });
  const group = child.pid ?? 0;
  await until(() => existsSync(readyFile) || hasEnded(child), 'the service to be ready');
  if (hasEnded(child))
    throw new Error(`npm start ended: ${readFileSync(join(folder, 'service.log'), 'utf8')}`);
  const facts: ReadyFacts = JSON.parse(readFileSync(readyFile, 'utf8'));
  const isGone = () => hasEnded(child) && !isAlive(-group);
  return {
    ...facts,
    startMs: Date.now() - beganAtMs,
    async killAll() {
      signal(-group, 'SIGKILL');
      await until(isGone, 'the killed processes to end');
    },
    async stop() {
      signal(-group, 'SIGTERM');
      await until(isGone, 'the service to stop');
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A negative id is a group. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (pid === 0) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    const hasEndedBefore = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!hasEndedBefore) throw error;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from '../../crash/service.ts';

const START = resolve(import.meta.dirname, '../../../infra/local/start.ts');
const START_MS_MAX = 60_000;

/** A run of infra/local/start.ts as a process of its own. */
export type Run = {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
};

/** A run that answers. */
export type StartedService = Run & {
  facts: { baseUrl: string; secretKey: string; publicKey: string; accountId: string; environmentId: string };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  request: (path: string, body?: unknown) => Promise<{ status: number; json: any }>;
};

/** Spawns the command line with `args`. */
export function spawnStart(args: readonly string[]): Run {
  const child = spawn(process.execPath, [START, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { output: '', errors: '' };
  child.stdout?.on('data', (chunk) => (texts.output += chunk));
  child.stderr?.on('data', (chunk) => (texts.errors += chunk));
  const ended = once(child, 'close').then(([code]) => code);
  return { child, output: () => texts.output, errors: () => texts.errors, ended };
}

/** Spawns it on a free port, silently and without the welcome, and waits for its ready file. */
export async function startService(args: readonly string[]): Promise<StartedService> {
  const folder = mkdtempSync(join(tmpdir(), 'ready-'));
  const file = join(folder, 'ready.json');
  const run = spawnStart(['--port', '0', '--ready-file', file, '--quiet', '--no-welcome', ...args]);
  await until(() => existsSync(file) || run.child.exitCode !== null, START_MS_MAX, 'the service to be ready');
  if (!existsSync(file)) throw new Error(`the service ended: ${run.errors()}`);
  const facts = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const request = async (path: string, body?: unknown) => {
    const answer = await fetch(facts.baseUrl + path, {
      headers: { authorization: `Bearer ${facts.secretKey}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: await answer.json() };
  };
  return { ...run, facts, request };
}

/** Ids of the Java processes below `pid`. */
export function javaBelow(pid: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => readProcess(each, 'stat').split(') ')[1]?.split(' ')[1] === String(pid))
    .filter((each) => readProcess(each, 'cmdline').includes('DynamoDBLocal'));
}

/** Whether the process is still there and no zombie. */
export function isRunning(pid: number): boolean {
  const state = readProcess(pid, 'stat').split(') ')[1]?.[0];
  return state !== undefined && state !== 'Z';
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

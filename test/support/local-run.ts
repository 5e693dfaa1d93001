import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LAMBDA_NODE_FLAGS } from '../../infra/bundle/node-flags.ts';
import { patientFetch } from './patient-fetch.ts';
import { until } from './until.ts';

const START = resolve(import.meta.dirname, '../../infra/local/start.js');

/** A run of infra/local/start.js as a separate process. */
export type Run = {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
};

/** A running service: the contents of its ready file, and how to call and stop it. */
export type LocalRun = Run & {
  baseUrl: string;
  localUrl: string;
  smtpPort: number;
  secretKey: string;
  publicKey: string;
  accountId: string;
  environmentId: string;
  sandboxToken?: string;
  /** Permissions of the ready file. */
  readyMode: number;
  /** GET, or POST with a body, by the secret key; repeated after the time that a 429 asks for. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
  request: (path: string, body?: unknown) => Promise<{ status: number; json: any }>;
  stop: () => Promise<void>;
};

/** Spawns the command line with `args`, with `settings` over the environment, in `folder` instead of this folder. */
export function spawnStart(
  args: readonly string[],
  settings: Record<string, string> = {},
  folder?: string,
): Run {
  const child = spawn(process.execPath, [...LAMBDA_NODE_FLAGS, START, ...args], {
    cwd: folder,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', errors: '' };
  child.stdout?.on('data', (chunk) => (texts.output += chunk));
  child.stderr?.on('data', (chunk) => (texts.errors += chunk));
  const ended = once(child, 'close').then(([code]) => code);
  return { child, output: () => texts.output, errors: () => texts.errors, ended };
}

/** Starts it on free ports, silently, without the welcome; it keeps nothing unless `args` name a data folder. */
export async function startLocalRun({
  args = [],
  settings = {},
}: {
  args?: readonly string[];
  settings?: Record<string, string>;
} = {}): Promise<LocalRun> {
  const folder = mkdtempSync(join(tmpdir(), 'local-run-'));
  const file = join(folder, 'ready.json');
  const kept = args.includes('--data') ? [] : ['--memory'];
  const fixed = ['--port', '0', '--smtp-port', '0', '--quiet', '--no-welcome', '--ready-file', file];
  const run = spawnStart([...fixed, ...kept, ...args], settings);
  let end: string | undefined;
  void run.ended.then((code) => {
    end = code === null ? `by ${run.child.signalCode}` : `with ${code}`;
  });
  await until(() => existsSync(file) || end !== undefined, 'the service to be ready');
  if (!existsSync(file)) throw new Error(`the service ended ${end}: ${run.errors()}`);
  const facts = JSON.parse(readFileSync(file, 'utf8'));
  const readyMode = statSync(file).mode & 0o777;
  rmSync(folder, { recursive: true });
  return {
    ...run,
    ...facts,
    readyMode,
    async request(path, body) {
      const response = await patientFetch(facts.baseUrl + path, {
        headers: { authorization: `Bearer ${facts.secretKey}` },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: response.status, json: await response.json() };
    },
    async stop() {
      run.child.kill('SIGTERM');
      await run.ended;
    },
  };
}

/** Ids of the Java processes below `pid`. */
export function javaBelow(pid: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => readProcess(each, 'stat').split(') ')[1]?.split(' ')[1] === String(pid))
    .filter((each) => readProcess(each, 'cmdline').includes('DynamoDBLocal'));
}

/** Returns true if the process still runs and is no zombie. */
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

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import type { DatabaseKind } from '../infra/local/database/data-folder.ts';

/** `npm start` in a process of its own, on a new data folder. */
export type StartedService = {
  startMs: number;
  /** Of the service and its children, MB. */
  residentMb(): number;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: string }>;
  stop(): Promise<void>;
};

const ROOT = resolve(import.meta.dirname, '..');
const START_MS_MAX = 120_000;
const LOOK_MS = 5;

/** Starts it with the command of `npm start`, and `nodeFlags` before those. */
export async function startService(
  folder: string,
  database: DatabaseKind,
  nodeFlags: readonly string[] = [],
): Promise<StartedService> {
  const own = mkdtempSync(join(folder, `${database}-`));
  const readyFile = join(own, 'ready.json');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const command = String(scripts.start).split(' ').slice(1);
  const options = ['--port', '0', '--smtp-port', '0', '--quiet', '--no-welcome', '--ready-file', readyFile];
  const stored = ['--data', join(own, 'data'), '--database', database];
  const beganAtMs = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, ...command, ...options, ...stored], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  await untilReady(child, readyFile).catch((error: Error) => {
    throw new Error(errors.trim() || error.message);
  });
  const startMs = performance.now() - beganAtMs;
  const { baseUrl, secretKey } = JSON.parse(readFileSync(readyFile, 'utf8'));
  const agent = new Agent({ keepAlive: true });
  return {
    startMs,
    residentMb: () => residentMbBelow(child.pid ?? 0),
    call: (method, path, body) =>
      callOnce({ agent, method, url: new URL(path, baseUrl), secretKey, body: JSON.stringify(body) }),
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      await once(child, 'close');
      rmSync(own, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess, readyFile: string): Promise<void> {
  const untilMs = performance.now() + START_MS_MAX;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('npm start ended before it was ready');
    if (performance.now() > untilMs) throw new Error('npm start was not ready in two minutes');
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
}

type Call = { agent: Agent; method: string; url: URL; secretKey: string; body: string | undefined };

/** Node's own client: it takes the least of the CPU that is measured. */
function callOnce({ agent, method, url, secretKey, body }: Call): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  return new Promise((done, failed) => {
    request(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, body: text }));
      response.on('error', failed);
    })
      .on('error', failed)
      .end(body);
  });
}

/** NaN where the system has no /proc. */
function residentMbBelow(pid: number): number {
  if (!existsSync('/proc/self/status')) return Number.NaN;
  const own = Number(/VmRSS:\s+(\d+)/.exec(readOf(pid, 'status'))?.[1] ?? 0) / 1024;
  const children = readdirSync('/proc')
    .filter(
      (name) => /^\d+$/.test(name) && readOf(name, 'stat').split(') ')[1]?.split(' ')[1] === String(pid),
    )
    .map(Number);
  return children.reduce((sum, child) => sum + residentMbBelow(child), own);
}

function readOf(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

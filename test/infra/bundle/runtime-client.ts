import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAMBDA_NODE_FLAGS } from '../../../infra/bundle/node-flags.ts';
import { startHttpFake } from '../../support/fakes/http-fake.ts';
import { onceARun } from '../../support/once-a-run.ts';
import { HANG_MS } from '../../support/until.ts';

const RUNTIME = join(import.meta.dirname, 'runtime');
const CLIENT = join(RUNTIME, 'node_modules/aws-lambda-ric/index.mjs');

/** A function as Lambda gets it: the files of its zip, and properties of its template. */
export type Deployed = {
  folder: string;
  handler: string;
  memoryMb: number;
  settings: Readonly<Record<string, string>>;
};

/** The handler's response to one invocation, or the reason why there is none. */
export type Outcome = { response?: unknown; failure?: string; startMs: number; memoryMb: number };

/** Installs AWS's Runtime Interface Client, which is no dependency: its scripts compile C++. */
export function installRuntimeClient(): Promise<boolean> {
  return onceARun('runtime-client', () => {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    if (!existsSync(CLIENT)) execFileSync('npm', args, { cwd: RUNTIME, stdio: 'ignore' });
    return true;
  });
}

/** Starts a function under the client, with Lambda's flags and nothing of this process, and invokes it once. */
export async function invokeOnce({ folder, ...deployed }: Deployed, event: unknown): Promise<Outcome> {
  const { handler, memoryMb } = deployed;
  const startedAtMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<Pick<Outcome, 'response' | 'failure'>>();
  let startMs = 0;
  // A runtime gets its events from this API: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
  const api = await startHttpFake(({ method, path, body }) => {
    if (method === 'POST') {
      const text = body.toString('utf8');
      resolve(path.endsWith('/response') ? { response: JSON.parse(text) } : { failure: text });
      return { status: 202, body: {} };
    }
    if (startMs > 0) return 'hang';
    startMs = performance.now() - startedAtMs;
    return { status: 200, headers: invocationHeaders(), body: JSON.stringify(event) };
  });
  const flags = [`--max-old-space-size=${Math.floor(memoryMb * 0.9)}`, ...LAMBDA_NODE_FLAGS];
  const child = spawn(
    process.execPath,
    [...flags, '--require', join(RUNTIME, 'rapid-client.cjs'), CLIENT, handler],
    { cwd: folder, env: environmentOf(folder, deployed, api.port), timeout: HANG_MS, killSignal: 'SIGKILL' },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  child.once('close', (status) => resolve({ failure: `ended with status ${status}: ${output}` }));
  const outcome = await promise;
  const usedMb = residentMb(child.pid);
  child.kill('SIGKILL');
  await api.close();
  return { ...outcome, startMs, memoryMb: usedMb };
}

const invocationHeaders = () => ({
  'lambda-runtime-aws-request-id': 'r-1',
  'lambda-runtime-deadline-ms': String(Date.now() + HANG_MS),
  'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:111122223333:function:one',
});

/** Returns the variables of the template and Lambda's own. */
function environmentOf(
  folder: string,
  { handler, memoryMb, settings }: Omit<Deployed, 'folder'>,
  port: number,
) {
  return {
    ...settings,
    _HANDLER: handler,
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_SESSION_TOKEN: 'x',
    AWS_REGION: 'eu-central-1',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'one',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: 'one',
    AWS_LAMBDA_LOG_STREAM_NAME: 'one',
    AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
    LAMBDA_TASK_ROOT: folder,
    LAMBDA_RUNTIME_DIR: RUNTIME,
    PATH: '/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin',
    TZ: ':UTC',
  };
}

/** Largest memory of a process so far; 0 where the system does not show it. */
function residentMb(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1024;
}

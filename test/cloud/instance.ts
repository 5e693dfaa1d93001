import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LAMBDA_NODE_FLAGS } from '../../infra/bundle/node-flags.ts';
import { type CodeFolder, contentsOf } from './code-folder.ts';
import { REGION, type Resource } from './templates.ts';

const RUNTIME = join(import.meta.dirname, 'runtime');
const CLIENT = join(RUNTIME, 'node_modules/aws-lambda-ric/index.mjs');
const PRELOAD = join(RUNTIME, 'rapid-client.cjs');
/** The factor by which a start and an invocation may be slower than in Lambda: the machine may be slow and busy. */
const SLOWNESS_MAX = 6;
const INIT_MS_MAX = 10_000 * SLOWNESS_MAX;

/** Time and memory used by the invocations of one function. */
export type Usage = { coldStartsMs: number[]; durationsMs: number[]; memoryMb: number; memoryMaxMb: number };

/** Thrown when an invocation fails: what Lambda reports as `FunctionError`. */
export class FunctionError extends Error {}

/** A process of one function, which handles one invocation at a time. */
export type Instance = {
  invoke(event: unknown): Promise<unknown>;
  isIdle(): boolean;
  isOver(): boolean;
  usedAtMs(): number;
  stop(): Promise<void>;
};
type Invocation = {
  id: string;
  event: string;
  done: (payload: unknown) => void;
  failed: (error: Error) => void;
};
type InstanceOptions = {
  endpoint: string;
  localize: (setting: string) => string;
  code: CodeFolder;
  aheadMs: number;
  usage: Usage;
  problems: string[];
};

/** Starts a process under AWS's Runtime Interface Client. */
export function startInstance(resource: Resource, options: InstanceOptions): Instance {
  const { usage, problems, code } = options;
  const { ref: name, properties, arn } = resource;
  const waiting: Invocation[] = [];
  let running: (Invocation & { beganAtMs: number; timer: NodeJS.Timeout }) | undefined;
  let polling: ServerResponse | undefined;
  let child: ChildProcess | undefined;
  let isOver = false;
  let isReady = false;
  let usedAtMs = performance.now();
  let output = '';
  const startedAtMs = performance.now();

  function end(reason: string): void {
    if (isOver) return;
    isOver = true;
    problems.push(`${name}: ${reason}`);
    for (const each of [...(running ? [running] : []), ...waiting.splice(0)])
      each.failed(new FunctionError(`${name}: ${reason}`));
    clearTimeout(running?.timer);
    running = undefined;
    child?.kill('SIGKILL');
    server.close();
    server.closeAllConnections();
  }

  function next(): void {
    const invocation = polling && waiting.shift();
    if (!polling || !invocation) return;
    const limitMs = properties.Timeout * 1000 * SLOWNESS_MAX;
    const timer = setTimeout(() => end(`timed out after ${properties.Timeout} s`), limitMs);
    running = { ...invocation, beganAtMs: performance.now(), timer };
    polling.writeHead(200, {
      'lambda-runtime-aws-request-id': invocation.id,
      'lambda-runtime-deadline-ms': String(Date.now() + options.aheadMs + limitMs),
      'lambda-runtime-invoked-function-arn': arn,
      'lambda-runtime-trace-id': `Root=1-${'0'.repeat(8)}-${'0'.repeat(24)};Sampled=0`,
    });
    polling.end(invocation.event);
    polling = undefined;
  }

  function settle(id: string, finish: (invocation: Invocation) => void): void {
    if (running?.id !== id) return;
    const { beganAtMs, timer } = running;
    clearTimeout(timer);
    usage.durationsMs.push(performance.now() - beganAtMs);
    usage.memoryMb = Math.max(usage.memoryMb, residentMb(child?.pid));
    usedAtMs = performance.now();
    if (usage.memoryMb > usage.memoryMaxMb)
      problems.push(`${name}: used ${usage.memoryMb.toFixed(0)} MB of ${usage.memoryMaxMb} MB`);
    const settled = running;
    running = undefined;
    finish(settled);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const [, , , kind = '', id = '', outcome = ''] = (request.url ?? '').split('/');
    if (request.method === 'GET') {
      if (!isReady) usage.coldStartsMs.push(performance.now() - startedAtMs);
      isReady = true;
      polling = response;
      next();
      return;
    }
    response.writeHead(202).end('{}');
    if (kind === 'init') return end(`failed to start: ${body}`);
    if (outcome === 'response') settle(id, ({ done }) => done(JSON.parse(body || 'null')));
    else
      settle(id, ({ failed }) => {
        problems.push(`${name}: ${body.slice(0, 600)}`);
        failed(new FunctionError(body));
      });
  }

  const server: Server = createServer((request, response) => void answer(request, response));
  // As Lambda's: a process that has been idle for long still finds its connection open.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    const memoryMb: number = properties.MemorySize;
    const flags = [
      `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`,
      ...LAMBDA_NODE_FLAGS,
      '--require',
      PRELOAD,
    ];
    child = spawn(process.execPath, [...flags, CLIENT, properties.Handler], {
      cwd: code.task,
      env: environmentOf(resource, port, options),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('exit', (status) => end(`ended with status ${status}: ${output}`));
  });
  const initTimer = setTimeout(() => isReady || end(`did not start: ${output}`), INIT_MS_MAX);
  return {
    invoke: (event) =>
      new Promise((done, failed) => {
        if (isOver) return failed(new FunctionError(`${name} has ended`));
        waiting.push({ id: randomUUID(), event: JSON.stringify(event), done, failed });
        next();
      }),
    isIdle: () => running === undefined && waiting.length === 0,
    isOver: () => isOver,
    usedAtMs: () => usedAtMs,
    async stop() {
      clearTimeout(initTimer);
      if (contentsOf(code.task) !== code.files) problems.push(`${name}: wrote into its code folder`);
      isOver = true;
      child?.kill('SIGKILL');
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Returns Lambda's own variables, those of the template and the local AWS endpoint; nothing of this process. */
function environmentOf(resource: Resource, port: number, options: InstanceOptions): Record<string, string> {
  const { ref: name, properties } = resource;
  const given: Record<string, unknown> = properties.Environment?.Variables ?? {};
  return {
    ...Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, options.localize(String(value))]),
    ),
    _HANDLER: properties.Handler,
    AWS_ACCESS_KEY_ID: name,
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ENDPOINT_URL: options.endpoint,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: properties.LoggingConfig?.LogFormat ?? 'Text',
    AWS_LAMBDA_LOG_GROUP_NAME: String(properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`),
    AWS_LAMBDA_LOG_STREAM_NAME: 'cloud',
    AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
    CLOUD_TEST_AHEAD_MS: String(options.aheadMs),
    LAMBDA_TASK_ROOT: options.code.task,
    LAMBDA_RUNTIME_DIR: RUNTIME,
    LANG: 'en_US.UTF-8',
    PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
    TMPDIR: join(options.code.task, '../tmp'),
    TZ: ':UTC',
  };
}

/** Largest memory of a process so far, MB; 0 where the system does not show it. */
function residentMb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

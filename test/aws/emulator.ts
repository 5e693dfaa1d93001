import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HANG_MS } from '../support/until.ts';

const HERE = import.meta.dirname;
const PRELOAD = join(HERE, 'preload.mjs');
const REQUIREMENTS = join(HERE, 'requirements.txt');
export const REGION = 'eu-central-1';

/** Flags of Node in Lambda's runtime nodejs24.x, and what every function of the run loads first. */
const NODE_OPTIONS = `--no-experimental-require-module --no-experimental-detect-module --import=${PRELOAD}`;

/** CloudFormation types of the templates that the emulator does not implement. */
const ACCEPTED_TYPES = [
  'AWS::Budgets::Budget',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::SMSVOICE::ConfigurationSet',
];

/** What the emulator wrote about the run (emulator.py). */
export type Observation =
  | { kind: 'start'; function: string; ms: number }
  | {
      kind: 'invocation';
      function: string;
      /** The event's source: of a record, a route's key, or `aws.events`. Null if it is invoked directly. */
      source: string | null;
      origin: string;
      ms: number;
      /** Of an HTTP response. */
      status: number | null;
      isLaterPage: boolean;
      error: unknown;
      /** Lines of its log with level ERROR. */
      errors: string[];
    }
  | { kind: 'denied'; function: string; action: string; resource: string }
  | { kind: 'email'; messageId: string; request: SentEmail };

/** The input of SES's SendEmail. */
export type SentEmail = {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[] };
  EmailTags?: { Name: string; Value: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read parts of it
  Content: any;
};

/** Starts MiniStack on a free port, with IAM enforced; `env` reaches the functions as well. */
export async function startEmulator(env: Readonly<Record<string, string>>) {
  const python = installed();
  const folder = mkdtempSync(join(tmpdir(), 'aws-'));
  const observations = join(folder, 'observations.jsonl');
  const clock = join(folder, 'clock');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const account = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  const caller = { ...account, AWS_ENDPOINT_URL: url, AWS_REGION: REGION, AWS_DEFAULT_REGION: REGION };
  // Lambda's runtime has the SDK: functions that are not bundled find it above their folder.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(HERE, '../../node_modules/@aws-sdk'), join(folder, 'node_modules/@aws-sdk'));
  const log = openSync(join(folder, 'log'), 'w');
  const child = spawn(python, [join(HERE, 'emulator.py')], {
    env: {
      ...process.env,
      ...caller,
      ...env,
      NODE_OPTIONS,
      CLOCK_OFFSET: clock,
      OBSERVATIONS: observations,
      ACCEPTED_TYPES: ACCEPTED_TYPES.join(','),
      AUTH: 'true',
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: `${REGION}.amazonaws.com`,
      MINISTACK_REGION: REGION,
      TMPDIR: folder,
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
    },
    stdio: ['pipe', log, log],
  });
  await untilReady(child, url, join(folder, 'log'));
  return {
    url,
    caller,
    clock,
    log: join(folder, 'log'),
    observations: (): Observation[] =>
      readFileSync(observations, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await ended;
      if (!process.env.KEEP_AWS_LOG) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns Python with the pinned packages, installed once into a cache folder. */
function installed(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const [, version] = /^ministack==(.+)$/m.exec(readFileSync(REQUIREMENTS, 'utf8')) ?? [];
  const folder = join(cache, 'notification-delivery-service', `ministack-${version}`);
  const python = join(folder, 'bin/python');
  if (existsSync(python)) return python;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  run(findPython(), ['-m', 'venv', unfinished]);
  run(join(unfinished, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', REQUIREMENTS]);
  renameSync(unfinished, folder);
  return python;
}

const IS_RECENT = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

function findPython(): string {
  for (const name of [
    'python3',
    'python3.14',
    'python3.13',
    'python3.12',
    'python3.11',
    'python3.10',
    'python',
  ]) {
    try {
      execFileSync(name, ['-c', IS_RECENT], { stdio: 'ignore' });
      return name;
    } catch {}
  }
  throw new Error(
    'npm run test:aws needs Python 3.10 or newer with venv (Debian: python3-venv) on the path.',
  );
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilReady(child: ChildProcess, url: string, log: string): Promise<void> {
  for (const endsAtMs = Date.now() + HANG_MS; Date.now() < endsAtMs; ) {
    if (child.exitCode !== null) break;
    const isReady = await fetch(`${url}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`The emulator did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}

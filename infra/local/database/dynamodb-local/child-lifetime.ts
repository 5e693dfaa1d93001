import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STALE_MS_MAX = 5000;

/**
 * Ends the child when this process ends: by a listener when it exits, and by a shell that reads from a pipe
 * which the operating system closes even if this process is killed. The returned function releases a child
 * that has ended.
 */
export function endWithParent(child: ChildProcess): () => void {
  const killChild = () => void child.kill('SIGKILL');
  process.on('exit', killChild);
  const guard = spawn('sh', ['-c', 'read -r _; kill -9 "$0" 2>/dev/null', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => {});
  guard.unref();
  const { stdin } = guard;
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return () => {
    process.off('exit', killChild);
    guard.kill('SIGKILL');
    stdin.destroy();
  };
}

export function storeProcess(folder: string, pid: number): void {
  writeFileSync(pidFileOf(folder), String(pid));
}

/** Removes the note, unless it is of another process by now. */
export function deleteProcess(folder: string, pid: number): void {
  if (notedPid(folder) === pid) rmSync(pidFileOf(folder), { force: true });
}

/** Ends the process that an earlier run left on `folder`, if its command line has all of `words`, and waits for it. */
export async function endStaleProcess(folder: string, words: readonly string[]): Promise<void> {
  const pid = notedPid(folder);
  const isOurs = () => pid !== undefined && words.every((word) => commandLineOf(pid).includes(word));
  if (pid === undefined || !isOurs()) return;
  kill(pid);
  const until = Date.now() + STALE_MS_MAX;
  while (isOurs()) {
    if (Date.now() > until) throw new Error(`Process ${pid} still uses ${folder}: end it and start again.`);
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const hasEndedMeanwhile = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!hasEndedMeanwhile) throw error;
  }
}

function pidFileOf(folder: string): string {
  return join(folder, 'dynamodb.pid');
}

function notedPid(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFileOf(folder), 'utf8'));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    if (process.platform === 'linux') return '';
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}

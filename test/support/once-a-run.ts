import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

const POLL_MS = 100;

type Made<T> = { value: T } | { failure: string };

/**
 * Returns the result of `make`, which the first test file of the run calls; the others, in separate processes, wait
 * for it. It goes through JSON. `make` may leave files in the folder it is given.
 */
export async function onceARun<T>(name: string, make: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = join(inject('runFolder'), name);
  const file = `${folder}.json`;
  if (await isFirst(folder)) {
    await writeFile(`${folder}.pid`, String(process.pid));
    const made = await attempt(() => make(folder));
    await writeFile(`${file}.part`, JSON.stringify(made));
    await rename(`${file}.part`, file);
  }
  while (!existsSync(file)) {
    const isGone = hasMakerEnded(`${folder}.pid`);
    if (isGone && !existsSync(file))
      throw new Error(`${name} was not made: the process that made it has ended.`);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  const made: Made<T> = JSON.parse(await readFile(file, 'utf8'));
  if ('failure' in made) throw new Error(made.failure);
  return made.value;
}

function hasMakerEnded(file: string): boolean {
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  try {
    return pid > 0 && !process.kill(pid, 0);
  } catch {
    return true;
  }
}

/** Of all processes one makes the folder. */
async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function attempt<T>(make: () => T | Promise<T>): Promise<Made<T>> {
  try {
    return { value: await make() };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Blobs } from '../../../shared/blobs/blobs-port.ts';

/** As S3. */
const LISTED_MAX = 1000;

export function createFolderBlobs(folder: string): Blobs {
  const pathOf = (name: string) => join(folder, ...name.split('/').map((part) => encodeURIComponent(part)));
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${randomUUID()}`;
      await writeFile(draft, bytes, { flush: true });
      await rename(draft, path);
    },
    async get(name) {
      try {
        return await readFile(pathOf(name));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async list(prefix) {
      const parts = prefix.split('/').slice(0, -1);
      const top = pathOf(parts.join('/'));
      const found = await readdir(top, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
      return found
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => nameOf(relative(folder, join(parentPath, name))))
        .filter((name) => name.startsWith(prefix))
        .slice(0, LISTED_MAX);
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}

function nameOf(path: string): string {
  return path.split(sep).map(decodeURIComponent).join('/');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function ignoreMissing(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

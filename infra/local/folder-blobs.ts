import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blobs } from '../../shared/blobs/blobs-port.ts';

/** Blobs as files of a folder; a file is there whole or not at all. */
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
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}

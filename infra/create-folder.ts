import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** `mkdirSync` with `recursive` never returns in a file system that reports ENOENT for what it cannot create, as /proc. */
export function createFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder), mode);
  mkdirSync(folder, { mode });
}

import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment, Resource } from './templates.ts';

/** A function's unpacked code: its folder, and the names and sizes of its files. */
export type CodeFolder = { task: string; files: string };

/** The function's folder as Lambda unpacks it: read-only, with nothing around it. */
export function unpack(deployment: Deployment, { ref, properties }: Resource, folder: string): CodeFolder {
  const task = join(folder, ref, 'task');
  const { S3Key, ZipFile } = properties.Code;
  rmSync(join(folder, ref), { recursive: true, force: true });
  mkdirSync(join(folder, ref, 'tmp'), { recursive: true });
  if (ZipFile === undefined)
    cpSync(deployment.assetPath(String(S3Key).replace(/\.zip$/, '')), task, { recursive: true });
  else {
    mkdirSync(task);
    writeFileSync(join(task, 'index.js'), ZipFile);
  }
  for (const file of readdirSync(task)) chmodSync(join(task, file), 0o444);
  chmodSync(task, 0o555);
  return { task, files: contentsOf(task) };
}

/** Root may write anywhere, so what was written is looked for afterwards as well. */
export function contentsOf(task: string): string {
  return readdirSync(task)
    .sort()
    .map((file) => `${file} ${readFileSync(join(task, file)).length}`)
    .join('\n');
}

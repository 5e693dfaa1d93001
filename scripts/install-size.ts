import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, runTask } from './frame/command.ts';

const HELP = `Prints what npm ci installs: direct dependencies, packages and megabytes, and the share of Node.js itself.

npm run install:size`;

const ROOT = resolve(import.meta.dirname, '..');
/** Written by tools, not by npm. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest-cache']);

/** Files that have several names count once. */
const counted = new Set<number>();

runTask(HELP, async () => {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const { dependencies, devDependencies } = read('package.json');
  const { packages } = read('node_modules/.package-lock.json');
  const modules = join(ROOT, 'node_modules');
  const sizes = readdirSync(modules)
    .filter((name) => !CACHES.has(name))
    .map((name) => ({ name, bytes: sizeOf(join(modules, name)) }));
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const node = sizes.find(({ name }) => name === 'node')?.bytes ?? 0;
  console.log(`direct dependencies: ${Object.keys({ ...dependencies, ...devDependencies }).length}`);
  console.log(`packages: ${Object.keys(packages).length}`);
  console.log(`size: ${megabytes(all)} MB, of which Node.js ${megabytes(node)} MB`);
  return EXIT.done;
});

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || counted.has(stats.ino)) return 0;
  counted.add(stats.ino);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .reduce((sum, { name }) => sum + sizeOf(join(path, name)), 0);
}

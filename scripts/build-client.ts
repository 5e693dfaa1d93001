import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../client');
/** Bytes of the main entry, gzipped. */
const SIZE_MAX = 12 * 1024;

const entryPoints = { index: 'src/index.ts', testing: 'src/testing/testing.ts' };

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
mkdirSync(join(ROOT, 'dist'));
const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: ['node:*'],
  minifySyntax: true,
  write: false,
});
await Promise.all(
  outputFiles.map(({ path, contents }) =>
    import('node:fs/promises').then((fs) => fs.writeFile(path, contents)),
  ),
);
const main = outputFiles.find(({ path }) => path.endsWith('/index.js'));
const size = gzipSync(main?.contents ?? '').byteLength;
if (size > SIZE_MAX) throw new Error(`The client is ${size} bytes gzipped; the limit is ${SIZE_MAX}.`);
emitTypes();
copyFileSync(join(ROOT, '../LICENSE'), join(ROOT, 'dist/LICENSE'));
console.log(`Wrote client/dist: ${(size / 1024).toFixed(1)} KB gzipped.`);

function emitTypes(): void {
  const args = ['-p', join(ROOT, 'tsconfig.build.json')];
  const { status, stdout } = spawnSync('tsc', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc failed:\n${stdout}`);
}

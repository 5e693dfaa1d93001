import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The exports of `code`, bundled with a plugin; the bundle's size in bytes, with and without the plugin. */
export async function bundled(code: string, plugin: Plugin) {
  const folder = await mkdtemp(join(tmpdir(), 'plugins-'));
  const options: BuildOptions & { write: true; metafile: true } = {
    stdin: { contents: code, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    charset: 'utf8',
    outfile: join(folder, 'bundle.mjs'),
    write: true,
    metafile: true,
  };
  const sizeOf = (result: { metafile: { outputs: Record<string, { bytes: number }> } }) =>
    Object.values(result.metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  const plain = sizeOf(await build(options));
  const lean = sizeOf(await build({ ...options, plugins: [plugin] }));
  const exports = await import(pathToFileURL(join(folder, 'bundle.mjs')).href);
  await rm(folder, { recursive: true });
  return { exports, plain, lean };
}

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bundle, bundleAll, entriesOf } from '../../../infra/bundle/bundle.ts';
import { LAMBDA_NODE_FLAGS } from '../../../infra/bundle/node-flags.ts';
import { readableStack } from '../../../shared/runtime/readable-stack.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

let folder: string;
let bundle: Bundle;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stack-'));
  const entries = entriesOf().filter(({ kind, id }) => kind === 'worker' && id === 'sweep');
  const [built] = await bundleAll({ outputFolder: folder, entries });
  if (!built) throw new Error('nothing was bundled');
  bundle = built;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the position of a source line, as a stack names it. */
function placeOf(source: string, line: string): string {
  const lines = readFileSync(join(ROOT, source), 'utf8').split('\n');
  return `${source}:${lines.findIndex((each) => each.includes(line)) + 1}`;
}

it('shows source file and line of every own frame in the logs of a bundled function', async () => {
  const code = `
    const { handler } = await import(${JSON.stringify(join(bundle.folder, bundle.entryFile))});
    await handler({}, { getRemainingTimeInMillis: () => 1000 }).catch(() => {});`;
  const argv = [...LAMBDA_NODE_FLAGS, '--input-type=module', '-e', code];
  const env = { PATH: process.env.PATH ?? '', AWS_REGION: 'eu-central-1', POWERTOOLS_DEV: 'true' };
  const { stdout, stderr } = await run(process.execPath, argv, { cwd: bundle.folder, env });
  const output = `${stdout}${stderr}`;
  expect(output).toContain('the due items were not swept');
  expect(output).toContain(
    placeOf('shared/runtime/config.ts', 'throw new ConfigError(`Missing environment variable'),
  );
  expect(output).toContain(placeOf('shared/runtime/dependency.ts', 'made.set(needed.name'));
  expect(output).not.toMatch(/sweep\/index\.mjs:\d+:\d+/);
});

it('adds less than a tenth to the zip and nothing to the start', () => {
  const files = readdirSync(bundle.folder);
  const sizeOf = (end: string) =>
    files
      .filter((name) => name.endsWith(end))
      .reduce((sum, name) => sum + statSync(join(bundle.folder, name)).size, 0);
  expect(sizeOf('.mjs.lines')).toBeGreaterThan(0);
  expect(sizeOf('.mjs.lines')).toBeLessThan(sizeOf('.mjs') / 5);
});

it('leaves stack traces of unbundled code unchanged', () => {
  const { stack = '' } = new Error('plain');
  expect(readableStack(stack)).toBe(stack);
  const strange = 'Error: x\n    at /no/such/file.mjs:1:2\n    at <anonymous>';
  expect(readableStack(strange)).toBe(strange);
});

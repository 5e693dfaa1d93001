import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleAll, entriesOf } from '../../../infra/bundle/bundle.ts';
import { filesIn } from './bundle-facts.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
// Their zips have every kind of file, and modules of each plugin.
const entries = entriesOf().filter(({ id }) => ['send', 'listDomains'].includes(id));

let folder: string;
let here: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bytes-'));
  here = join(folder, 'here');
  await bundleAll({ outputFolder: here, entries });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('bundles', () => {
  it('have the same bytes in every output folder and from every checkout', () => {
    const there = join(folder, 'a deeper/folder');
    const checkout = join(folder, 'another checkout');
    for (const part of ['functions', 'shared', 'infra/bundle', 'package.json', 'tsconfig.json'])
      cpSync(join(ROOT, part), join(checkout, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const code = `
      const { bundleAll } = await import(${JSON.stringify(pathToFileURL(join(checkout, 'infra/bundle/bundle.ts')))});
      await bundleAll(${JSON.stringify({ outputFolder: there, entries })});`;
    execFileSync(process.execPath, ['--input-type=module', '-e', code]);
    expect(Object.keys(filesIn(here)).length).toBeGreaterThan(30);
    expect(filesIn(there)).toEqual(filesIn(here));
  });
});

describe('source maps', () => {
  it('name the files of this project from its root', () => {
    const { sources } = JSON.parse(readFileSync(join(here, 'source-maps/route-send/index.mjs.map'), 'utf8'));
    const own = sources.filter((source: string) => !/^(node_modules\/|[a-z-]+:)/.test(source));
    expect(own).toContain('functions/sending/send.ts');
    expect(own.filter((source: string) => !existsSync(join(ROOT, source)))).toEqual([]);
  });
});

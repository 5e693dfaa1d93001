import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startLocalRun } from './support/local-run.ts';
import { HANG_MS } from './support/until.ts';
import { useStarted } from './support/use-started.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CONCEPTS = readdirSync(join(ROOT, 'docs/concepts')).filter((name) => name.endsWith('.md'));
const SETUP = readdirSync(join(ROOT, 'docs/setup')).filter((name) => name.endsWith('.md'));
const GUIDES = readdirSync(join(ROOT, 'docs/migrating')).filter((name) => name.endsWith('.md'));
const PAGES = [
  'README.md',
  'docs/api.md',
  'docs/tutorial.md',
  ...CONCEPTS.map((name) => `docs/concepts/${name}`),
  ...SETUP.map((name) => `docs/setup/${name}`),
  ...GUIDES.map((name) => `docs/migrating/${name}`),
];

const service = useStarted(startLocalRun);
/** The folder in which the blocks write their files. */
const folder = mkdtempSync(join(tmpdir(), 'docs-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the shell blocks of a page that call the service or import, in order. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return blocks.filter(
    (code) =>
      code.includes('curl ') || (page.startsWith('docs/migrating/') && code.includes('npm run import')),
  );
}

/**
 * Runs a block as a reader would paste it. A response that is not a success ends it with curl's exit code 22; a request that
 * a busy local run throttles is repeated.
 */
function paste(block: string, trackingId: string | undefined) {
  const curl = 'curl() { command curl --fail-with-body --retry 100 "$@" && echo; }\nset -e\n';
  const command = `"${process.execPath}" "${join(ROOT, 'scripts/import.ts')}" --url ${service.baseUrl}`;
  const code = block
    .replaceAll('http://localhost:3000', service.baseUrl)
    .replaceAll('npm run import --', command);
  const env = {
    ...process.env,
    NDS_KEY: service.secretKey,
    PUBLIC_KEY: service.publicKey,
    TRACKING_ID: trackingId,
  };
  return spawnSync('bash', ['-c', curl + code], { env, cwd: folder, encoding: 'utf8', timeout: HANG_MS });
}

it.each(PAGES)('%s has requests that succeed, from top to bottom', (page) => {
  const blocks = blocksOf(page);
  expect(blocks.length).toBeGreaterThan(0);
  let trackingId: string | undefined;
  for (const block of blocks) {
    const { status, stdout } = paste(block, trackingId);
    expect({ block, status, stdout }).toMatchObject({ status: 0 });
    trackingId = /"trackingId":"([^"]+)"/.exec(stdout)?.[1] ?? trackingId;
  }
});

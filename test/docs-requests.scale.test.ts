import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { startLocalRun } from './support/local-run.ts';
import { HANG_MS } from './support/until.ts';
import { useStarted } from './support/use-started.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TEXTS = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
]
  .filter((name) => name.endsWith('.md'))
  .toSorted((left, right) => left.split('/').length - right.split('/').length || left.localeCompare(right));
const PAGES = TEXTS.filter((page) => blocksOf(page).length > 0);

const service = useStarted(startLocalRun);
/** The blocks write their files into this folder. */
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
      (code.includes('curl ') && code.includes('http://localhost:3000')) ||
      (page.startsWith('docs/migrating/') && code.includes('npm run import')),
  );
}

/**
 * Runs a block as a reader would paste it. A response that is not a success ends it with curl's exit code 22; a request that
 * a busy local run throttles is repeated.
 */
function paste(block: string, trackingId: string | undefined) {
  const curl = 'curl() { command curl --fail-with-body --retry 100 "$@" && echo; }\nset -e\n';
  const command = `"${process.execPath}" "${join(ROOT, 'import/import.ts')}" --url ${service.baseUrl}`;
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

it('every page on a concept, a set-up or a migration has requests', () => {
  const teaching = TEXTS.filter((page) => /^docs\/(concepts|setup|migrating)\//.test(page));
  expect(teaching.length).toBeGreaterThan(20);
  expect(teaching.filter((page) => !PAGES.includes(page))).toEqual([]);
});

it.each(PAGES)('%s has requests that succeed, from top to bottom', (page) => {
  const blocks = blocksOf(page);
  let trackingId: string | undefined;
  const printed = blocks.map((block) => {
    const { status, stdout } = paste(block, trackingId);
    expect(status, `${block}${stdout}`).toBe(0);
    trackingId = /"trackingId":"([^"]+)"/.exec(stdout)?.[1] ?? trackingId;
    return stdout;
  });
  for (const [request, response] of responsesOf(page)) {
    const lines = (printed[blocks.indexOf(request)] ?? '').split('\n').filter((line) => /^[[{]/.test(line));
    const problems = lines.map((line) => unlike(JSON.parse(response), JSON.parse(line)));
    const [fewest = ['no response']] = problems.toSorted((a, b) => a.length - b.length);
    expect({ response, problems: fewest }).toEqual({ response, problems: [] });
  }
});

it.each(PAGES)('%s shows the response to its first request', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const [first = ''] = blocksOf(page);
  const rest = text.slice(text.indexOf(first) + first.length);
  expect(rest.indexOf('```json\n') >= 0 || rest.indexOf('```text\n') >= 0).toBe(true);
});

/** Each request with the response that directly follows it on the page. */
function responsesOf(page: string): [request: string, response: string][] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const pairs = text.matchAll(/^```sh\n((?:(?!```)[\s\S])*)```\n\n```json\n([\s\S]*?)^```$/gm);
  return [...pairs].map(([, request = '', response = '']) => [request, response]);
}

/** Returns the paths of a response on a page that the real one lacks or has as another kind of value; "…" stands for more. */
function unlike(shown: unknown, real: unknown, path = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(real))
    return shown.flatMap((each, at) => {
      const found = real.map((other) => unlike(each, other, `${path}[${at}]`));
      return found.toSorted((a, b) => a.length - b.length)[0] ?? [`${path}[${at}]`];
    });
  if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null)
    return Object.entries(shown)
      .filter(([name]) => name !== '…')
      .flatMap(([name, each]) => unlike(each, (real as Record<string, unknown>)[name], `${path}.${name}`));
  return typeof shown === typeof real ? [] : [path];
}

const typed = useStarted(startLocalRun);

it(
  'has TypeScript beside the first request of ten pages and more, which runs',
  () => {
    const client = pathToFileURL(join(ROOT, 'client/src/index.ts')).href;
    const snippets = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
        .map(([, code = '']) => code)
        .filter((code) => code.includes('http://localhost:3000'))
        .map((code) => ({ page, code })),
    );
    expect(new Set(snippets.map(({ page }) => page)).size).toBeGreaterThan(10);
    const steps = snippets.map(({ page, code }, at) => {
      const text = code.replace("'notification-delivery-client'", `'${client}'`);
      writeFileSync(join(folder, `snippet-${at}.ts`), text.replace('http://localhost:3000', typed.baseUrl));
      return `console.log(${JSON.stringify(page)});\nawait import('./snippet-${at}.ts');\n`;
    });
    const file = join(folder, 'snippets.ts');
    writeFileSync(file, steps.join(''));
    const env = { ...process.env, NDS_KEY: typed.secretKey };
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      env,
      encoding: 'utf8',
      timeout: HANG_MS,
    });
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  },
  HANG_MS,
);

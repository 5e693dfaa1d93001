import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readGuide } from '../../../../infra/local/reference/guide-pages.ts';
import { guideRoutes } from '../../../../infra/local/reference/guide-routes.ts';

const routes = guideRoutes();

async function get(address: string, method = 'GET') {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const response = await routes({ method, path: pathname, query: searchParams } as never);
  if (!response || 'stream' in response) return undefined;
  return { type: response.headers['content-type'], headers: response.headers, text: response.body };
}

/** Every page that can be reached from the index, by address. */
const pages = new Map<string, string>();
const linksOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);

beforeAll(async () => {
  const waiting = ['/guide'];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) continue;
    const found = await get(address);
    if (!found?.type?.startsWith('text/html')) continue;
    pages.set(address, found.text);
    waiting.push(
      ...linksOf(found.text)
        .map((link) => link.split('#')[0] ?? '')
        .filter((link) => link.startsWith('/guide')),
    );
  }
});

describe('the guide', () => {
  it('reaches every document of docs/ from its index', async () => {
    const { filesBelow } = await import('../../../support/project-files.ts');
    const missing = filesBelow('docs', '.md').filter(
      (file) =>
        !pages.has(`/guide/${file.slice('docs/'.length, -'.md'.length)}`) && file !== 'docs/README.md',
    );
    expect(missing).toEqual([]);
    expect(pages.size).toBeGreaterThan(50);
  });

  it('has no page of a package', () => {
    const root = mkdtempSync(join(tmpdir(), 'guide-'));
    try {
      mkdirSync(join(root, 'examples/node_modules/other'), { recursive: true });
      writeFileSync(join(root, 'examples/node_modules/other/README.md'), '# Other');
      cpSync(new URL('../../../../docs/README.md', import.meta.url), join(root, 'docs/README.md'));
      expect([...readGuide(root).pages.keys()]).toEqual(['/guide']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('leads to existing pages, files and headings only', async () => {
    const problems: string[] = [];
    for (const [address, html] of pages) {
      for (const link of linksOf(html)) {
        if (/^(https?:|mailto:|data:)/.test(link) || ['/', '/docs', '/openapi.json'].includes(link)) continue;
        const [path = '', anchor] = link.startsWith('#') ? [address, link.slice(1)] : link.split('#');
        const target = pages.get(path) ?? (await get(path))?.text;
        if (target === undefined) problems.push(`${address}: ${link}`);
        else if (anchor !== undefined && pages.has(path) && !target.includes(`id="${anchor}"`))
          problems.push(`${address}: ${link}`);
      }
    }
    expect(problems).toEqual([]);
  });

  it('renders tables, code and headings with anchors', () => {
    const html = pages.get('/guide/concepts/users') ?? '';
    expect(html).toContain('<h1 id="users">Users');
    expect(html).toMatch(/<pre tabindex="0"><code>curl /);
    expect(html).toContain('<th>');
    expect(html).toContain('href="/guide/concepts/users" aria-current="page"');
  });

  it('runs no script and loads nothing from elsewhere', async () => {
    const page = await get('/guide');
    expect(page?.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    for (const html of pages.values()) expect(html).not.toMatch(/<script|src="https?:/);
  });

  it.each([
    ['quiet hours', '/guide/concepts/quiet-hours'],
    ['IDEMPOTENCY', '/guide/api'],
    ['unsubscribe link', '/guide/concepts/preferences'],
  ])('finds the sections with the words %s', async (words, address) => {
    const found = await get(`/guide/search?q=${encodeURIComponent(words)}`);
    expect(found?.text).toContain(`<li><a href="${address}#`);
  });

  it('shows what was searched for as text, and says when nothing was found', async () => {
    const found = await get(`/guide/search?q=${encodeURIComponent('"><b>zzz')}`);
    expect(found?.text).not.toContain('<b>zzz');
    expect(found?.text).toContain('No page has all of these words.');
    expect((await get('/guide/search'))?.text).toContain('Enter one or more words.');
  });

  it('serves the Markdown of each page that /llms.txt lists', async () => {
    const list = await get('/llms.txt');
    expect(list?.type).toBe('text/plain; charset=utf-8');
    expect(list?.text).toMatch(/^# .+\n\n> .+\n\n## /);
    const links = [...(list?.text ?? '').matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(
      ([, link = '']) => link,
    );
    expect(links).toContain('/guide/concepts/users.md');
    expect(links).toContain('/guide/tutorial.md');
    for (const link of links) {
      if (link === '/openapi.json') continue;
      const source = await get(link);
      expect(source?.type, link).toBe('text/markdown; charset=utf-8');
      expect(source?.text, link).toMatch(/^# /);
    }
  });

  it('also responds with a trailing slash, and to nothing else', async () => {
    expect((await get('/guide/'))?.text).toBe(pages.get('/guide'));
    expect(await get('/guide/files/package.json')).toBeUndefined();
    expect(await get('/guide/../package.json')).toBeUndefined();
    expect(await get('/guided')).toBeUndefined();
    expect(await get('/guide', 'POST')).toBeUndefined();
  });
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HttpResponse } from '../../../shared/http/endpoint/response.ts';
import type { LocalRoutes } from '../gateway/gateway.ts';
import { guidePage } from './guide-layout.ts';
import { escaped, GUIDE, type Guide, type Page, readGuide } from './guide-pages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RESULTS_MAX = 20;
/** Of the text around the first word that was found. */
const EXCERPT_CHARACTERS = 160;
/** A word in a heading counts more than a word that occurs often. */
const HEADING_SCORE = 10;
const OFTEN = 5;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const;

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', svg: 'image/svg+xml' };

/** The documentation at `/guide`, rendered from the Markdown of this checkout, and `/llms.txt`, which lists its pages. */
export function guideRoutes(root = ROOT): LocalRoutes {
  let read: Guide | undefined;
  return async ({ method, path, query }) => {
    const isGuide = path === GUIDE || path.startsWith(`${GUIDE}/`);
    if (method !== 'GET' || !(isGuide || path === '/llms.txt')) return undefined;
    read ??= readGuide(root);
    const guide = read;
    if (path === '/llms.txt') return response(llmsText(guide), 'text/plain');
    const address = path.replace(/\/$/, '');
    if (address === `${GUIDE}/search`) return searchPage(guide, query.get('q') ?? '');
    const page = guide.pages.get(address);
    if (page) return response(guidePage({ ...page, groups: guide.groups }), 'text/html');
    const source = guide.pages.get(address.replace(/\.md$/, ''));
    if (source) return response(source.markdown, 'text/markdown');
    const file = guide.files.get(address);
    return file === undefined ? undefined : fileResponse(file);
  };
}

function response(body: string, type: string): HttpResponse {
  return { statusCode: 200, headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` }, body };
}

function fileResponse(file: string): HttpResponse {
  const type = TYPES[file.split('.').at(-1) ?? ''];
  const bytes = readFileSync(file);
  if (type === undefined) return response(bytes.toString('utf8'), 'text/plain');
  const headers = { ...HEADERS, 'content-type': type };
  return { statusCode: 200, headers, body: bytes.toString('base64'), isBase64Encoded: true };
}

/** By llmstxt.org: a title, a summary, and lists of Markdown documents with a note each. */
function llmsText({ groups, pages }: Guide): string {
  const lists = groups.map(({ title, entries }) => {
    const lines = entries.map(
      (entry) => `- [${entry.title}](${markdownOf(entry.address)}): ${entry.about.trim()}`,
    );
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const title = pages.get(`${GUIDE}/README`)?.title ?? 'Documentation';
  return `# ${title}\n\n> Sends notifications over seven channels from your own AWS account. The API as a document: /openapi.json\n\n${lists.join('\n')}`;
}

const markdownOf = (address: string) => (address.startsWith(GUIDE) ? `${address}.md` : address);

function searchPage({ pages, groups }: Guide, text: string): HttpResponse {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : search([...pages.values()], words);
  const items = found.map(({ page, section, excerpt }) => {
    const name = section.heading === page.title ? page.title : `${page.title}: ${section.heading}`;
    return `<li><a href="${page.address}#${section.anchor}">${escaped(name)}</a><p>${escaped(excerpt)}</p></li>`;
  });
  const list =
    items.length > 0 ? `<ol class="found">${items.join('')}</ol>` : '<p>No page has all of these words.</p>';
  const html = `<h1>Search</h1>${words.length > 0 ? list : '<p>Enter one or more words.</p>'}`;
  return response(guidePage({ title: 'Search', html, groups, query: text }), 'text/html');
}

/** Returns the sections that contain every word: those with more words in a heading, and more of them, first. */
function search(pages: readonly Page[], words: readonly string[]) {
  const hits = pages.flatMap((page) =>
    page.sections.flatMap((section) => {
      const heading = section.heading.toLowerCase();
      const text = section.text.toLowerCase();
      const all = `${page.title} ${heading} ${text}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) return [];
      const scoreOf = (word: string) =>
        (heading.includes(word) ? HEADING_SCORE : 0) + Math.min(text.split(word).length - 1, OFTEN);
      const score = words.reduce((total, word) => total + scoreOf(word), 0);
      return [{ page, section, excerpt: excerptOf(section.text, text.indexOf(words[0] ?? '')), score }];
    }),
  );
  return hits.sort((a, b) => b.score - a.score).slice(0, RESULTS_MAX);
}

function excerptOf(text: string, at: number): string {
  const start = Math.max(0, text.lastIndexOf(' ', at - EXCERPT_CHARACTERS / 2));
  const end = text.indexOf(' ', start + EXCERPT_CHARACTERS);
  return text.slice(start, end < 0 ? undefined : end).trim();
}

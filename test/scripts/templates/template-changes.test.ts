import { expect, it } from 'vitest';
import type { Api } from '../../../scripts/frame/api.ts';
import { applyChanges, changesBetween, readRemote } from '../../../scripts/templates/template-changes.ts';

/** A service whose list of components has a next page for every page. */
function endless(cursorOf: (page: number) => string): Api {
  let pages = 0;
  const call = async (_: string, path: string) => {
    if (path === '/types') return [];
    pages += 1;
    return { components: [], nextCursor: cursorOf(pages) };
  };
  return { url: 'u', digest: 'd', isLocal: true, call, ask: async () => ({ status: 200, body: {} }) };
}

it.each<[string, (page: number) => string]>([
  ['repeats', () => 'same'],
  ['alternates', (page) => String(page % 2)],
  ['is always another', (page) => String(page)],
])('ends when the next cursor of a hostile service %s', async (_, cursorOf) => {
  await expect(readRemote(endless(cursorOf))).rejects.toThrow('does not end');
});

it.each([
  [
    'templates/comment/EMAIL/default',
    { subject: 'Hi', html: '<p>\r\nHi</p>\r\n' },
    { subject: 'Hi', html: '<p>\nHi</p>\n' },
  ],
  ['translations/de', { a: 'x\r\ny' }, { a: 'x\ny' }],
  ['templates/comment/CHAT/default', { blocks: [{ text: 'x\r\ny' }] }, { blocks: [{ text: 'x\ny' }] }],
])('ignores whether the lines of %s end with CRLF, and uploads LF', (path, crlf, lf) => {
  expect(changesBetween([{ path, value: lf }], [{ path, value: crlf }])).toEqual([]);
  expect(changesBetween([{ path, value: crlf }], [{ path, value: lf }])).toEqual([]);
  expect(changesBetween([], [{ path, value: crlf }])).toEqual([{ kind: 'create', path, after: lf }]);
});

it('clears what a file no longer has, also in options and translations', async () => {
  const calls: unknown[] = [];
  const api = { ...endless(() => ''), call: async (...args: unknown[]) => calls.push(args.slice(0, 3)) };
  const path = 'types/comment';
  const before = {
    title: 'A',
    category: 'B',
    options: { EMAIL: {}, SMS: {} },
    translations: { de: {}, fr: {} },
  };
  const value = { title: 'A', options: { SMS: {} }, translations: { fr: { title: 'C' } } };
  const changes = changesBetween([{ path, value: before }], [{ path, value }]);
  await applyChanges(api, changes, { url: 'u', paths: [path], before: [] }, []);
  const body = {
    title: 'A',
    category: null,
    options: { EMAIL: null, SMS: {} },
    translations: { de: null, fr: { title: 'C' } },
  };
  expect(calls).toEqual([['PATCH', '/types/comment', body]]);
});

it('previews the marketing emails that are there after the changes, and undoes all when one is refused', async () => {
  const calls: string[] = [];
  const call = async (method: string, path: string) => {
    calls.push(`${method} ${path}`);
    if (path.endsWith('/preview'))
      throw new Error('an email of purpose marketing must contain {{ unsubscribe_url }}');
    return path === '/types' ? [] : path === '/translations' ? { translations: [] } : { components: [] };
  };
  const api = { ...endless(() => ''), call };
  const entries = [
    { path: 'types/news', value: { purpose: 'marketing' } },
    { path: 'types/reset', value: {} },
    { path: 'templates/news/EMAIL/default', value: { subject: 'Hi', html: 'h' } },
    { path: 'templates/news/SMS/default', value: { text: 'Hi' } },
    { path: 'templates/reset/EMAIL/default', value: { subject: 'Hi', html: 'h' } },
  ];
  const changes = changesBetween([], entries.slice(4));
  const journal = { url: 'u', paths: ['templates/reset/EMAIL/default'], before: [] };
  await expect(applyChanges(api, changes, journal, entries)).rejects.toThrow('unsubscribe_url');
  const previews = calls.filter((each) => each.endsWith('/preview'));
  expect(previews).toEqual(['POST /notifications/news/EMAIL/templates/preview']);
  expect(calls.slice(-4)).toContain('GET /types');
});

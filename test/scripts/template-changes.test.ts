import { expect, it } from 'vitest';
import type { Api } from '../../scripts/api.ts';
import { changesBetween, readRemote } from '../../scripts/template-changes.ts';

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

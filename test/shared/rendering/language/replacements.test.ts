import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderContent } from '../../../../shared/rendering/content.ts';
import { buildReplace } from '../../../../shared/rendering/language/replacements.ts';
import { openBudget } from '../../../../shared/rendering/liquid/limits.ts';

const replaced = (text: string, replacements: Record<string, string>) =>
  buildReplace(replacements)(text, openBudget());

describe('literal replacement', () => {
  it.each([
    ['Hello NAME, NAME', { NAME: 'Ada' }, 'Hello Ada, Ada'],
    ['Hello name', { NAME: 'Ada' }, 'Hello name'],
    ['a.c abc', { 'a.c': 'x' }, 'x abc'],
    ['x', { x: '$& $1 \\' }, '$& $1 \\'],
    ['ab', { a: 'b', b: 'a' }, 'ba'],
    ['aab', { a: '1', aa: '2', aab: '3' }, '3'],
    ['aaab', { aa: '2', ab: '1' }, '21'],
    ['abc', { '': 'x' }, 'abc'],
    ['abc', { b: '' }, 'ac'],
    ['x__proto__x', { __proto__x: '1' }, 'x1'],
    ['{{ a }}', {}, '{{ a }}'],
  ])('%s with %j is %s', (text, replacements, expected) => {
    expect(replaced(text, replacements)).toBe(expected);
  });

  it('replaces the longest key at its first position, and never what it inserted', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.dictionary(letters, letters, { maxKeys: 6 }), (text, replacements) => {
        expect(replaced(text, replacements)).toBe(reference(text, replacements));
      }),
      { numRuns: 500 },
    );
  });

  it('stops before its output is too large', () => {
    expect(() => replaced('a'.repeat(1_000_000), { a: 'b'.repeat(1000) })).toThrow(
      'more than 2,097,152 characters',
    );
  });

  it('stops when there are too many long keys', () => {
    const keys = Array.from({ length: 500 }, (_, index) => [`${'a'.repeat(1000 + index)}b`, 'x']);
    expect(() => replaced('a'.repeat(1_000_000), Object.fromEntries(keys))).toThrow(
      'too many or too long keys',
    );
  });

  it('follows rendering, in every text of the content', () => {
    const base = {
      user: {},
      parameters: { x: 'KEY' },
      mode: 'instant' as const,
      atMs: 0,
      replace: { KEY: '<v>', '{{ x }}': 'never' },
    };
    const inline = { subject: 'KEY', html: '{{ x }} KEY', previewText: '{{ x }}', senderName: 'KEY' };
    expect(renderContent({ channel: 'EMAIL', inline, ...base })).toMatchObject({
      content: { subject: '<v>', html: '<v> <v>', previewText: '<v>', senderName: '<v>' },
    });
    const chat = { text: 'KEY', blocks: [{ KEY: ['KEY'] }] };
    expect(renderContent({ channel: 'CHAT', inline: chat, ...base })).toMatchObject({
      content: { text: '<v>', blocks: [{ KEY: ['<v>'] }] },
    });
    expect(renderContent({ channel: 'CALL', inline: { message: '{{ x' }, ...base })).toMatchObject({
      ok: false,
    });
  });
});

function reference(text: string, replacements: Record<string, string>): string {
  const keys = Object.keys(replacements)
    .filter(Boolean)
    .sort((a, b) => b.length - a.length);
  let result = '';
  let rest = text;
  while (rest) {
    const key = keys.find((each) => rest.startsWith(each));
    result += key === undefined ? rest.charAt(0) : replacements[key];
    rest = rest.slice(key?.length ?? 1);
  }
  return result;
}

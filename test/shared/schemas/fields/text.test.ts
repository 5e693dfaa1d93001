import * as v from 'valibot';
import { expect, it } from 'vitest';
import { ClampedLimit } from '../../../../shared/schemas/fields/list.ts';
import { Id } from '../../../../shared/schemas/fields/text.ts';

it.each([
  '\u0000',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufffe',
  '\uffff',
  '\ud800',
])('rejects an id with %j, at its end and inside', (character) => {
  for (const id of [character, `a${character}b`, `a${character}`]) expect(v.is(Id, id)).toBe(false);
});

it.each(['a', 'Ünï #%/ ☂', '用户', 'עברית', 'עברית/1', '👩‍💻', 'a\u200db'])('accepts the id %j', (id) => {
  expect(v.is(Id, id)).toBe(true);
});

it.each([
  ['1', 1],
  ['100', 100],
  ['101', 100],
  ['999999999999999', 100],
])('reads the limit %s as %i', (text, expected) => {
  expect(v.parse(ClampedLimit, text)).toBe(expected);
});

it.each(['0', '-1', '1.5', '', 'x', '1e3', '9'.repeat(20)])('rejects the limit %j', (text) => {
  expect(v.is(ClampedLimit, text)).toBe(false);
});

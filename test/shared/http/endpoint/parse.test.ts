import * as v from 'valibot';
import { expect, it } from 'vitest';
import { parsePart } from '../../../../shared/http/endpoint/parse.ts';
import type { Problem } from '../../../../shared/http/problems/problems.ts';

const placesOf = (problems: readonly Problem[]) => problems.map(({ where, must }) => ({ where, must }));

const Body = v.object({
  to: v.object({ id: v.string() }),
  device: v.nullish(v.object({ model: v.optional(v.string()) })),
  parameters: v.optional(v.record(v.string(), v.unknown())),
  tokens: v.optional(v.pipe(v.array(v.object({ token: v.optional(v.string()) })), v.maxLength(3))),
});
const good = { to: { id: 'ada' } };
const MUST = 'must be an object';

it.each<[unknown, Problem[]]>([
  [[], [{ where: 'body', must: MUST }]],
  [{ to: [] }, [{ where: 'body.to', must: MUST }]],
  [{ ...good, device: [] }, [{ where: 'body.device', must: MUST }]],
  [{ ...good, parameters: ['x'] }, [{ where: 'body.parameters', must: MUST }]],
  [{ ...good, tokens: [{}, []] }, [{ where: 'body.tokens[1]', must: MUST }]],
  [
    { to: 7, device: [] },
    [
      { where: 'body.device', must: MUST },
      { where: 'body.to', must: 'must be an object' },
    ],
  ],
])('reports a list in place of an object, once, together with the other problems: %j', (value, expected) => {
  const problems: Problem[] = [];
  expect(parsePart('body', Body, value, problems)).toBeUndefined();
  expect(placesOf(problems)).toEqual(expected);
});

it.each<[unknown, Problem[]]>([
  [7, [{ where: 'body.to', must: 'must be one of text, an object' }]],
  [[], [{ where: 'body.to', must: MUST }]],
  ['ada', []],
  [{ email: 7 }, [{ where: 'body.to.email', must: 'must be text' }]],
  [
    { email: 7, tokens: [{}, { type: 8 }] },
    [
      { where: 'body.to.email', must: 'must be text' },
      { where: 'body.to.tokens[0].type', must: 'is required' },
      { where: 'body.to.tokens[1].type', must: 'must be text' },
    ],
  ],
])('names what is wrong inside an object that may also be a text: %j', (to, expected) => {
  const recipient = v.object({
    email: v.optional(v.string()),
    tokens: v.optional(v.array(v.object({ type: v.string() }))),
  });
  const problems: Problem[] = [];
  parsePart('body', v.object({ to: v.optional(v.union([v.string(), recipient])) }), { to }, problems);
  expect(placesOf(problems)).toEqual(expected);
});

it('names an entry that is one too many', () => {
  const problems: Problem[] = [];
  parsePart('body', v.object({ scope: v.strictTuple([v.string()]) }), { scope: ['a', 'b'] }, problems);
  expect(placesOf(problems)).toEqual([{ where: 'body.scope[1]', must: 'is not allowed here' }]);
});

it.each([
  ['', 'must not be empty'],
  ['abcde', 'must have at most 4 characters'],
  [[], 'must have at least 2 entries'],
  [[1, 2, 3, 4, 5], 'must have at most 4 entries'],
])('names the limit of a length in its own unit: %j', (value, must) => {
  const text = v.pipe(v.string(), v.minLength(1), v.maxLength(4));
  const list = v.pipe(v.array(v.number()), v.minLength(2), v.maxLength(4));
  const problems: Problem[] = [];
  parsePart('body', v.object({ value: typeof value === 'string' ? text : list }), { value }, problems);
  expect(placesOf(problems)).toEqual([{ where: 'body.value', must }]);
});

it.each([good, { ...good, device: null, parameters: { list: [] }, tokens: [] }, { ...good, tokens: [{}] }])(
  'takes lists where lists belong: %j',
  (value) => {
    const problems: Problem[] = [];
    expect(parsePart('body', Body, value, problems)).toEqual(value);
    expect(problems).toEqual([]);
  },
);

it.each<[string, string]>([
  ['greeting', 'body.greeting'],
  ['cart.items', 'body["cart.items"]'],
  ['Größe "XL"', 'body["Größe \\"XL\\""]'],
  ['\u202egnp', 'body.*'],
  ['x'.repeat(81), 'body.*'],
])('names the key of a map whose value is wrong: %j', (key, where) => {
  const problems: Problem[] = [];
  parsePart('body', v.record(v.string(), v.string()), { [key]: 7 }, problems);
  expect(placesOf(problems)).toEqual([{ where, must: 'must be text' }]);
});

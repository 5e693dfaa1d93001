import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parsePart } from '../../../../shared/http/endpoint/parse.ts';
import { findNearestName } from '../../../../shared/http/problems/nearest-name.ts';
import { assertNoProblems, type Problem } from '../../../../shared/http/problems/problems.ts';
import type { AnySchema } from '../../../../shared/schemas/fields/any-schema.ts';
import { openObject } from '../../../../shared/schemas/fields/open.ts';
import { FreeForm } from '../../../../shared/schemas/fields/text.ts';

const Body = v.object({
  email: v.optional(v.string()),
  forceChannels: v.optional(v.array(v.string())),
  to: v.optional(v.union([v.string(), v.object({ email: v.string() })])),
  options: v.optional(v.object({ email: v.optional(v.object({ condition: v.optional(v.string()) })) })),
  tokens: v.optional(v.array(v.object({ token: v.string() }))),
  device: v.optional(openObject({ model: v.optional(v.string()) })),
  parameters: v.optional(FreeForm),
  texts: v.optional(v.record(v.string(), v.string())),
  size: v.optional(v.number()),
});

function problemsOf(part: string, schema: AnySchema, value: unknown): string[] {
  const problems: Problem[] = [];
  parsePart(part, schema, value, problems);
  return problems.map(({ where, must }) => `${where} ${must}`);
}

it.each(['__proto__', 'constructor', 'prototype'])(
  'reports the key %s of a map, which would be dropped',
  (key) => {
    const body = JSON.parse(`{"texts": {"${key}": "a text", "title": "another"}}`);
    expect(problemsOf('body', Body, body)).toEqual([`body.texts.${key} is a reserved name; rename this key`]);
  },
);

describe('unknown fields', () => {
  it.each([
    [{ emial: 'x' }, 'body.emial is not a field: did you mean email?'],
    [{ forcechannels: [] }, 'body.forcechannels is not a field: did you mean forceChannels?'],
    [{ to: { mail: 'x', email: 'y' } }, 'body.to.mail is not a field: did you mean email?'],
    [{ options: { emial: {} } }, 'body.options.emial is not a field: did you mean email?'],
    [
      { options: { email: { conditon: '' } } },
      'body.options.email.conditon is not a field: did you mean condition?',
    ],
    [
      { tokens: [{ token: 'a' }, { token: 'b', tokn: 1 }] },
      'body.tokens[1].tokn is not a field: did you mean token?',
    ],
    [{ webhook: 1 }, 'body.webhook is not a field'],
    [JSON.parse('{"__proto__": 1}'), 'body.__proto__ is not a field'],
    [{ constructor: 1 }, 'body.constructor is not a field'],
  ])('appear with the nearest name: %j', (value, expected) => {
    expect(problemsOf('body', Body, value)).toEqual([expected]);
  });

  it('appear as parameters in a query', () => {
    expect(problemsOf('query', v.object({ dryRun: v.optional(v.string()) }), { dryrun: 'true' })).toEqual([
      'query.dryrun is not a parameter: did you mean dryRun?',
    ]);
  });

  it('drops unknown fields where another party defines the shape', () => {
    const value = { device: { model: 'x', os: 'y' }, parameters: { emial: 1 } };
    const problems: Problem[] = [];
    expect(parsePart('body', Body, value, problems)).toEqual({
      device: { model: 'x' },
      parameters: { emial: 1 },
    });
    expect(problems).toEqual([]);
  });

  it('appear together with problems of other kinds', () => {
    const value = { emial: 'x', size: 'big', to: { email: 7 }, tokens: [[]] };
    expect(problemsOf('body', Body, value).sort()).toEqual([
      'body.emial is not a field: did you mean email?',
      'body.size must be a number',
      'body.to.email must be text',
      'body.tokens[0] must be an object',
    ]);
  });

  it.each(['\u001b[31m', 'a b', '<script>', 'é', 'x'.repeat(41), '\u202egnp'])(
    'keep their unusual names out of the response: %j',
    (name) => {
      expect(problemsOf('body', Body, { [name]: 1 })).toEqual(['body.* is not a field']);
    },
  );
});

describe('numbers', () => {
  const must =
    'from -9007199254740991 to 9007199254740991, not closer to 0 than 1e-130; send others as strings';

  it.each(['1e400', '-1e400', '9007199254740993', '1e-200'])(
    'fail when they cannot be stored: %s',
    (text) => {
      const parsed = JSON.parse(`{"size":${text},"parameters":{"a":[{"b":${text}}]},"device":{"x":1}}`);
      expect(problemsOf('body', Body, parsed)).toEqual([
        `body.size must be a number ${must}`,
        `body.parameters must have only numbers ${must}`,
      ]);
    },
  );

  it.each(['0', '-0', '0.1', '-12.5', '9007199254740991', '1e-100'])('pass: %s', (text) => {
    expect(problemsOf('body', Body, JSON.parse(`{"size":${text},"parameters":{"a":${text}}}`))).toEqual([]);
  });
});

describe('an error', () => {
  const messageOf = (value: unknown) => {
    const problems: Problem[] = [];
    parsePart('body', Body, value, problems);
    try {
      assertNoProblems(problems);
    } catch (error) {
      return error instanceof Error ? error.message : undefined;
    }
    return undefined;
  };

  it('ends with the suggested name when there is one', () => {
    expect(messageOf({ emial: 1 })).toBe('body.emial is not a field: did you mean email?');
    expect(messageOf({ size: '1' })).toBe('body.size must be a number.');
  });

  it('reports twenty problems and states that there are more', () => {
    const message = messageOf({ tokens: Array.from({ length: 200_000 }, () => []) }) ?? '';
    expect(message.split('; ')).toHaveLength(21);
    expect(message).toMatch(/; and more\.$/);
  });

  it('stops reading a list with too many invalid entries', () => {
    let parsed = 0;
    const counted = v.pipe(
      v.string(),
      v.check(() => ++parsed < 0, 'must be something else'),
    );
    const entries = Array.from({ length: 100_000 }, () => 'x');
    expect(problemsOf('body', v.array(counted), entries).length).toBeGreaterThan(20);
    expect(parsed).toBeLessThan(1000);
  });
});

describe('findNearestName', () => {
  const long = 'order_shipped_'.repeat(9);
  const known = ['email', 'number', 'pushTokens', 'webPushTokens', 'id', 'sms', `${long}today`];

  it.each([
    ['emial', 'email'],
    ['mail', 'email'],
    ['EMAIL', 'email'],
    ['pushtokens', 'pushTokens'],
    ['webPushToken', 'webPushTokens'],
    ['ID', 'id'],
    ['sns', 'sms'],
    ['name', undefined],
    ['x', undefined],
    ['phone', undefined],
    ['e'.repeat(41), undefined],
    ['ｅｍａｉｌ', 'email'],
    [`${long}tody`, `${long}today`],
    [`${long.slice(1)}Today`, `${long}today`],
    [`${long}the_day_before_today`, undefined],
  ])('%s -> %s', (name, expected) => {
    expect(findNearestName(name, known)).toBe(expected);
  });
});

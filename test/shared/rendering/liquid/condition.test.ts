import { describe, expect, it } from 'vitest';
import { checkCondition, evaluateCondition } from '../../../../shared/rendering/liquid/condition.ts';

const VARIABLES = {
  plan: 'pro',
  count: 3,
  zero: 0,
  off: false,
  on: true,
  word: ' No ',
  empty: '',
  list: ['a', 'b'],
  none: [],
  user: { email: 'ada@example.com' },
};

describe('condition', () => {
  it.each([
    ...['true', 'yes_please == nil', '1', '"yes"', 'plan', 'count', 'on', 'list', 'user'],
    ...[
      'plan == "pro"',
      'count > 2 and on',
      'off or on',
      'list contains "a"',
      'user.email contains "@example"',
    ],
    ...[
      '{{ plan }}',
      '{% if count > 2 %}send{% endif %}',
      '{{ count | minus: 2 }}',
      ' {{ on }} ',
      'x{{ empty }}',
    ],
  ])('%s is met', (condition) => {
    expect(evaluateCondition(condition, VARIABLES, 0)).toEqual({ ok: true, value: true });
  });

  it.each([
    ...[
      '',
      '  ',
      'false',
      'FALSE',
      '0',
      'no',
      ' No\n',
      '"no"',
      'missing',
      'zero',
      'off',
      'word',
      'empty',
      'none',
    ],
    ...['plan == "free"', 'count > 3', 'on and off', 'list contains "c"', 'missing.deeper', 'nil'],
    ...[
      '{{ zero }}',
      '{{ off }}',
      '{{ word }}',
      '{{ missing }}',
      '{% if off %}send{% endif %}',
      ' {{ empty }} ',
    ],
    ...['{% if plan == "pro" %}no{% endif %}', '{{ count | minus: 3 }}'],
  ])('%s is not met', (condition) => {
    expect(evaluateCondition(condition, VARIABLES, 0)).toEqual({ ok: true, value: false });
  });

  it.each([
    ['{% if plan %}', 'the tag "if" is not closed (line 1, column 1)'],
    ['plan | shout', 'there is no filter "shout" (line 1, column 1)'],
    ['plan %}x{% endif', 'the tag "endif" is not closed'],
    ['plan }} yes', 'the condition closes a tag that it does not open'],
    ['plan %} yes', 'the condition closes a tag that it does not open'],
    ["{% include 'x' %}", 'include is not available'],
    ['(1..1000000000)', 'a range has more than 100,000 numbers'],
  ])('%s is a problem', (condition, problem) => {
    expect(evaluateCondition(condition, VARIABLES, 0)).toEqual({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });
});

describe('a condition whose operator lacks a value', () => {
  it.each(['plan ==', '== "pro"', 'on and', 'or', 'count > ', 'list contains', 'contains "a" | upcase'])(
    '%j is invalid',
    (condition) => {
      expect(checkCondition(condition)).toMatch(
        /^the operator ".+" needs a value on each side \(line 1, column \d+\)$/,
      );
    },
  );

  it.each(['plan == " and "', '"or" == plan', 'plan contains "x | and"', 'on and off', 'order', 'brand'])(
    'must not be %j',
    (condition) => {
      expect(checkCondition(condition)).toBeUndefined();
    },
  );
});

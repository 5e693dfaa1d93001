import { describe, expect, it } from 'vitest';
import { type Budget, openBudget } from '../../../shared/rendering/liquid/limits.ts';
import { checkSyntax, renderLiquid } from '../../../shared/rendering/liquid/liquid.ts';
import { mayFailByValues } from '../../../shared/rendering/syntax/tags.ts';

const TOO_MANY_STEPS = /^rendering takes more than 3,000,000 steps/;
const TOO_MUCH_MEMORY = /^filters and captures make more than 10,000,000 characters and list entries/;
const TOO_MUCH_OUTPUT = /^the content has more than 2,097,152 characters/;

function problemOf(
  source: string,
  variables: Record<string, unknown> = {},
  limits: Partial<Budget> = {},
): string {
  // Without the deadline, so that the other limits decide however busy the machine is.
  const budget = openBudget({ deadlineMs: Number.POSITIVE_INFINITY, ...limits });
  const rendered = renderLiquid(source, variables, { as: 'plain', atMs: 0, budget });
  return rendered.ok ? `rendered ${rendered.text.length} characters` : rendered.problem;
}

const times = (count: number, body: string) => `{% for i in (1..${count}) %}${body}{% endfor %}`;
const LIST = '{% assign a = "x" | split: "," %}';

describe('endless templates are stopped', () => {
  it.each([
    ['nested loops without a body', times(99_999, times(99_999, ''))],
    ['nested loops with a body', times(99_999, times(99_999, '{% assign x = i | plus: 1 %}'))],
    ['loops in captures', `{% capture c %}${times(99_999, times(99_999, ''))}{% endcapture %}`],
  ])('%s', (_name, source) => {
    expect(problemOf(source, {}, { stepsLeft: 100_000 })).toMatch(TOO_MANY_STEPS);
  });

  it('three million steps are the limit of a content', () => {
    expect(problemOf(times(99_999, times(99_999, '')))).toMatch(TOO_MANY_STEPS);
  });

  it('filters in a loop are stopped', () => {
    const l = Array.from({ length: 1000 }, () => ({ a: 1 }));
    const source = times(99_999, '{{ l | where: "a" | map: "a" | size }}');
    expect(problemOf(source, { l })).toMatch(TOO_MUCH_MEMORY);
  });

  it('a comparison of long equal lists is stopped', () => {
    const grow = '{% assign a = a | push: a %}{% assign b = b | push: b %}';
    const source = `${LIST}{% assign b = "x" | split: "," %}${times(18, grow)}`;
    expect(problemOf(`${source}{% case a %}${'{% when b %}equal'.repeat(9)}{% endcase %}`)).toMatch(
      TOO_MANY_STEPS,
    );
    expect(problemOf(`${source}${times(999, '{% if a == b %}{% endif %}')}`)).toMatch(/more than/);
  });

  it('work of any kind is stopped at the deadline', () => {
    const budget = { ...openBudget(), deadlineMs: performance.now() - 1 };
    const rendered = renderLiquid('{{ a }}', {}, { as: 'plain', atMs: 0, budget });
    expect(rendered).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^rendering takes longer than 2 s/),
    });
  });
});

describe('ranges', () => {
  it.each(['(1..1000000000)', '(0..100000)', '(low..high)', '(-1000000..1)'])('rejects %s', (range) => {
    const problem = /^a range has more than 100,000 numbers/;
    expect(problemOf(`{% for i in ${range} %}x{% endfor %}`, { low: 5, high: '1e9' })).toMatch(problem);
    expect(problemOf(`{% assign r = ${range} %}`, { low: 5, high: '1e9' })).toMatch(problem);
  });

  it.each([
    '{% for i in (100000000000000000..100000000000000020) %}x{% endfor %}',
    '{% assign r = (low..high) | size %}',
    '{% tablerow i in (low..high) %}x{% endtablerow %}',
    '{{ list | group_by: "x[(100000000000000000..100000000000000020)]" }}',
    '{{ list | group_by: path }}',
  ])('rejects to count where numbers have no next one: %s', (source) => {
    const variables = {
      low: 1e17,
      high: 1e17 + 20,
      list: [{ x: 1 }],
      path: 'x[(100000000000000000..100000000000000020)]',
    };
    expect(problemOf(source, variables)).toMatch(/^a range ends beyond the largest integer/);
  });

  it('accepts the largest allowed range, and counts a word as 0', () => {
    expect(problemOf('{{ (1..100000) | size }}')).toBe('rendered 6 characters');
    expect(problemOf('{% for i in (word..3) %}x{% endfor %}', { word: 'a' })).toBe('rendered 4 characters');
  });
});

describe('growing values are stopped before they are created', () => {
  const variables = {
    s: 'é'.repeat(100_000),
    l: [{ ['k'.repeat(100_000)]: 1 }],
    t: [`${'a'.repeat(100_000)}b`, `${'a'.repeat(100_000)}c`],
    n: Array.from({ length: 10_000 }, () => 1),
    many: Array.from({ length: 100_000 }, (_, index) => `text ${index}`),
    long: 'a'.repeat(1_000_000),
    sought: `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`,
  };
  it.each([
    ['append', `{% assign s = "x" %}${times(99, '{% assign s = s | append: s %}')}`],
    ['prepend', `{% assign s = "x" %}${times(99, '{% assign s = s | prepend: s %}')}`],
    ['capture', `{% assign s = "x" %}${times(99, '{% capture s %}{{ s }}{{ s }}{% endcapture %}')}`],
    ['replace', `{% assign s = "aaaaaaaaaa" %}${times(20, '{% assign s = s | replace: "a", s %}')}`],
    ['escape', `{% assign s = "&" %}${times(9999, '{% assign s = s | escape %}')}`],
    ['url_encode', `${times(999, '{% assign s = s | url_encode %}')}`],
    ['concat', `${LIST}${times(99, '{% assign a = a | concat: a %}')}`],
    ['push', `${LIST}${times(40, '{% assign a = a | push: a %}')}{{ a }}`],
    ['join', `${LIST}${times(22, '{% assign a = a | concat: a %}')}{{ a | join: s }}`],
    ['date padding', '{{ "now" | date: "%999999999Y" }}'],
    ['nanoseconds', '{{ "now" | date: "%999999999N" }}'],
    ['json of a shared object', `${times(14, '{% assign l = l | concat: l %}')}{{ l | json }}`],
    ['sort of long texts', `${times(16, '{% assign t = t | concat: t %}')}{{ t | sort_natural }}`],
    ['sort of many texts', '{{ many | sort }}'],
    ['group_by', `${times(99, '{% assign l = l | concat: l | group_by: "x" | map: "items" %}')}{{ l }}`],
    ['comparisons of long lists', `{% if n > n${' and n > n'.repeat(9000)} %}{% endif %}`],
    ['searching a long text for a long text', '{{ long | split: sought | size }}'],
    ['containing a long text', '{% if long contains sought %}{% endif %}'],
  ])('%s', (_name, source) => {
    const problem = problemOf(source, variables, { memoryUnitsLeft: 1_000_000 });
    expect(problem).toMatch(/^(filters and captures make|a value is nested) more than/);
  });

  it('comparing pairs of large objects is stopped', () => {
    const o = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    const loops = '{% for a in o %}'.repeat(9) + '{% endfor %}'.repeat(9);
    expect(problemOf(loops, { o })).toMatch(TOO_MUCH_MEMORY);
  });

  it('a date format with a very long result is stopped', () => {
    expect(problemOf('{{ 0 | date: f }}', { f: '%c'.repeat(200_000) })).toMatch(
      /^the format of "date" is over 200/,
    );
  });

  it('output that grows too large is stopped', () => {
    expect(problemOf(times(99_999, 'x'.repeat(50)))).toMatch(TOO_MUCH_OUTPUT);
    expect(problemOf(times(9999, '{{ s }}'), { s: 'x'.repeat(500) })).toMatch(TOO_MUCH_OUTPUT);
    expect(problemOf(times(9999, '{{ s }}'), { s: Array(500).fill('x') })).toMatch(TOO_MUCH_OUTPUT);
  });
});

describe('templates that are hard to parse are rejected', () => {
  it.each([
    ['many merge tags', '{{a}}'.repeat(10_001), /^a template has more than 10,000 tags/],
    [
      'many lines of a liquid tag',
      `{% liquid\n${'echo a\n'.repeat(10_001)}%}`,
      /^a template has more than 10,000 tags/,
    ],
    ['tags nested very deeply', '{% if a %}'.repeat(9000), /nested too deeply|not closed/],
    [
      'loops nested very deeply',
      `${'{% for i in (1..1) %}'.repeat(200)}${'{% endfor %}'.repeat(200)}`,
      /^loops are nested more than 100 levels/,
    ],
    ['names nested very deeply', `{{ ${'a['.repeat(99_999)}1${']'.repeat(99_999)} }}`, /nested too deeply/],
  ])('%s', (_name, source, problem) => {
    expect(problemOf(source)).toMatch(problem);
  });

  it('the largest allowed number of tags is rendered', () => {
    expect(problemOf('{{a}}'.repeat(10_000), { a: 1 })).toBe('rendered 10000 characters');
  });
});

describe('checked content that fails for no small value is rendered', () => {
  const quotes = `{{ "}}" | append: a }}`;
  const growing: Record<string, (count: number) => string> = {
    outputs: (count) => '{{ a }}'.repeat(count),
    texts: (count) => quotes.repeat(count),
    escapes: (count) => `{{ a${' | escape'.repeat(count)} }}`,
    breaks: (count) => `{{ a${' | newline_to_br | escape | url_encode'.repeat(count)} }}`,
    copies: (count) => `{{ a${' | append: a'.repeat(count)}${' | escape'.repeat(count)} }}`,
    comparisons: (count) => '{% if list == same %}{% endif %}'.repeat(count),
    operands: (count) => `{% if a${' and list.first.first'.repeat(count)} %}x{% endif %}`,
    literals: (count) => `{{ a | append: "${'&'.repeat(count)}"${' | escape'.repeat(count)} }}`,
  };
  it.each(Object.entries(growing))('%s', (_name, templateOf) => {
    const seen = new Set<boolean>();
    for (const count of [1, 3, 10, 30, 100, 300, 1000]) {
      for (const length of [1, 30, 1000, 30_000, 290_000]) {
        const list = Array.from({ length: Math.ceil(length / 4) }, () => 1);
        const values = { a: '&\n'.repeat(length / 2), list, same: [...list] };
        const source = templateOf(count);
        const mayFail = checkSyntax(source) !== undefined || mayFailByValues({ source }, values);
        seen.add(mayFail);
        if (!mayFail) expect(problemOf(source, values), `${count} of ${length}`).toMatch(/^rendered/);
      }
    }
    expect(seen).toEqual(new Set([true, false]));
  });
});

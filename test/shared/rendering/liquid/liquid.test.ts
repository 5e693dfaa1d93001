import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSyntax, renderLiquid } from '../../../../shared/rendering/liquid/liquid.ts';

const html = (source: string, variables: Record<string, unknown> = {}) =>
  renderLiquid(source, variables, { as: 'html', atMs: Date.UTC(2026, 1, 28, 13, 5) });
const plain = (source: string, variables: Record<string, unknown> = {}) =>
  renderLiquid(source, variables, { as: 'plain', atMs: Date.UTC(2026, 1, 28, 13, 5) });
const text = (value: string) => ({ ok: true, text: value, notes: [] });

describe('variables', () => {
  it.each([
    ['{{ name }}', 'Ada'],
    ['{{ user.email }}', 'ada@example.com'],
    ['{{ list[1] }}{{ list.first }}{{ list.last }}{{ list[-1] }}', '2133'],
    ['{{ list.size }}{{ name.size }}{{ user.size }}', '331'],
    ['{{ list }}', '123'],
    ['{{ user }}', '{"email":"ada@example.com"}'],
    ['{{ user["email"] }}', 'ada@example.com'],
    ['{{ yes }} {{ zero }} {{ price }}', 'true 0 1.5'],
  ])('%s renders %s', (source, expected) => {
    expect(plain(source, VARIABLES)).toEqual(text(expected));
  });

  it.each([
    '{{ missing }}',
    '{{ missing.deeper.still }}',
    '{{ list[9] }}',
    '{{ nothing }}',
    '{{ name.first }}',
  ])('%s renders empty', (source) => {
    expect(plain(`[${source}]`, VARIABLES)).toEqual(text('[]'));
  });

  it('renders control tags', () => {
    const source =
      '{% if zero == 0 %}a{% endif %}{% unless yes %}b{% endunless %}{% case name %}{% when "Ada" %}c{% endcase %}' +
      '{% for n in (1..3) %}{{ n }}{% if forloop.last %}.{% endif %}{% endfor %}{% assign x = "d" %}{{ x }}' +
      '{% capture y %}<{{ x }}>{% endcapture %}{{ y }}{% raw %}{{ z }}{% endraw %}{% comment %}e{% endcomment %}';
    expect(plain(source, VARIABLES)).toEqual(text('ac123.d<d>{{ z }}'));
  });

  it('renders now as the given time, in UTC or the requested timezone', () => {
    expect(
      plain(
        '{{ "now" | date: "%F %H:%M" }} {{ "now" | date: "%H:%M", "America/New_York" }}'.replace(
          '%F',
          '%Y-%m-%d',
        ),
      ),
    ).toEqual(text('2026-02-28 13:05 08:05'));
  });

  it('renders a date in UTC when its timezone does not exist', () => {
    expect(plain('{{ "2026-01-02T03:04:05Z" | date: "%H:%M", zone }}', { zone: 'Nowhere/Land' })).toEqual(
      text('03:04'),
    );
  });

  it.each(['url_encode', 'url_decode', 'cgi_escape', 'uri_escape', 'base64_decode'])(
    'passes a value that %s cannot read through',
    (filter) => {
      const rendered = plain(`{{ value | ${filter} }}`, { value: '%\ud800%' });
      expect(rendered.ok).toBe(true);
    },
  );

  it('leaves the variables unchanged', () => {
    const variables = { count: 1, list: [2, 1] };
    plain(
      '{% increment count %}{% assign list = list | sort %}{% capture count %}x{% endcapture %}',
      variables,
    );
    expect(variables).toEqual({ count: 1, list: [2, 1] });
  });
});

describe('checkSyntax', () => {
  it.each(['', 'Hello', '{{ name }}', '{% if a %}b{% endif %}', "{% component 'footer' %}", '} } % {'])(
    'accepts %j',
    (source) => {
      expect(checkSyntax(source)).toBeUndefined();
    },
  );

  it.each([
    ['{% for i in list %}', 'the tag "for" is not closed (line 1, column 1)'],
    ['a\n {% if a %}', 'the tag "if" is not closed (line 2, column 2)'],
    ['{% if secret', 'the tag "if" is not closed (line 1, column 1)'],
    ['{{ secret', 'a merge tag is not closed (line 1, column 1)'],
    ['{% raw %}{{ secret }}', 'the tag "raw" is not closed (line 1, column 10)'],
    ['{{ }}', 'the Liquid syntax is not valid (line 1, column 4)'],
    ['{{ name | shout }}', 'there is no filter "shout" (line 1, column 1)'],
    ['{% frobnicate %}', 'there is no tag "frobnicate" here (line 1, column 1)'],
    ['{% endif %}', 'there is no tag "endif" here (line 1, column 1)'],
  ])('rejects %j: %s', (source, problem) => {
    expect(checkSyntax(source)).toBe(problem);
    expect(html(source)).toEqual({ ok: false, problem });
  });

  it.each([
    ["{{ price | money: 'EURO' }}", /"money" needs a currency .* \(line 1, column 1\)$/],
    ['a\n{{ n | plus: 1 | divided_by: 0 }}', /"divided_by" divides by zero \(line 2, column 1\)$/],
    ['{% assign x = n | modulo: 0 %}', /"modulo" divides by zero \(line 1, column 1\)$/],
    [
      "{% if a %}{% for b in c %}{{ b | datetime: date: 'tiny' }}{% endfor %}{% endif %}",
      /"datetime" accepts a style/,
    ],
    ["{{ n | number: 'words' }}", /"number" accepts the number of decimals/],
    ['{% for i in (1..1000000) %}{% endfor %}', /a range has more than 100,000 numbers/],
    ['{% if (1..1000000) contains 5 %}{% endif %}', /a range has more than 100,000 numbers/],
    [`{{ at | date: "${'%c'.repeat(150)}" }}`, /the format of "date" is over 200 characters/],
  ])('rejects what no variable can make renderable: %s', (source, problem) => {
    expect(checkSyntax(source, 'plain')).toMatch(problem);
  });

  it.each([
    '{{ price | money: currency }}',
    '{{ a | divided_by: b }}',
    '{{ a | divided_by: 2.5 | round }}',
    "{{ 'x' | date: '%Y' }}",
    "{{ list | map: 'a' | concat: other | join: ', ' }}",
    "{{ 'a,b' | split: ',' | last }}",
    "{{ 'none' | t: count: 0 }}",
    '{% for i in (1..count) %}{{ i }}{% endfor %}',
    '{{ x | default: allow_false: true, 0 }}',
    "{{ 'now' | date: '%s' | minus: 5 }}",
    '{{ nil | money: "EUR" }}{{ true | times: 2 }}',
  ])('accepts what a variable may make renderable: %s', (source) => {
    expect(checkSyntax(source, 'plain')).toBeUndefined();
  });

  it.each(['include', 'render', 'layout', 'block'])('rejects the tag %s and names the one to use', (tag) => {
    for (const source of [`{% ${tag} 'package.json' %}`, `{% ${tag} file %}`, `{% liquid\n${tag} "x"\n%}`]) {
      expect(checkSyntax(source)).toMatch(new RegExp(`^${tag} is not available; use \\{% component %\\}`));
    }
  });

  it('rejects a template over 1 MB, with and without tags', () => {
    expect(checkSyntax('x'.repeat(1024 * 1024))).toBeUndefined();
    expect(checkSyntax(`x${'x'.repeat(1024 * 1024)}`)).toBe('a template is over 1 MB');
    expect(checkSyntax('é'.repeat(600 * 1024))).toBe('a template is over 1 MB');
    expect(checkSyntax(`{{ a }}${'x'.repeat(1024 * 1024)}`)).toBe('a template is over 1 MB');
  });
});

describe('any template', () => {
  const fragment = fc.constantFrom(
    ...[
      '{{',
      '}}',
      '{%',
      '%}',
      '{{-',
      '-%}',
      ' ',
      '\n',
      '"',
      "'",
      '|',
      ':',
      ',',
      '.',
      '..',
      '(',
      ')',
      '[',
      ']',
      '1',
      '-',
    ],
    ...[
      'if ',
      'endif',
      'for i in ',
      'endfor',
      'assign x = ',
      'capture x',
      'endcapture',
      'raw',
      'endraw',
      'liquid ',
    ],
    ...[
      'case ',
      'when ',
      'else',
      'cycle ',
      'tablerow i in ',
      'component ',
      'increment x',
      'contains',
      '==',
      'and ',
    ],
    ...[
      'name',
      'list',
      'user.x',
      'forloop.index',
      '__proto__',
      'constructor',
      'where',
      'date',
      'json',
      'sort',
      'slice',
    ],
  );
  const source = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''));

  it('returns a text, or a problem that contains no value', () => {
    fc.assert(
      fc.property(source, (template) => {
        const variables = { name: 'SECRET<1>', list: ['SECRET<2>'], user: { x: 'SECRET<3>' } };
        const rendered = html(template, variables);
        if (rendered.ok) expect(rendered.text).not.toContain('SECRET<');
        else expect(rendered.problem).not.toContain('SECRET');
      }),
      { numRuns: 500 },
    );
  });
});

const VARIABLES = {
  name: 'Ada',
  user: { email: 'ada@example.com' },
  list: [1, 2, 3],
  yes: true,
  zero: 0,
  price: 1.5,
  nothing: null,
};

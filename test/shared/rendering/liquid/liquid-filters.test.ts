import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderContent } from '../../../../shared/rendering/content.ts';
import { ARGUMENT_COUNTS } from '../../../../shared/rendering/filters/argument-counts.ts';
import { FILTERS } from '../../../../shared/rendering/filters/filters.ts';
import { checkSyntax, renderLiquid } from '../../../../shared/rendering/liquid/liquid.ts';

const AT_MS = Date.UTC(2026, 1, 28, 13, 5);
const rendered = (as: 'html' | 'plain', source: string, variables: Record<string, unknown> = {}) => {
  const result = renderLiquid(source, variables, { as, atMs: AT_MS });
  return result.ok ? result.text : `problem: ${result.problem}`;
};
const plain = (source: string, variables?: Record<string, unknown>) => rendered('plain', source, variables);
const html = (source: string, variables?: Record<string, unknown>) => rendered('html', source, variables);

describe('arithmetic', () => {
  it.each([
    ['19.9 | times: 3', '59.7'],
    ['0.1 | plus: 0.2', '0.3'],
    ['10.1 | minus: 2.2', '7.9'],
    ['1000000.1 | minus: 1000000', '0.1'],
    ['10.1 | modulo: 7.0', '3.1'],
    ['-7 | modulo: 3', '2'],
    ['1.005 | round: 2', '1.01'],
    ['-2.5 | round', '-3'],
    ['1250 | round: -2', '1300'],
    ['"4.35" | times: 100', '435'],
    ['7 | divided_by: 2', '3'],
    ['-7 | divided_by: 2', '-4'],
    ['7 | divided_by: 2.0', '3.5'],
    ['"7" | divided_by: "2"', '3'],
    ['1999 | divided_by: 100.0', '19.99'],
    ['7 | times: 1.0 | divided_by: 2', '3.5'],
    ['2 | divided_by: 3.0', '0.666666666666667'],
    ['9007199254740991 | plus: 0', '9007199254740991'],
    ['missing | plus: 2', '2'],
    ['"12 apples" | plus: 1', '13'],
    ['-1.5 | abs', '1.5'],
    ['1.2 | ceil', '2'],
    ['4 | at_least: 5.5', '5.5'],
    ['prices | sum', '0.6'],
    ['items | sum: "price"', '59.7'],
    ['nested | sum', '6'],
  ])('{{ %s }} is %s', (expression, expected) => {
    const variables = {
      prices: [0.1, 0.2, 0.3],
      items: [{ price: 19.9 }, { price: 19.9 }, { price: '19.9' }, {}],
      nested: [1, [2, [3]]],
    };
    expect(plain(`{{ ${expression} }}`, variables)).toBe(expected);
  });

  it.each(['divided_by', 'modulo'])('%s by zero is a problem of the template', (filter) => {
    for (const zero of ['0', '0.0', 'missing', '"none"']) {
      expect(plain(`{{ 10 | ${filter}: ${zero} }}`)).toBe(
        `problem: the filter "${filter}" divides by zero (line 1, column 1)`,
      );
    }
  });

  it('computes amounts as decimals do', () => {
    const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const sum = plain('{{ a | plus: b }} {{ a | minus: b }}', { a: a / 100, b: b / 100 });
        expect(sum).toBe(`${(a + b) / 100 + 0} ${(a - b) / 100 + 0}`);
      }),
    );
  });

  it('never prints a number that is not one', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.constant(null),
    );
    const filter = fc.constantFrom('plus', 'minus', 'times', 'divided_by', 'modulo', 'round', 'at_most');
    fc.assert(
      fc.property(number, number, filter, (a, b, name) => {
        expect(plain(`{{ a | ${name}: b }}`, { a, b })).toMatch(/^(problem: .*|-?\d+(\.\d+)?(e[+-]\d+)?)$/);
      }),
    );
  });
});

describe('lists', () => {
  const variables = {
    users: [
      { name: 'Ada', active: true, team: 'a' },
      { name: 'Bob', active: false, team: 'b' },
      { name: 'Cy', active: null, team: 'a' },
    ],
    words: ['alpha', 'beta', 'gamma'],
    numbers: [1, 2, 2, 3],
    nested: [[1, 2], [3]],
    objects: [{ a: 1 }, { a: 1 }, { a: 2 }],
    one: { a: 1, b: 2 },
  };
  it.each([
    ['users | where: "active" | map: "name" | join: ","', 'Ada'],
    ['users | where: "team", "a" | map: "name" | join: ","', 'Ada,Cy'],
    ['users | where: "active", nil | map: "name" | join: ","', 'Ada'],
    ['users | reject: "active" | map: "name" | join: ","', 'Bob,Cy'],
    ['words | reject: "et" | join: ","', 'alpha,gamma'],
    ['words | find: "gam"', 'gamma'],
    ['words | find_index: "gam"', '2'],
    ['words | has: "beta"', 'true'],
    ['words | has: "delta"', 'false'],
    ['users | find: "team", "b" | map: "name"', 'Bob'],
    ['users | find_index: "team", "z"', ''],
    ['numbers | has: 3', 'true'],
    ['one | has: "a", 1', 'true'],
    ['objects | uniq | size', '2'],
    ['users | uniq: "team" | map: "name" | join: ","', 'Ada,Bob'],
    ['users | compact: "active" | size', '2'],
    ['nested | concat: numbers | join', '1 2 3 1 2 2 3'],
    ['nested | reverse | join: "-"', '3-2-1'],
    ['words | join: missing', 'alphabetagamma'],
    ['objects | first | json', '{"a":1}'],
    ['one | first | join: "="', 'a=1'],
    ['one | size', '2'],
    ['"a 🎉" | size', '3'],
    ['"a b\nc" | split: " " | join: ","', 'a,b,c'],
    ['"🎉a" | split: "" | join: ","', '🎉,a'],
    ['"🎉a" | first', '🎉'],
    ['"a🎉" | last', '🎉'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(plain(`{{ ${expression} }}`, variables)).toBe(expected);
  });
});

describe('texts', () => {
  it.each([
    ['"a+b/c?" | base64_url_safe_encode', 'YStiL2M_'],
    ['"YStiL2M_" | base64_url_safe_decode', 'a+b/c?'],
    ['"it\'s (new)!" | url_encode', 'it%27s+%28new%29%21'],
    ['"abcdef" | truncate: 4, missing', 'abcd'],
    ['"one two three" | truncatewords: 2, missing', 'one two'],
    ['false | default: allow_false: false, "x"', 'x'],
    ['false | default: "x", allow_false: true', 'false'],
    ['empty_object | default: "x"', 'x'],
    ['pair | default: "x" | join: ","', 'a,b'],
    ['missing | default: pair | join: ","', 'a,b'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(plain(`{{ ${expression} }}`, { empty_object: {}, pair: ['a', 'b'] })).toBe(expected);
  });
});

describe('dates', () => {
  it.each([
    ['1772283900', '2026-02-28 13:05'],
    ['1772283900000', '2026-02-28 13:05'],
    ['"1772283900000"', '2026-02-28 13:05'],
    ['"2026-02-28T13:05:00Z"', '2026-02-28 13:05'],
    ['"now"', '2026-02-28 13:05'],
  ])('%s is read as the same time by date and datetime', (value, expected) => {
    expect(plain(`{{ ${value} | date: "%Y-%m-%d %H:%M" }}`)).toBe(expected);
    expect(plain(`{{ ${value} | datetime: date: "medium" }}`)).toBe('Feb 28, 2026');
    expect(plain(`{{ ${value} | date_to_xmlschema }}`)).toContain('2026-02-28T13:05');
  });

  it('is left as it is when the format is missing', () => {
    expect(plain('{{ "2026-02-28" | date: missing }}')).toBe('2026-02-28');
  });
});

describe('HTML of filters', () => {
  const v = 'a < b & "c"\n<i>';
  it.each([
    ['{{ v | escape }}', 'a &lt; b &amp; &#34;c&#34;\n&lt;i&gt;'],
    ['{{ v | xml_escape }}', 'a &lt; b &amp; &#34;c&#34;\n&lt;i&gt;'],
    ['{{ "1 &lt; 2 & 3" | escape_once }}', '1 &lt; 2 &amp; 3'],
    ['{{ v | newline_to_br }}', 'a &lt; b &amp; &#34;c&#34;<br />\n&lt;i&gt;'],
    ['{{ v | escape | newline_to_br }}', 'a &lt; b &amp; &#34;c&#34;<br />\n&lt;i&gt;'],
    ['{{ v | newline_to_br | strip_newlines }}', 'a &lt; b &amp; &#34;c&#34;<br />&lt;i&gt;'],
    ['{{ "<" | escape | append: "<b>" }}', '&lt;&lt;b&gt;'],
    ['{{ "<" | escape | upcase }}', '&amp;LT;'],
    ['{% assign x = v | escape %}{{ x }}', 'a &lt; b &amp; &#34;c&#34;\n&lt;i&gt;'],
    ['{% capture x %}<p>{{ v }}</p>{% endcapture %}{{ x }}', '<p>a &lt; b &amp; &#34;c&#34;\n&lt;i&gt;</p>'],
    ['{% capture x %} <p> {% endcapture %}[{{ x | strip }}]', '[<p>]'],
    ['{% capture x %}<p>{% endcapture %}{{ x | raw }}{{ x.size }}{% if x == "<p>" %}!{% endif %}', '<p>3!'],
    ['{% capture x %}<p>{% endcapture %}{{ x | escape }}', '&lt;p&gt;'],
    ['{% cycle "<" %}', '&lt;'],
  ])('%s prints %j', (source, expected) => {
    expect(html(source, { v })).toBe(expected);
  });

  it('prints text outside HTML', () => {
    expect(
      plain('{% capture x %}<p>{{ v }}{% endcapture %}{{ x }}{{ "a\nb" | newline_to_br }}', { v: '<' }),
    ).toBe('<p><a<br />\nb');
  });
});

describe('tags', () => {
  it.each([
    ['[{% if true %}\n {% assign a = 1 %}\n{% endif %}]', '[]'],
    ['[{% for i in (1..3) %} {% comment %}x{% endcomment %} {% endfor %}]', '[]'],
    ['[{% case 1 %} {% when 1 %} {% if true %} {% endif %} {% endcase %}]', '[]'],
    ['[{% if true %} x {% endif %}]', '[ x ]'],
    ['[{% if true %} {{ nothing }} {% endif %}]', '[  ]'],
    ['[{% if true %} {% increment n %} {% endif %}]', '[ 0 ]'],
    [
      '{% tablerow i in (1..3) cols: 2 %}{{ i }}{% endtablerow %}',
      '<tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n<tr class="row2"><td class="col1">3</td></tr>\n',
    ],
    [
      '{% tablerow i in (1..3) %}{{ tablerowloop.index }}{% break %}{% endtablerow %}',
      '<tr class="row1">\n<td class="col1">1</td></tr>\n',
    ],
    [
      '{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ j }} {% endfor %}{% endfor %}',
      '11 12 21 22 ',
    ],
    ['{% case 1 %}{% when 1, 1 %}a{% else %}b{% when 2 %}c{% endcase %}', 'aa'],
    ['{% case 3 %}{% when 1 %}a{% else %}b{% else %}c{% endcase %}', 'bc'],
    ['{% cycle "n": 1, 2 %}{% cycle "n": 8, 9 %}{% cycle "n": 1, 2 %}', '191'],
    ['{% for i in list %}{% ifchanged %}{{ i }}{% endifchanged %}{% endfor %}', '121'],
    ['{% comment %}a{% comment %}b{% endcomment %}c{% endcomment %}d', 'd'],
    ['{% doc %} {{ not closed {% if %} {% enddoc %}x', 'x'],
    ['{% raw -%} {{ a }} {%- endraw %}', ' {{ a }} '],
    ['{% if 1 <> 2 %}a{% endif %}{% if list contains missing %}b{% endif %}', 'a'],
    ['{{ user .name }}{{ user ["name"] }}', 'AdaAda'],
    ['{{ (1.5..3) | join }}', '1 2 3'],
  ])('%s prints %j', (source, expected) => {
    expect(checkSyntax(source, 'plain')).toBeUndefined();
    expect(plain(source, { list: [1, 1, 2, 1], user: { name: 'Ada' } })).toBe(expected);
  });
});

describe('arguments', () => {
  it('are counted for every filter', () => {
    expect(Object.keys(ARGUMENT_COUNTS).sort()).toEqual(Object.keys(FILTERS).sort());
  });

  it.each(
    Object.entries(ARGUMENT_COUNTS).flatMap(([name, { least, most, names }]) => [
      [name, most + 1, false] as const,
      [name, most, true] as const,
      ...(least > 0 ? [[name, least - 1, false] as const] : []),
      ...(names === 'any' ? [] : [[name, 'other: 1', false] as const]),
    ]),
  )('%s with %s is accepted: %s', (name, given, isAccepted) => {
    const values = typeof given === 'number' ? Array.from({ length: given }, () => 'a').join(', ') : given;
    const problem = checkSyntax(`{{ x | ${name}${values && `: ${values}`} }}`);
    if (isAccepted) expect(problem).toBeUndefined();
    else
      expect(problem).toMatch(new RegExp(`^the filter "${name}" (accepts|needs) .+ \\(line 1, column 8\\)$`));
  });
});

describe('half characters', () => {
  it('never leave rendering', () => {
    const content = (
      message: string,
      parameters: Record<string, unknown>,
      replace?: Record<string, string>,
    ) =>
      renderContent({
        channel: 'PUSH',
        template: { title: 't', message },
        user: {},
        parameters,
        mode: 'instant',
        atMs: 0,
        ...(replace && { replace }),
      });
    for (const [message, parameters, replace] of [
      ['{{ v }}', { v: 'Look \ud83d' }],
      ['{{ v | slice: 0 }}', { v: '\udc00x' }],
      ['a\ud83d', {}],
      ['x', {}, { x: '\ud83d' }],
      ['{{ v | split: s | first }}', { v: '🎉', s: '\udf89' }],
    ] as const) {
      const result = content(message, parameters, replace);
      if (!result.ok) throw new Error(result.problem);
      expect(result.content.message.isWellFormed()).toBe(true);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { checkSyntax, renderLiquid } from '../../../../shared/rendering/liquid/liquid.ts';

describe('a tag that would evaluate to something other than it states', () => {
  it.each([
    ['{% if total == %}x{% endif %}', 'the operator "==" needs a value on each side (line 1, column 13)'],
    [
      '{% if a %}{% elsif b > %}x{% endif %}',
      'the operator ">" needs a value on each side (line 1, column 22)',
    ],
    [
      '{% unless contains b %}x{% endunless %}',
      'the operator "contains" needs a value on each side (line 1, column 11)',
    ],
    ['{% if a or or b %}x{% endif %}', 'the operator "or" needs a value on each side (line 1, column 12)'],
    ['{% if a > > b %}x{% endif %}', 'the operator ">" needs a value on each side'],
    ['{% if a == b and not %}x{% endif %}', 'the operator "not" needs a value (line 1, column 18)'],
    ['{% if a equals b %}x{% endif %}', 'unexpected text (line 1, column 9)'],
    ['{% if a == "abc %}x{% endif %}', 'the operator "==" needs a value'],
    ['{% assign x = 3 4 %}', 'unexpected text (line 1, column 17)'],
    ['{% assign x = a | append: %}', 'a value is missing'],
    ['{% case a b %}{% when 1 %}x{% endcase %}', 'unexpected text (line 1, column 11)'],
    ['{% case a %}{% when %}x{% endcase %}', 'a value is missing'],
    ['{% case a %}{% when 1 2 %}x{% endcase %}', 'unexpected text'],
    ['{% case a %}{% when 1 or %}x{% endcase %}', 'a value is missing'],
    ['{% for x in list limit %}{% endfor %}', '":" is missing'],
    ['{% for x in list sorted %}{% endfor %}', 'unexpected text after the list (line 1, column 18)'],
    ['{% for x in a | reverse %}{% endfor %}', 'a name is missing'],
    ['{% capture x y %}a{% endcapture %}', 'unexpected text'],
    ['{% increment %}', 'a name is missing'],
    ['{% cycle "a" "b" %}', 'unexpected text'],
    ['{% liquid\n  assign x = 1\n  echo x y\n%}', 'unexpected text (line 3, column 10)'],
    ['Hi\n{{ name surname }}', 'unexpected text (line 2, column 9)'],
    ['{{ name | }}', 'the name of a filter is missing after "|"'],
    ['{{ name | append }}', 'the filter "append" needs a value (line 1, column 11)'],
    ['{{ name | upcase, }}', 'unexpected text'],
    ['{{ user. }}', 'a name is missing after "."'],
    ['{{ list[] }}', 'a value is missing'],
    ['{{ 1.2.3 }}', 'a number is not valid'],
  ])('%s is a problem with its place', (source, problem) => {
    expect(checkSyntax(source)).toContain(problem);
    expect(checkSyntax(source)).toMatch(/\(line \d+, column \d+\)$/);
  });

  it('renders as before where an earlier release accepted it', () => {
    expect(renderLiquid('{{ name surname }}', { name: 'Ada' }, { as: 'plain', atMs: 0 })).toMatchObject({
      ok: true,
    });
  });
});

describe('valid Liquid', () => {
  it.each([
    '{{ user.name["first name"][0].size | default: "x" | date: "%Y", "UTC" | append: "!" }}',
    "{{ 'it\\'s' | t: count: n, name: user.name }}{{ -1.5 | plus: 2 }}{{ 5. }}{{ \"a\".size }}",
    '{%- if a==b and c!=d or not e contains "x" -%}x{%- elsif (1..3) contains a -%}y{%- else -%}z{%- endif -%}',
    '{% unless a %}x{% elsif b %}y{% else %}z{% endunless %}{% ifs %}'.replace('{% ifs %}', ''),
    '{% for item in (1..list.size) reversed limit: 2 offset:continue %}{{ forloop.index }}{% break %}{% else %}-{% endfor %}',
    '{% for item in list limit: 2, offset: a.b %}{% continue %}{% endfor %}',
    '{% tablerow x in list cols: 2, limit: 3 %}{{ x }}{% endtablerow %}',
    '{% assign größe = 1 | times: 2 %}{% capture "note" %}a{% endcapture %}{% increment n %}{% decrement n %}',
    '{% case plan %}{% when "a", "b" or 3 %}x{% else %}y{% endcase %}',
    '{% cycle "rows": "a", b, 3 %}{% cycle a, b %}{% echo a | upcase %}',
    '{% comment %}{{ not here == }}{% if == %}{% endcomment %}{% raw %}{{ a == }}{% if %}{% endraw %}{% # a note %}',
    '{% liquid\n  # a note\n  if a == 1\n    echo b\n  endif\n  for x in list\n    echo x\n  endfor\n%}',
    "{{ a | sort | join | truncate | date }}{{ list | where: 'kind', 'x' | map: 'id' }}{{ empty?.x }}",
    '{{ a >= b }}{{ a<b }}{{nil}}{{ blank }}{{ a.b-c }}',
  ])('%s is accepted', (source) => {
    expect(checkSyntax(source)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { checkSyntax, componentIdsOf, renderLiquid } from '../../../shared/rendering/liquid/liquid.ts';
import { withStillClock } from '../../support/still-clock.ts';

const render = (
  source: string,
  components: Record<string, string>,
  variables: Record<string, unknown> = {},
) => renderLiquid(source, variables, { as: 'html', atMs: 0, components });

describe('component tag', () => {
  it('embeds HTML with the variables of its position, loop variables included', () => {
    const rendered = render(
      '{% for item in items %}{% component "row" %}{% endfor %}',
      { row: '<li>{{ item }} {{ name }}</li>' },
      { items: ['<1>', 2], name: 'Ada' },
    );
    expect(rendered).toEqual({ ok: true, text: '<li>&lt;1&gt; Ada</li><li>2 Ada</li>', notes: [] });
  });

  it('embeds components three levels deep', () => {
    const components = { a: 'a{% component "b" %}', b: "b{%- component 'c' -%}", c: 'c' };
    expect(render('{% component "a" %}', components)).toEqual({ ok: true, text: 'abc', notes: [] });
  });

  it('rejects a fourth level', () => {
    const components = {
      a: '{% component "b" %}',
      b: '{% component "c" %}',
      c: '{% component "d" %}',
      d: 'd',
    };
    expect(render('{% component "a" %}', components)).toEqual({
      ok: false,
      problem: expect.stringContaining('components are embedded in one another more than 3 deep'),
    });
  });

  it('rejects a component that embeds itself, directly or through another', () => {
    const problem = expect.stringContaining('the component "a" embeds itself');
    expect(render('{% component "a" %}', { a: '{% component "a" %}' })).toEqual({ ok: false, problem });
    const components = { a: '{% component "b" %}', b: '{% component "a" %}' };
    expect(render('{% component "a" %}', components)).toEqual({ ok: false, problem });
  });

  it('embeds the same component twice side by side', () => {
    expect(render('{% component "a" %}{% component "a" %}', { a: 'x' })).toMatchObject({ text: 'xx' });
  });

  it('renders nothing for a missing component and reports it once', () => {
    expect(render('[{% component "gone" %}{% component "gone" %}]', {})).toEqual({
      ok: true,
      text: '[]',
      notes: ['the component "gone" does not exist'],
    });
    expect(render('{% component "constructor" %}{% component "__proto__" %}', {})).toMatchObject({
      text: '',
    });
  });

  it('continues after a break in a component', () => {
    const rendered = render('{% for i in (1..2) %}{% component "a" %}{{ i }}{% endfor %}', {
      a: '{% break %}x',
    });
    expect(rendered).toMatchObject({ text: '12' });
  });

  it('reports the component and the line of a problem', () => {
    expect(render('\n\n{% component "a" %}', { a: '{% component "b" %}', b: '\n{{ x | shout }}' })).toEqual({
      ok: false,
      problem: 'component "a": component "b": there is no filter "shout" (line 2, column 1)',
    });
  });

  it('uses the budget of the content that embeds it', () => {
    const loop = (body: string) => `{% for i in (1..99999) %}${body}{% endfor %}`;
    const components = { a: loop('{% component "b" %}'), b: loop('') };
    const rendered = withStillClock(() => render(loop('{% component "a" %}'), components));
    expect(rendered).toMatchObject({
      ok: false,
      problem: expect.stringContaining('rendering takes more than 3,000,000 steps'),
    });
    expect(render(loop('{% component "a" %}'), { a: 'x'.repeat(1000) })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('the content has more than 2,097,152 characters'),
    });
  });

  it.each([
    '{% component %}',
    '{% component id %}',
    '{% component "" %}',
    '{% component "a" "b" %}',
    '{% component 7 %}',
  ])('rejects %s', (source) => {
    expect(checkSyntax(source)).toMatch(/^component needs one ID in quotes/);
  });

  it('fails outside the HTML of emails', () => {
    expect(checkSyntax('{% component "a" %}', 'plain')).toMatch(
      /^component is available in the html of emails only/,
    );
  });
});

describe('componentIdsOf', () => {
  it('finds each ID once, wherever the tag appears', () => {
    const html =
      '{% component "a" %}{% if x %}{% component "b" %}{% else %}{% component "c" %}{% endif %}' +
      '{% for i in l %}{% component "d" %}{% endfor %}{% capture x %}{% component "e" %}{% endcapture %}' +
      '{% case x %}{% when 1 %}{% component "f" %}{% endcase %}{% liquid\ncomponent "g"\n%}{% component \'a\' %}' +
      '{% unless x %}{% component "h" %}{% endunless %}{% tablerow i in l %}{% component "i" %}{% endtablerow %}';
    expect(componentIdsOf(html)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
  });

  it('finds none in comments, raw text, plain HTML and HTML that cannot be parsed', () => {
    expect(componentIdsOf('{% comment %}{% component "a" %}{% endcomment %}')).toEqual([]);
    expect(componentIdsOf('{% raw %}{% component "a" %}{% endraw %}')).toEqual([]);
    expect(componentIdsOf('<p>component "a"</p>')).toEqual([]);
    expect(componentIdsOf('{% component "a" %}{% if')).toEqual([]);
  });
});

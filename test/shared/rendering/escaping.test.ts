import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderLiquid } from '../../../shared/rendering/liquid/liquid.ts';
import { anyCharacter } from '../../support/any-character.ts';

const html = (source: string, variables: Record<string, unknown>) =>
  renderLiquid(source, variables, { as: 'html', atMs: 0 });
const plain = (source: string, variables: Record<string, unknown>) =>
  renderLiquid(source, variables, { as: 'plain', atMs: 0 });
const text = (value: string) => ({ ok: true, text: value, notes: [] });

describe('escaping', () => {
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...`<>&"'/=a `) }),
  );
  const tags = fc.constantFrom(
    '{{ v }}',
    '{{- v -}}',
    '{{ v | upcase }}',
    '{{ v | raw | strip }}',
    '{{ v | escape_once }}',
    '{{ list }}',
    '{{ list | join: v }}',
    '{{ object }}',
    '{{ object | json }}',
    '{% echo v %}',
    '{% cycle v %}',
    '{% liquid\n echo v\n%}',
    '{% assign w = v | append: v %}{{ w }}',
    '{% capture w %}{{ v }}{% endcapture %}{{ w }}',
    '{% for e in list %}{{ e }}{% endfor %}',
    '{{ "" | default: v }}',
    '{{ missing | default: v | newline_to_br }}',
  );

  it('renders no markup from a value into HTML', () => {
    fc.assert(
      fc.property(anyText, tags, (value, tag) => {
        const rendered = html(`<p title="${tag}">${tag}</p>`, {
          v: value,
          list: [value],
          object: { [value]: value },
        });
        if (!rendered.ok) throw new Error(rendered.problem);
        // The filter's own markup.
        const others = tag.includes('newline_to_br')
          ? rendered.text.replaceAll('<br />\n', '')
          : rendered.text;
        expect(others.match(/[<>"]/g)?.join('')).toBe('<"">' + '<>');
        expect(others).not.toContain("'");
      }),
      { numRuns: 500 },
    );
  });

  it('escapes so that a browser displays the original value', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const rendered = html('{{ v }}', { v: value });
        if (!rendered.ok) throw new Error(rendered.problem);
        const read = rendered.text
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&#34;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        expect(read).toBe(value);
      }),
    );
  });

  it('does not escape a merge tag that ends in raw, and escapes one that continues', () => {
    expect(html('{{ v | raw }}{% echo v | upcase | raw %}', { v: '<b>' })).toEqual(text('<b><B>'));
    expect(html('{{ v | raw | upcase }}', { v: '<b>' })).toEqual(text('&lt;B&gt;'));
  });

  it('escapes nothing outside HTML', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(plain('{{ v }}', { v: value })).toEqual(text(value));
      }),
    );
  });

  it('leaves the HTML of the template unchanged', () => {
    expect(html(`<a href='x'>{{ v }}</a>`, { v: 1 })).toEqual(text(`<a href='x'>1</a>`));
  });
});

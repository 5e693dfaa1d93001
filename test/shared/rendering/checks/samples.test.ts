import { describe, expect, it } from 'vitest';
import { rehearseContent } from '../../../../shared/rendering/checks/rehearsal.ts';
import { samplesOf } from '../../../../shared/rendering/checks/template-check.ts';

const missingIn = (text: string, parameters: object, items?: readonly Record<string, unknown>[]) =>
  rehearseContent({
    channel: 'SMS',
    template: { text },
    user: {},
    parameters: { ...parameters },
    items,
    mode: 'instant',
    atMs: 0,
  }).missing;

describe('the variables that a template names', () => {
  it.each<[string, object, string[]]>([
    [
      '{% for line in lines %}{{ line.name }}{{ line.price }}{% endfor %}',
      { lines: [{ name: 'a', price: 1 }] },
      [],
    ],
    [
      '{% for line in lines %}{{ line.name }}{{ line.price }}{% endfor %}',
      { lines: [{ name: 'a', price: 1 }, { name: 'b' }] },
      ['lines[].price'],
    ],
    ['{% for line in lines %}{{ line }}{% endfor %}', { lines: ['a'] }, []],
    ['{% for line in order.lines %}{{ line.x }}{% endfor %}', { order: { lines: [] } }, []],
    ['{% for line in order.lines %}{{ line.x }}{% endfor %}', {}, ['order.lines']],
    [
      '{% for a in as %}{% for b in a.bs %}{{ b.c }}{{ a.d }}{% endfor %}{% endfor %}',
      { as: [{ bs: [{}], d: 1 }] },
      ['as[].bs[].c'],
    ],
    [
      '{% for a in as %}{% for a in bs %}{{ a.c }}{% endfor %}{{ a.d }}{% endfor %}',
      { as: [{ d: 1 }], bs: [{ c: 1 }] },
      [],
    ],
    ['{% for a in as %}{% for a in (1..2) %}{{ a.c }}{% endfor %}{% endfor %}', { as: [{ d: 1 }] }, []],
    ['{% for a in as %}{% assign a = other %}{{ a.c }}{% endfor %}', { as: [{}], other: {} }, []],
    ['{% for a in as[key] %}{{ a.c }}{% endfor %}', { as: [[{}]], key: 0 }, []],
    [
      '{% for a in as %}{{ forloop.index }}{{ a.size }}{{ a.b.first.c }}{% endfor %}',
      { as: [{ b: [{}] }] },
      ['as[].b.first.c'],
    ],
    ['{% for pair in order %}{{ pair[0] }}{% endfor %}', { order: { a: 1 } }, []],
    ['{% tablerow a in as %}{{ a.b }}{% endtablerow %}', { as: [{}] }, ['as[].b']],
  ])('are missing: %s', (text, parameters, missing) => {
    expect(missingIn(text, parameters)).toEqual(missing);
  });

  it('are missing in items of a digest', () => {
    const text = '{% for item in _items %}{{ item.author }}: {{ item.comment }}{% endfor %}';
    const items = [{ author: 'Ada', comment: 'x' }, { author: 'Bob' }];
    expect(missingIn(text, {}, items)).toEqual(['_items[].comment']);
    expect(missingIn(text, {}, items.slice(0, 1))).toEqual([]);
  });
});

describe('samples', () => {
  it.each<[string, object | undefined]>([
    ['Hello', undefined],
    ['{{ user.email }} {{ unsubscribe_url }}{{ _more }}', undefined],
    [
      '{{ name }} {{ order.number }} {{ parameters.trackingUrl }}',
      { name: 'Ada', order: { number: 'Number' }, trackingUrl: 'https://example.com/' },
    ],
    [
      '{{ total | plus: 1 }} {{ due_at | date: "%d" }} {{ contactEmail }}',
      { total: 3, due_at: '2026-12-24T09:00:00Z', contactEmail: 'ada@example.com' },
    ],
    [
      '{% for line in order.lines %}{{ line.productTitle }}{% endfor %}',
      { order: { lines: [{ productTitle: 'Product title 1' }, { productTitle: 'Product title 2' }] } },
    ],
    ['{% for tag in tags %}{{ tag }}{% endfor %}{{ tags[0] }}', { tags: ['Tags 1', 'Tags 2'] }],
    [
      '{{ _items.size }} {% for item in _items %}{{ item.comment }}{% endfor %}',
      { _items: [{ comment: 'Comment 1' }, { comment: 'Comment 2' }] },
    ],
    ['{{ _items.size }}', { _items: [{}, {}] }],
    ['{% if plan == "pro" %}x{% endif %}{{ title.size }}', { plan: 'Plan', title: 'Title' }],
    [`{{ ${'a.'.repeat(40)}b }}{{ c }}`, { c: 'C' }],
    [
      '{{ x.__proto__ }}{{ constructor }}',
      { x: JSON.parse('{"__proto__":"Proto"}'), constructor: 'Constructor' },
    ],
    ['{% broken', undefined],
  ])('are derived from %s', (text, samples) => {
    expect(samplesOf('SMS', { text })).toEqual(samples);
  });

  it('leave nothing missing', () => {
    const text =
      '{% for a in as %}{% for b in a.bs %}{{ b.c }}{% endfor %}{{ a.d.e }}{% endfor %}{{ f[0].g }}{{ h.last }}';
    expect(missingIn(text, samplesOf('SMS', { text }) ?? {})).toEqual([]);
  });

  it('are found in every text of a template', () => {
    expect(samplesOf('EMAIL', { subject: '{{ a }}', html: '<p>{{ b }}</p>', internal: '{{ c }}' })).toEqual({
      a: 'A',
      b: 'B',
    });
    expect(samplesOf('CHAT', { blocks: [{ text: { text: '{{ d }}' } }] })).toEqual({ d: 'D' });
  });
});

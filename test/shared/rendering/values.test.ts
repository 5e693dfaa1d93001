import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderLiquid } from '../../../shared/rendering/liquid/liquid.ts';

function problemOf(source: string, variables: Record<string, unknown> = {}): string {
  const rendered = renderLiquid(source, variables, { as: 'plain', atMs: 0 });
  return rendered.ok ? `rendered ${rendered.text.length} characters` : rendered.problem;
}

describe('values are data', () => {
  const NAMES = [
    ...['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'],
    ...['toLiquid', 'then', 'next', 'map', 'at', 'charAt', 'call', 'super', 'equals', 'liquidMethodMissing'],
  ];
  const ROOTS = [
    'user',
    'list',
    'word',
    'count',
    'forloop',
    'empty',
    'nil',
    'blank',
    'user.deeper',
    'parameters',
  ];

  it('renders no inherited property of a value', () => {
    const variables = {
      user: { deeper: {} },
      list: [1],
      word: 'w',
      count: 3,
      parameters: Object.create({ inherited: 'leak' }),
    };
    for (const root of ROOTS) {
      for (const name of [...NAMES, 'inherited']) {
        const tags = `{{ ${root}.${name} }}{{ ${root}["${name}"] }}{{ ${root}.${name}.${name} }}{{ ${root}.${name}.name }}`;
        const source = `{% for x in list %}[${tags}]{% endfor %}`;
        expect(renderLiquid(source, variables, { as: 'plain', atMs: 0 }), `${root}.${name}`).toMatchObject({
          text: '[]',
        });
      }
    }
    for (const name of NAMES) {
      expect(renderLiquid(`[{{ ${name} }}]`, variables, { as: 'plain', atMs: 0 }), name).toMatchObject({
        text: '[]',
      });
    }
  });

  it('renders no inherited property through filters that accept a path', () => {
    const source =
      '{{ l | map: "constructor" }}{{ l | where: "constructor" | size }}{{ l | sum: "__proto__" }}';
    expect(renderLiquid(source, { l: [{}, 'w', [1]] }, { as: 'plain', atMs: 0 })).toMatchObject({
      text: '00',
    });
  });

  it('calls no function of a value', () => {
    let calls = 0;
    const call = () => {
      calls += 1;
      return 'called';
    };
    const user = { name: call, toLiquid: call, size: call, nested: { first: call } };
    const source = '[{{ user.name }}{{ user.size }}{{ user.nested.first }}{{ f }}{{ l[0] }}{{ l.first }}]';
    const rendered = renderLiquid(source, { user, f: call, l: [call] }, { as: 'plain', atMs: 0 });
    expect(rendered.ok).toBe(true);
    expect(calls).toBe(0);
  });

  it('changes no prototype by assignment', () => {
    const source =
      '{% assign __proto__ = x %}{% capture constructor %}x{% endcapture %}{% increment __proto__ %}' +
      '{% for __proto__ in l %}{{ __proto__.a }}{% endfor %}';
    renderLiquid(source, { x: { polluted: 1 }, l: [{ a: 1 }] }, { as: 'plain', atMs: 0 });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('renders JSON of any shape, keys such as toString and __proto__ included', () => {
    const keys = fc.constantFrom(
      'a',
      'toString',
      'valueOf',
      'toJSON',
      '__proto__',
      'constructor',
      'length',
      'size',
      'then',
    );
    const values = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('any')),
      object: fc.array(fc.tuple(keys, tie('any'))).map((entries) => Object.fromEntries(entries)),
    })).any;
    fc.assert(
      fc.property(values, (value) => {
        const source =
          '{{ v }}{{ v.size }}{{ v.first }}{{ v.toString }}{% for e in v %}{{ e }}{% endfor %}{{ v | json }}';
        expect(renderLiquid(source, { v: value }, { as: 'html', atMs: 0 })).toMatchObject({ ok: true });
      }),
    );
  });

  it('rejects a value that is nested too deeply', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    for (const tag of ['{{ v }}', '{{ v | json }}', '{{ v | join }}', '{% if v == v %}{% endif %}']) {
      expect(problemOf(tag, { v: deep })).toMatch(/^a value is nested more than 100 levels/);
    }
  });
});

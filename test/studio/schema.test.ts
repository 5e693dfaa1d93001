import { expect, it } from 'vitest';
import { parameterProblems, schemaProblems } from '../../shared/domain/content/parameters-schema.ts';
import { schemaOf } from '../../studio/src/state/schema.ts';

it('derives types, required names, nested objects and lists, and what may be null is open', () => {
  const sample = {
    name: 'Ada',
    total: 3.5,
    isNew: true,
    order: { id: 7 },
    items: [{ sku: 'a', size: 1 }, { sku: 'b' }],
    mixed: [1, 'a'],
    none: [],
    empty: {},
    note: null,
  };
  expect(schemaOf([sample])).toEqual({
    type: 'object',
    required: Object.keys(sample),
    properties: {
      name: { type: 'string' },
      total: { type: 'number' },
      isNew: { type: 'boolean' },
      order: { type: 'object', required: ['id'], properties: { id: { type: 'number' } } },
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['sku'],
          properties: { sku: { type: 'string' }, size: { type: 'number' } },
        },
      },
      mixed: { type: 'array', items: { type: ['number', 'string'] } },
      none: { type: 'array' },
      empty: { type: 'object' },
      note: {},
    },
  });
});

it('is a schema that the service accepts and that its samples match, for any JSON', () => {
  const samples = [
    {},
    { constructor: 1, 'a.b/c~d': [[{}], []] },
    JSON.parse('{"__proto__": {"x": [null, 1]}}'),
  ];
  for (const isUnion of [true, false]) {
    for (const sample of samples) {
      const schema = schemaOf([sample], isUnion);
      expect(schemaProblems(schema)).toEqual([]);
      expect(parameterProblems(JSON.stringify(schema), sample)).toEqual([]);
    }
  }
});

it('requires what each template names', () => {
  const schema = schemaOf([{ order: { id: 1 } }, { order: { total: 2 }, name: 'Ada' }], true);
  expect(parameterProblems(JSON.stringify(schema), { order: { id: 1, total: 2 }, name: 'Ada' })).toEqual([]);
  expect(parameterProblems(JSON.stringify(schema), { order: {} })).toHaveLength(3);
});

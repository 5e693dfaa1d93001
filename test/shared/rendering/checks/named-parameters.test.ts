import { expect, it } from 'vitest';
import { namedParameters } from '../../../../shared/rendering/checks/named-parameters.ts';

const PARAMETERS = {
  ...{ title: 'T', token: 'secret', code: 'c', 'a b': 1, upcase: 'u', item: 'i', in: 'n', name: 'N' },
  order: { id: 7, risk: 'high', lines: [{ sku: 'x', cost: 3 }], token: 'secret' },
  items: [
    { name: 'n1', cost: 1 },
    { name: 'n2', cost: 2 },
  ],
  comment: { id: 'c1', text: 'secret' },
};

it.each<[string[], string | undefined, object]>([
  [['{{ title }}'], undefined, { title: 'T' }],
  [['{{ user.token }} {{ user["code"] }}'], undefined, {}],
  [['{{ title | upcase | default: "token" }}'], undefined, { title: 'T' }],
  [['{{ title | default: code }}'], undefined, { title: 'T', code: 'c' }],
  [['{{ parameters.code }} {{ parameters["a b"] }}'], undefined, { code: 'c', 'a b': 1 }],
  [['{{ order.id }}'], undefined, { order: { id: 7 } }],
  [['{{ order["id"] }} {{ order.absent }}'], undefined, { order: { id: 7 } }],
  [['{{ order.lines[0].sku }}'], undefined, { order: { lines: [{ sku: 'x' }] } }],
  [
    ['{% for item in items %}{{ item.name }}{% endfor %}'],
    undefined,
    { items: [{ name: 'n1' }, { name: 'n2' }] },
  ],
  [['{% for item in items %}{{ item }}{% endfor %}'], undefined, { items: PARAMETERS.items }],
  [['{% if code == "token" %}x{% endif %}'], undefined, { code: 'c' }],
  [['{% assign token = title %}{{ token }}'], undefined, { title: 'T' }],
  [['{% comment %}{{ token }}{% endcomment %}token'], undefined, {}],
  [['Hi'], 'parameters.comment.id', { comment: { id: 'c1' } }],
  [['Hi'], 'parameters.comment_id', {}],
  [['{{ order }}'], 'parameters.order.id', { order: PARAMETERS.order }],
  [['{{ parameters | json }}'], undefined, PARAMETERS],
  [['{{ constructor }} {{ order.constructor }}'], undefined, { order: {} }],
])('an item with %j and the key %s keeps only what these name', (contents, key, kept) => {
  expect(namedParameters(PARAMETERS, contents, key)).toEqual(kept);
});

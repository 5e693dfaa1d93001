import { expect, it } from 'vitest';
import { declarationsOf } from '../../../scripts/templates/notification-types.ts';
import { checkEntries } from '../../../scripts/templates/template-checks.ts';

const TYPE = { path: 'types/known', value: { title: 'T', channels: ['EMAIL'] } };

it.each([
  ['templates/known/EMAIL/a', { subject: 'S', html: 'H' }, []],
  ['templates/stored/EMAIL/a', { subject: 'S', html: 'H' }, []],
  [
    'templates/lost/EMAIL/a',
    { subject: 'S', html: 'H' },
    ['templates/lost/EMAIL/a: types/lost does not exist.'],
  ],
  ['defaults/lost/EMAIL', { instant: 'a' }, ['defaults/lost/EMAIL: types/lost does not exist.']],
])('the type of %s %j exists, or is a problem', async (path, value, expected) => {
  const { problems } = await checkEntries([TYPE, { path, value }], (each) => each === 'types/stored');
  expect(problems).toEqual(expected);
});

it.each([
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, 'Array<unknown>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [{ type: 'object', properties: { a: { type: 'string' } } }, '{ "a"?: string }'],
  [
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    '{ "a"?: string } & Record<string, unknown>',
  ],
  [
    { type: 'object', patternProperties: { '^x': {} }, additionalProperties: false },
    'Record<string, unknown>',
  ],
])('the parameters of %j accept all that the schema does', (parametersSchema, text) => {
  const declared = declarationsOf([{ ...TYPE, value: { ...TYPE.value, parametersSchema } }]);
  expect(declared).toContain(`"known": ${text};`);
});

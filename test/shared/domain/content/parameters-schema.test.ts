import { describe, expect, it } from 'vitest';
import { parameterProblems, schemaProblems } from '../../../../shared/domain/content/parameters-schema.ts';

const problemsOf = (schema: unknown) => schemaProblems(schema).map(({ path, must }) => `${path} ${must}`);

describe('a schema of parameters', () => {
  it.each<[object, string, string]>([
    [{ exclusiveMaximum: '1' }, 'exclusiveMaximum', 'a number'],
    [{ multipleOf: 0 }, 'multipleOf', 'a number above 0'],
    [{ multipleOf: '1' }, 'multipleOf', 'a number above 0'],
    [{ maxItems: -1 }, 'maxItems', 'an integer from 0'],
    [{ minLength: 1.5 }, 'minLength', 'an integer from 0'],
    [{ title: 1 }, 'title', 'a string'],
    [{ uniqueItems: 'yes' }, 'uniqueItems', 'true or false'],
    [{ required: 'a' }, 'required', 'a list of names'],
    [{ required: ['a', 1] }, 'required', 'a list of names'],
    [{ dependentRequired: [] }, 'dependentRequired', 'an object of lists of names'],
    [{ dependentRequired: { a: ['b'], c: [1] } }, 'dependentRequired', 'an object of lists of names'],
    [{ enum: [] }, 'enum', 'a list that is not empty'],
    [{ enum: 'a' }, 'enum', 'a list that is not empty'],
    [{ type: 'text' }, 'type', 'one of array, boolean'],
    [{ type: ['string', 'text'] }, 'type', 'one of array, boolean'],
    [{ type: [] }, 'type', 'one of array, boolean'],
    [{ pattern: '(' }, 'pattern', 'a regular expression'],
    [{ pattern: 1 }, 'pattern', 'a regular expression'],
    [{ items: { not: null } }, 'items.not', 'a schema'],
    [{ items: [true] }, 'items', 'a schema'],
    [{ properties: [] }, 'properties', 'an object of schemas'],
    [{ properties: { a: { $defs: { b: 'c' } } } }, 'properties.a.$defs.b', 'a schema'],
    [{ allOf: [] }, 'allOf', 'a list that is not empty, of schemas'],
    [{ oneOf: {} }, 'oneOf', 'a list that is not empty, of schemas'],
    [{ anyOf: [true, { prefixItems: [1] }] }, 'anyOf[1].prefixItems[0]', 'a schema'],
    [{ $ref: 'a' }, '$ref', 'lead to a place'],
    [{ $ref: 5 }, '$ref', 'lead to a place'],
    [{ $ref: '#gone' }, '$ref', 'lead to a place'],
    [{ $ref: '#/$defs/gone' }, '$ref', 'lead to a place'],
    [{ title: 'a', $ref: '#/title' }, '$ref', 'lead to a place'],
  ])('%j must have another %s', (schema, path, must) => {
    const problems = problemsOf(schema);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${path.replaceAll(/[$.[\]]/g, '\\$&')} must (?:be )?${must}`));
  });

  it.each([5, null, [], true])('is an object, not %j', (schema) => {
    expect(problemsOf(schema)).toEqual([' must be an object']);
  });

  it('names a pattern of names that cannot be read', () => {
    expect(problemsOf({ patternProperties: { '(': true, a: true } })).toEqual([
      'patternProperties has a name that must be a regular expression with the flag u',
    ]);
  });

  it('may have every keyword, and references to itself, names and places', () => {
    const schema = {
      $defs: { a: true, 'b/c~d e': { $anchor: 'name', minimum: 1 }, f: { $ref: '#/$defs/a' } },
      type: ['object', 'null'],
      properties: { '(': { pattern: '^a', multipleOf: 0.5, enum: [null], maxLength: 0, uniqueItems: false } },
      patternProperties: { '^a': { $ref: '#/$defs/b~1c~0d%20e' }, b: { $ref: '#' }, c: { $ref: '#name' } },
      additionalProperties: { anyOf: [{ $ref: '#/$defs/f' }, { $ref: '#/properties/(' }, false] },
      ...{ required: ['a'], dependentRequired: { a: ['b'] }, unknown: { type: 'any' }, default: [] },
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    };
    expect(schemaProblems(schema)).toEqual([]);
    const encoded = { $defs: { 'a%': true }, items: { $ref: '#/$defs/a%' } };
    expect(schemaProblems(encoded)).toEqual([]);
  });
});

describe('parameters', () => {
  const problems = (schema: object, a: unknown) =>
    parameterProblems(JSON.stringify({ properties: { a: schema } }), { a }).map(
      ({ path, must }) => `${path} ${must}`,
    );

  it.each<[object, unknown, string]>([
    [{ type: 'string' }, 1, 'a must be of the type string'],
    [{ type: ['string', 'null'] }, 1, 'a must be of the type ["string","null"]'],
    [{ enum: ['x'] }, 1, 'a must be one of ["x"]'],
    [{ const: 'x' }, 1, 'a must be x'],
    [{ pattern: '^x' }, 'a', 'a must match the pattern ^x'],
    [{ format: 'email' }, 'a', 'a must be of the format email'],
    [{ minimum: 2 }, 1, 'a must be at least 2'],
    [{ maximum: 0 }, 1, 'a must be at most 0'],
    [{ exclusiveMinimum: 1 }, 1, 'a must be above 1'],
    [{ exclusiveMaximum: 1 }, 1, 'a must be below 1'],
    [{ multipleOf: 2 }, 1, 'a must be a multiple of 2'],
    [{ minLength: 2 }, 'a', 'a must have at least 2 characters'],
    [{ maxLength: 0 }, 'a', 'a must have at most 0 characters'],
    [{ minItems: 2 }, [1], 'a must have at least 2 items'],
    [{ maxItems: 0 }, [1], 'a must have at most 0 items'],
    [{ minProperties: 1 }, {}, 'a must have at least 1 fields'],
    [{ maxProperties: 0 }, { b: 1 }, 'a must have at most 0 fields'],
    [{ uniqueItems: true }, [1, 1], 'a must not have an item twice'],
    [{ anyOf: [{ type: 'string' }] }, 1, 'a must match one of the schemas of anyOf'],
    [{ oneOf: [true, { minimum: 0 }] }, 1, 'a must match exactly one of the schemas of oneOf'],
    [{ not: true }, 1, 'a must not match the schema of not'],
    [{ contains: { type: 'string' } }, [1], 'a must have an item that matches contains'],
    [{ dependentRequired: { b: ['c'] } }, { b: 1 }, 'a lacks a field that dependentRequired names'],
    [{ propertyNames: { maxLength: 1 } }, { bb: 1 }, 'a has a name that propertyNames excludes'],
    [{ required: ['b"c'] }, {}, 'a.b"c is required'],
    [{ items: { required: ['b'] } }, [{ b: 1 }, {}], 'a[1].b is required'],
    [{ additionalProperties: false }, { b: 1 }, 'a.b is not in the schema'],
    [{ items: { properties: { 'b/c': { minimum: 2 } } } }, [{ 'b/c': 1 }], 'a[0].b/c must be at least 2'],
    [{ allOf: [{ minimum: 2 }, { minimum: 2 }] }, 1, 'a must be at least 2'],
    [{ const: 'x'.repeat(300) }, 1, `a must be ${'x'.repeat(200)}`],
  ])('that %j does not accept: %j', (schema, value, problem) => {
    expect(problems(schema, value)).toEqual([problem]);
  });

  it('are explained by the keyword that a reference leads to', () => {
    const schema = { $defs: { b: { minimum: 2 } }, properties: { a: { $ref: '#/$defs/b' } } };
    expect(parameterProblems(JSON.stringify(schema), { a: 1 })).toEqual([
      { path: 'a', must: 'must be at least 2' },
    ]);
    expect(parameterProblems(JSON.stringify(schema), { a: 2 })).toEqual([]);
  });
});

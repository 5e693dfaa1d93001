import type { JsonSchema } from '@valibot/to-json-schema';
import { defined } from '../../shared/runtime/defined.ts';
import type { AnySchema } from '../../shared/schemas/any-schema.ts';
import { findFieldText } from '../../shared/schemas/field-texts.ts';

type Json = Record<string, unknown>;

/** Fields that new callers should not use. */
const DEPRECATED = ['mergeTags', 'secondaryId', 'user'];

/** Formats that a name implies, by the name of the property; the first match applies. */
const FORMATS: readonly [name: RegExp, of: 'string' | 'number', shape: Json][] = [
  [/(At|_at)$|^(timestamp|lastSeenTime|lastSync)$/, 'string', { format: 'date-time' }],
  [/(_after|Ms|_in)$|^ms$/, 'number', { type: 'integer', format: 'int64' }],
  [
    /[cC]ount$|(messages|sms|call)Cap$|^[A-Z_]+$|_(segments|parts)$|^(attempt|size|max|period|duration|retention\w*|status|priority|retryAfter)$/,
    'number',
    { type: 'integer', format: 'int64' },
  ],
];

/** Returns the JSON Schema of an object with the descriptions of its fields. */
export function withFieldTexts(schema: AnySchema, json: JsonSchema): JsonSchema {
  if (!json.properties) return json;
  const named = Object.entries(json.properties).map(([name, property]) => {
    const description = findFieldText(schema, name);
    const isPlain = description === undefined || typeof property === 'boolean';
    return [name, isPlain ? property : { description, ...property }];
  });
  return { ...json, properties: Object.fromEntries(named) };
}

/**
 * Returns a JSON Schema that client generators can read: formats and integers are explicit, and there are no tuples and
 * no numeric enumerations.
 */
export function refined(schema: Json): Json {
  return refinedValue(schema) as Json;
}

function refinedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refinedValue);
  if (typeof value !== 'object' || value === null) return value;
  const { properties, ...rest } = value as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, refinedValue(each)]));
  const simple = withoutNumberEnum(withoutPlaces(inner));
  if (typeof properties !== 'object' || properties === null) return simple;
  const named = Object.entries(properties).map(([name, each]) => [name, namedProperty(name, each)]);
  return { ...simple, properties: Object.fromEntries(named) };
}

function namedProperty(name: string, value: unknown): unknown {
  const property = refinedValue(value);
  if (typeof property !== 'object' || property === null) return property;
  return formatted(name, property as Json);
}

/** Adds the format that the name of a property implies. */
export function formatted(name: string, schema: Json): Json {
  const found = FORMATS.find(([pattern, of]) => of === schema.type && pattern.test(name));
  return {
    ...schema,
    ...defined({ format: NUMBER_FORMATS.get(schema.type) }),
    ...found?.[2],
    ...defined({ deprecated: DEPRECATED.includes(name) || undefined }),
  };
}

const NUMBER_FORMATS = new Map<unknown, string>([
  ['integer', 'int64'],
  ['number', 'double'],
]);

/** Replaces a tuple with a list whose entries have the first schema: generators do not support tuples. */
function withoutPlaces(schema: Json): Json {
  const { prefixItems, items, ...rest } = schema;
  if (!Array.isArray(prefixItems)) return schema;
  return { ...rest, items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length };
}

/** In some languages, the names of numeric enumerations do not compile. */
function withoutNumberEnum(schema: Json): Json {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values) || !values.every((each) => Number.isInteger(each))) return schema;
  const description = [rest.description, `One of ${values.join(', ')}.`].filter(Boolean).join(' ');
  return { ...rest, type: 'integer', description };
}

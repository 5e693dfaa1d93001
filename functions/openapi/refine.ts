import type { JsonSchema } from '@valibot/to-json-schema';
import { defined } from '../../shared/runtime/values/defined.ts';
import { FOREIGN_FIELDS } from '../../shared/schemas/content/notification-type-change.ts';
import type { AnySchema } from '../../shared/schemas/fields/any-schema.ts';
import { findFieldText } from '../../shared/schemas/fields/field-texts.ts';
import { COMMON_TEXTS } from './common.texts.ts';
import { namedFormat } from './formats.ts';

type Json = Record<string, unknown>;

/** Fields that new callers should not use. */
const DEPRECATED = ['mergeTags', 'secondaryId', 'user'];

/** Returns the JSON Schema of an object with the descriptions of its fields. */
export function withFieldTexts(schema: AnySchema, json: JsonSchema): JsonSchema {
  if (!json.properties) return json;
  const entries: Record<string, unknown> = 'entries' in schema ? { ...Object(schema.entries) } : {};
  const own = Object.entries(json.properties).filter(([name]) => !FOREIGN_FIELDS.includes(entries[name]));
  const named = own.map(([name, property]) => {
    const description = findFieldText(schema, name) ?? COMMON_TEXTS[name];
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
  const simple = withoutBooleanConst(withoutNumberEnum(withoutPlaces(inner)));
  if (typeof properties !== 'object' || properties === null) return simple;
  const named = Object.entries(properties).map(([name, each]) => [name, namedProperty(name, each)]);
  return { ...simple, properties: Object.fromEntries(named) };
}

function namedProperty(name: string, value: unknown): unknown {
  const property = refinedValue(value);
  if (typeof property !== 'object' || property === null) return property;
  return formatted(name, property as Json);
}

export function formatted(name: string, schema: Json): Json {
  return {
    ...schema,
    ...(schema.type === 'integer' ? { format: 'int64' } : {}),
    ...namedFormat(name, schema),
    ...defined({ deprecated: DEPRECATED.includes(name) || undefined }),
  };
}

/** Replaces a tuple with a list whose entries have the first schema: generators do not support tuples. */
function withoutPlaces(schema: Json): Json {
  const { prefixItems, items, ...rest } = schema;
  if (!Array.isArray(prefixItems)) return schema;
  return { ...rest, items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length };
}

/** The generator for Python writes code for it that does not compile. */
function withoutBooleanConst(schema: Json): Json {
  const { const: only, ...rest } = schema;
  return typeof only === 'boolean' ? { ...rest, type: 'boolean', enum: [only] } : schema;
}

/** In some languages, the names of numeric enumerations do not compile. */
function withoutNumberEnum(schema: Json): Json {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values) || !values.every((each) => Number.isInteger(each))) return schema;
  const description = [rest.description, `One of ${values.join(', ')}.`].filter(Boolean).join(' ');
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
  const isEven = values.length === maximum / minimum && values.every((each) => each % minimum === 0);
  const between = Array.from({ length: maximum - minimum }, (_, index) => minimum + index);
  const gaps = between.filter((each) => !values.includes(each)).map((each) => ({ const: each }));
  const others = isEven
    ? { multipleOf: minimum }
    : gaps.length > 0
      ? { not: gaps.length > 1 ? { anyOf: gaps } : gaps[0] }
      : {};
  return { ...rest, type: 'integer', minimum, maximum, ...others, description };
}

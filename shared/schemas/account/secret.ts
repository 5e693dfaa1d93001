import type { AnySchema } from '../fields/any-schema.ts';

/** Replaces a credential in a response. */
export const REDACTED = '[redacted]';

/** Returns the schema, marked as a credential that models and the studio must not receive. */
export function secret<S extends AnySchema>(schema: S): S {
  return { ...schema, isSecret: true };
}

/** Replaces every credential in a response by its schema. An object with one keeps only the fields that the schema names. */
export function redacted(schema: AnySchema, value: unknown): unknown {
  if (value === undefined || value === null || !hasSecret(schema)) return value;
  if ('isSecret' in schema) return REDACTED;
  if (Array.isArray(value)) return value.map((each) => redactedBy(innerSchemas(schema), each));
  if (typeof value !== 'object' || isWrapper(schema)) return redactedBy(innerSchemas(schema), value);
  const { entries } = schema as { entries?: Record<string, AnySchema> };
  const pairs = Object.entries(value).flatMap(([name, field]) => {
    const known = entries ? entries[name] : innerSchemas(schema)[0];
    return known ? [[name, redacted(known, field)]] : [];
  });
  return Object.fromEntries(pairs);
}

function redactedBy(schemas: readonly AnySchema[], value: unknown): unknown {
  return schemas.reduce((result, each) => redacted(each, result), value);
}

/** True if responses of the schema can have a credential. */
export function hasSecret(schema: AnySchema): boolean {
  return 'isSecret' in schema || innerSchemas(schema).some(hasSecret);
}

const isWrapper = (schema: AnySchema) => 'wrapped' in schema || 'options' in schema;

/** Schemas of the parts of a value: fields, entries, choices, or the value that may be absent. */
function innerSchemas(schema: AnySchema): AnySchema[] {
  const { entries, wrapped, item, items, options, value } = schema as {
    entries?: Record<string, AnySchema>;
    wrapped?: AnySchema;
    item?: AnySchema;
    items?: readonly unknown[];
    options?: readonly unknown[];
    value?: AnySchema;
  };
  const several = [...Object.values(entries ?? {}), ...(items ?? []), ...(options ?? [])];
  return [...several, wrapped, item, value].filter(isSchema);
}

function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

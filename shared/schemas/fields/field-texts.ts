import type { AnySchema } from './any-schema.ts';

/** The description of a field, alone or with descriptions of the fields of its object or of its list's entries. */
type FieldText = string | readonly [text: string, fields: { readonly [name: string]: FieldText }];
export type FieldTexts = { readonly [name: string]: FieldText };

/** The names of a schema's fields, inside of lists too. */
type NamesOf<S> = S extends { entries: infer E }
  ? keyof E
  : S extends { item: infer I }
    ? NamesOf<I>
    : S extends { wrapped: infer W }
      ? NamesOf<W>
      : S extends { options: readonly (infer O)[] }
        ? NamesOf<O>
        : string;

type Described = { texts: Record<string, string>; like: AnySchema | undefined };
const described = new WeakMap<object, Described>();

/**
 * Stores the descriptions of a schema's fields, for the OpenAPI document. Fields without a text here take it from `like`. Called
 * in the `*.texts.ts` of the folder, which functions do not import. Throws for an unknown field name.
 */
export function describeFields<const S extends AnySchema>(
  schema: S,
  table: { readonly [N in NamesOf<S>]?: FieldText },
  like?: AnySchema,
): void {
  store(schema, table as FieldTexts, like);
}

function store(schema: AnySchema, table: FieldTexts, like: AnySchema | undefined): void {
  const objects = objectsIn(schema);
  for (const [name, text] of Object.entries(table)) {
    const owners = objects.filter(({ entries }) => Object.hasOwn(entries, name));
    if (owners.length === 0) throw new Error(`${name} is no field of the schema that is described`);
    for (const { entries } of owners) {
      const inner = entries[name];
      if (typeof text !== 'string' && inner) store(inner, text[1], undefined);
    }
  }
  for (const object of objects) {
    const known = described.get(object);
    const texts = Object.entries(table).flatMap(([name, text]) =>
      Object.hasOwn(object.entries, name) ? [[name, typeof text === 'string' ? text : text[0]]] : [],
    );
    described.set(object, {
      texts: { ...known?.texts, ...Object.fromEntries(texts) },
      like: like ?? known?.like,
    });
  }
}

/** The text of a field of an object schema; undefined when none is stored. */
export function findFieldText(schema: AnySchema, name: string): string | undefined {
  for (const object of objectsIn(schema)) {
    const { texts, like } = described.get(object) ?? { texts: {}, like: undefined };
    const text = texts[name] ?? (like && findFieldText(like, name));
    if (text !== undefined) return text;
  }
  return undefined;
}

type ObjectSchema = AnySchema & { entries: Record<string, AnySchema> };

/** The objects that a schema is: itself, the entries of a list or a record, or the choices of a union. */
function objectsIn(schema: AnySchema): ObjectSchema[] {
  const base = baseOf(schema);
  if ('entries' in base) return [base as ObjectSchema];
  if ('wrapped' in base) return objectsIn(base.wrapped as AnySchema);
  if ('item' in base) return objectsIn(base.item as AnySchema);
  if (base.type === 'record' && 'value' in base) return objectsIn(base.value as AnySchema);
  if ('options' in base && base.type === 'union') return (base.options as AnySchema[]).flatMap(objectsIn);
  return [];
}

/** A schema without the checks that a pipe adds to it. */
function baseOf(schema: AnySchema): AnySchema {
  return 'pipe' in schema && Array.isArray(schema.pipe) ? baseOf(schema.pipe[0]) : schema;
}

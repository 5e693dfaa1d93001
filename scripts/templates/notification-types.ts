import { type Entry, nameIn } from './template-files.ts';

type Fields = Readonly<Record<string, unknown>>;

const HEAD = `// Written by \`npm run templates -- types\`: the notification types and their parameters, for createClient<Notifications>().
export type Notifications = {
`;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the declarations of an environment's types: parameters by the type's schema, otherwise the names that its templates have
 * samples for.
 */
export function declarationsOf(entries: readonly Entry[]): string {
  const types = entries.filter(({ path }) => path.startsWith('types/'));
  const lines = types.map(({ path, value: { title, parametersSchema } }) => {
    const id = nameIn(path).id;
    const text = isObject(parametersSchema)
      ? typeOf(parametersSchema, parametersSchema)
      : sampledType(entries, path);
    const about =
      typeof title === 'string' ? `  /** ${title.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n` : '';
    return `${about}  ${JSON.stringify(id)}: ${text};\n`;
  });
  return `${HEAD}${lines.join('')}};\n`;
}

function sampledType(entries: readonly Entry[], typePath: string): string {
  const folder = `${typePath.replace('types/', 'templates/')}/`;
  const samples = entries.filter(({ path }) => path.startsWith(folder)).map(({ value }) => value.samples);
  const names = new Set(samples.flatMap((each) => Object.keys(isObject(each) ? each : {})));
  names.delete('_items');
  const fields = [...names].sort().map((name) => `${JSON.stringify(name)}?: unknown`);
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<string, unknown>';
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The type of what a schema accepts, or of more: what TypeScript cannot state is `unknown`. */
function typeOf(schema: unknown, root: Fields, seen: readonly string[] = []): string {
  if (!isObject(schema)) return schema === false ? 'never' : 'unknown';
  const next = (each: unknown) => typeOf(each, root, seen);
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
  const parts = [
    typeof $ref === 'string' && referred($ref, root, seen),
    'const' in schema && JSON.stringify(schema.const),
    Array.isArray(values) && union(values.map((value) => JSON.stringify(value))),
    Array.isArray(anyOf) && union(anyOf.map(next)),
    Array.isArray(oneOf) && union(oneOf.map(next)),
    ...(Array.isArray(allOf) ? allOf.map(next) : []),
    !('const' in schema || values) && byType(type, schema, next),
  ].filter((part) => typeof part === 'string' && part !== 'unknown');
  if (parts.length > 1) return parts.map((part) => `(${part})`).join(' & ');
  return String(parts[0] ?? 'unknown');
}

const union = (texts: readonly string[]) => [...new Set(texts)].join(' | ');

function referred(reference: string, root: Fields, seen: readonly string[]): string {
  if (seen.includes(reference) || !reference.startsWith('#/')) return 'unknown';
  const names = reference.split('/').slice(1);
  const found = names.reduce<unknown>(
    (value, name) => (value as Fields | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
  return typeOf(found, root, [...seen, reference]);
}

function byType(type: unknown, schema: Fields, next: (schema: unknown) => string): string {
  const names = type === undefined ? ('properties' in schema ? ['object'] : []) : [type].flat();
  const texts = names.map((name) => {
    if (name === 'array') return `Array<${next(schema.prefixItems ? true : (schema.items ?? true))}>`;
    return name === 'object' ? objectType(schema, next) : (PLAIN[String(name)] ?? 'unknown');
  });
  return texts.length > 0 ? union(texts) : 'unknown';
}

function objectType(
  { properties, required, additionalProperties, patternProperties }: Fields,
  next: (schema: unknown) => string,
): string {
  const needed = Array.isArray(required) ? required : [];
  const known = isObject(properties) ? properties : {};
  const names = [...new Set([...Object.keys(known), ...needed])];
  const fields = names.map(
    (name) => `${JSON.stringify(name)}${needed.includes(name) ? '' : '?'}: ${next(known[name] ?? true)}`,
  );
  const isOpen = names.length === 0 && additionalProperties !== false;
  if (isOpen) return `Record<string, ${next(additionalProperties ?? true)}>`;
  const isMore =
    isObject(patternProperties) || additionalProperties === true || isObject(additionalProperties);
  const stated = fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<string, never>';
  if (isMore) return fields.length > 0 ? `${stated} & Record<string, unknown>` : 'Record<string, unknown>';
  return stated;
}

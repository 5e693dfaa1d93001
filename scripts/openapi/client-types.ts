export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/** Returns the TypeScript type of a schema. Objects become multi-line literals, indented for `depth`. */
export function typeOf(schema: JsonSchema | boolean | undefined, depth = 0): string {
  if (schema === undefined || typeof schema === 'boolean') return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((each) => typeOf(each, depth)));
  if (schema.allOf) return schema.allOf.map((each) => wrapped(typeOf(each, depth))).join(' & ');
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, depth)));
  }
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map((each) => typeOf(each, depth)).join(', ')}]`;
      return `${wrapped(typeOf(schema.items, depth))}[]`;
    case 'object':
      return objectType(schema, depth);
    default:
      return schema.properties ? objectType(schema, depth) : 'unknown';
  }
}

function objectType(schema: JsonSchema, depth: number): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const open =
    additionalProperties === undefined || typeof additionalProperties === 'boolean'
      ? 'unknown'
      : typeOf(additionalProperties, depth);
  const names = Object.keys(properties);
  if (names.length === 0)
    return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${open}>`;
  const indent = '  '.repeat(depth + 1);
  const fields = names.map((name) => {
    const field = properties[name] ?? {};
    const isOptional = !required.includes(name);
    return `${docOf(field, indent)}${indent}${keyOf(name)}${isOptional ? '?' : ''}: ${typeOf(field, depth + 1)};\n`;
  });
  return `{\n${fields.join('')}${'  '.repeat(depth)}}`;
}

export function docOf({ description, deprecated }: JsonSchema, indent: string): string {
  const text = [description, deprecated ? '@deprecated' : undefined].filter(Boolean).join(' ');
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

/** Puts a union or an intersection in parentheses; those inside of braces stay as they are. */
function wrapped(type: string): string {
  let depth = 0;
  for (const letter of type.replaceAll(/\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"/g, '')) {
    if ('{[('.includes(letter)) depth += 1;
    else if ('}])'.includes(letter)) depth -= 1;
    else if (depth === 0 && '|&'.includes(letter)) return `(${type})`;
  }
  return type;
}

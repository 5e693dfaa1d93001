type Schema = { [keyword: string]: unknown };

/**
 * Returns a JSON Schema that these values match: a draft, because samples do not show what else is allowed. `required` names
 * what every value has; with `isUnion`, as for samples of one object from several places, what any has.
 */
export function schemaOf(values: readonly unknown[], isUnion = false): Schema {
  const types = [...new Set(values.map(typeOf))];
  // What may be null has unknown values otherwise.
  if (types.includes('null')) return {};
  const objects = values.filter((each) => typeOf(each) === 'object') as object[];
  const entries = values.flatMap((each) => (Array.isArray(each) ? each : []));
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  const required = names.filter((name) => isUnion || objects.every((each) => Object.hasOwn(each, name)));
  const properties = names.map((name): [string, Schema] => {
    const found = objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name as never]] : []));
    return [name, schemaOf(found, isUnion)];
  });
  return {
    ...(types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(names.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(entries.length > 0 ? { items: schemaOf(entries) } : {}),
  };
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

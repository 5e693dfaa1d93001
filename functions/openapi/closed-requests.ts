type Json = Record<string, unknown>;

/** JSON and the table keep these without changing a digit. */
const { MAX_SAFE_INTEGER: NUMBER_MAX } = Number;

/** The keys that no map may have: assigning them could change an object's prototype. */
const RESERVED = { not: { enum: ['__proto__', 'constructor', 'prototype'] } };

/**
 * Says of requests that they accept no other fields and which numbers; responses may get further fields. A shape that
 * is in both has a closed copy for requests, `…Input`.
 */
export function withClosedRequests(
  paths: Json,
  schemas: Json,
  others: unknown,
): { paths: Json; schemas: Json } {
  const operations = Object.values(paths).flatMap((methods) => Object.values(Object(methods)) as Json[]);
  const inRequests = namesIn(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const inResponses = namesIn([others, ...operations.map(({ responses }) => responses)], schemas);
  const isShared = (name: string) =>
    inResponses.has(name) &&
    JSON.stringify(closed(schemas[name], (each) => each)) !== JSON.stringify(schemas[name]);
  const shared = new Set([...inRequests].filter(isShared));
  const rename = (name: string) => (shared.has(name) ? `${name}Input` : name);
  const requests = [...inRequests].map((name) => [rename(name), closed(schemas[name], rename)]);
  return {
    schemas: Object.fromEntries(Object.entries({ ...schemas, ...Object.fromEntries(requests) }).sort()),
    paths: mapped(paths, (methods) =>
      mapped(methods as Json, (operation) => {
        const { requestBody, ...rest } = operation as Json;
        return { ...rest, ...(requestBody ? { requestBody: closed(requestBody, rename) } : {}) };
      }),
    ),
  };
}

const mapped = (values: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const nameOf = (ref: unknown) => /^#\/components\/schemas\/(.+)$/.exec(String(ref))?.[1];

function namesIn(value: unknown, schemas: Json, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    const name = key === '$ref' ? nameOf(inner) : undefined;
    if (name === undefined) namesIn(inner, schemas, found);
    else if (!found.has(name)) namesIn(schemas[name], schemas, found.add(name));
  }
  return found;
}

function closed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => closed(each, rename));
  if (typeof value !== 'object' || value === null) return value;
  const { example, ...schema } = value as Json;
  const name = nameOf(schema.$ref);
  if (name) return { ...schema, $ref: `#/components/schemas/${rename(name)}` };
  const inner = mapped(schema, (each) => closed(each, rename));
  return { ...inner, ...limitsOf(schema), ...(example === undefined ? {} : { example }) };
}

function limitsOf({
  type,
  properties,
  additionalProperties,
  propertyNames,
  minimum,
  maximum,
  enum: values,
}: Json): Json {
  if (type === 'number' || type === 'integer')
    return values ? {} : { minimum: minimum ?? -NUMBER_MAX, maximum: maximum ?? NUMBER_MAX };
  if (type !== 'object') return {};
  if (properties) return { additionalProperties: additionalProperties ?? false };
  return { propertyNames: propertyNames ?? RESERVED };
}

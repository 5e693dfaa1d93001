import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

type Json = Record<string, unknown>;

const asJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The document of the last release. `node test/support/release-document.ts` writes it with a release. */
const RELEASED = join(import.meta.dirname, 'data/released-openapi.json.br');
const released = JSON.parse(brotliDecompressSync(readFileSync(RELEASED)).toString()) as Json;

/** What breaks a caller of `before`, by its place: `request` may only accept more, a response only have more. */
function breaksOf(before: Json, after: Json): string[] {
  const breaks: string[] = [];
  for (const [path, methods] of Object.entries(asJson(before.paths)))
    for (const [method, operation] of Object.entries(asJson(methods))) {
      const place = `${method.toUpperCase()} ${path}`;
      const next = asJson(asJson(asJson(after.paths)[path])[method]);
      if (next.responses === undefined) breaks.push(`${place} is gone`);
      else compareOperation(place, asJson(operation), next);
    }
  return breaks;

  function compareOperation(place: string, old: Json, next: Json): void {
    const parametersOf = ({ parameters }: Json, document: Json) =>
      new Map(
        asList(parameters).map((each) => {
          const resolved = asJson(resolve(each, document));
          return [`${resolved.in} ${resolved.name}`, resolved];
        }),
      );
    const [had, has] = [parametersOf(old, before), parametersOf(next, after)];
    for (const [name, each] of had) {
      const now = has.get(name);
      if (now) compare(`${place} ${name}`, each.schema, now.schema, 'request', []);
      else breaks.push(`${place} ${name} is gone`);
    }
    for (const [name, { required }] of has)
      if (required && !had.get(name)?.required) breaks.push(`${place} ${name} is required`);
    const bodyOf = ({ requestBody }: Json) =>
      asJson(asJson(asJson(requestBody).content)['application/json']).schema;
    if (asJson(next.requestBody).required && !asJson(old.requestBody).required)
      breaks.push(`${place} needs a body`);
    compare(`${place} body`, bodyOf(old), bodyOf(next), 'request', []);
    for (const [status, response] of Object.entries(asJson(old.responses)).filter(([each]) =>
      each.startsWith('2'),
    )) {
      const now = asJson(next.responses)[status];
      const schemaOf = (value: unknown) => asJson(asJson(asJson(value).content)['application/json']).schema;
      if (now === undefined) breaks.push(`${place} has no ${status}`);
      else compare(`${place} ${status}`, schemaOf(response), schemaOf(now), 'response', []);
    }
  }

  function compare(
    place: string,
    oldSchema: unknown,
    newSchema: unknown,
    side: 'request' | 'response',
    inside: string[],
  ): void {
    if (oldSchema === undefined) return;
    const name = String(asJson(oldSchema).$ref ?? '');
    if (name && inside.includes(name)) return;
    const within = name ? [...inside, name] : inside;
    const [old, next] = [asJson(resolve(oldSchema, before)), asJson(resolve(newSchema, after))];
    const optionsOf = ({ anyOf, oneOf }: Json) => asList(anyOf ?? oneOf).map((each) => typeText(each));
    if (
      old.type !== undefined &&
      next.type !== undefined &&
      String(old.type) !== String(next.type) &&
      !(side === 'request' && next.type === 'number')
    )
      breaks.push(`${place}: ${old.type} became ${next.type}`);
    const [hadValues, hasValues] = [valuesOf(old), valuesOf(next)];
    if (side === 'request' && hasValues.length > 0)
      for (const value of hadValues)
        if (!hasValues.includes(value)) breaks.push(`${place} accepts no ${value}`);
    // The first release checked the channel of a path without saying so.
    const isStated = place.endsWith(' path channel');
    const isListed = hadValues.length === 0 && hasValues.length > 0 && optionsOf(old).length === 0;
    if (side === 'request' && isListed && !isStated) breaks.push(`${place} accepts listed values only`);
    const [hadRequired, hasRequired] = [asList(old.required), asList(next.required)];
    const stricter =
      side === 'request'
        ? hasRequired.filter((each) => !hadRequired.includes(each))
        : hadRequired.filter((each) => !hasRequired.includes(each));
    for (const each of stricter)
      breaks.push(`${place}.${each} is ${side === 'request' ? 'required' : 'not always there'}`);
    for (const [field, each] of Object.entries(asJson(old.properties))) {
      const now = asJson(next.properties)[field];
      if (now === undefined) breaks.push(`${place}.${field} is gone`);
      else compare(`${place}.${field}`, each, now, side, within);
    }
    if (old.items !== undefined) compare(`${place}[]`, old.items, next.items, side, within);
    // The first release had limits that its document did not state.
    for (const limit of ['maxLength', 'maxItems', 'maximum'] as const)
      if (side === 'request' && Number(next[limit] ?? Infinity) < Number(old[limit] ?? -Infinity))
        breaks.push(`${place}: ${limit} is smaller`);
    for (const limit of ['minLength', 'minItems', 'minimum'] as const)
      if (side === 'request' && Number(next[limit] ?? -Infinity) > Number(old[limit] ?? Infinity))
        breaks.push(`${place}: ${limit} is larger`);
  }

  function typeText(schema: unknown): string {
    const { $ref, type } = asJson(schema);
    return String($ref ?? type);
  }
}

/** A constant is a list of one value. */
const valuesOf = (schema: Json) => asList('const' in schema ? [schema.const] : schema.enum);

function resolve(value: unknown, document: Json): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)/.exec(String(asJson(value).$ref ?? '')) ?? [];
  return name ? asJson(asJson(document.components)[kind])[name] : value;
}

/** What the route table yields: `openapi.test.ts` compares the two. */
const present = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8')) as Json;

describe('the OpenAPI document', () => {
  it('breaks no caller of the last release', () => {
    expect(breaksOf(released, present)).toEqual([]);
    expect(breaksOf(released, structuredClone(released))).toEqual([]);
  });

  it.each<[string, (document: Json) => void, string]>([
    ['an operation is removed', ({ paths }) => delete (paths as Json)['/send'], 'POST /send is gone'],
    [
      'a field of a request is required',
      (document) => Object.assign(schemaIn(document, 'SendRequest'), { required: ['parameters'] }),
      'POST /send body.parameters is required',
    ],
    [
      'a field of a response is removed',
      (document) => delete asFields(schemaIn(document, 'SendResult')).messages,
      'POST /send 200.messages is gone',
    ],
    [
      'a field changes its type',
      (document) => Object.assign(asFields(schemaIn(document, 'User')).createdAt ?? {}, { type: 'integer' }),
      'GET /users/{userId} 200.createdAt: string became integer',
    ],
    [
      'a value is no longer accepted',
      (document) => asList(schemaIn(document, 'Channel').enum).splice(0, 1),
      'POST /send body.forceChannels[] accepts no EMAIL',
    ],
  ])('fails if %s', (_, change, expected) => {
    const changed = structuredClone(released);
    change(changed);
    const breaks = breaksOf(released, changed);
    expect(breaks).toContain(expected);
  });
});

function schemaIn({ components }: Json, name: string): Json {
  return (asJson(components).schemas as Record<string, Json>)[name] ?? {};
}

const asFields = ({ properties }: Json) => properties as Record<string, object>;

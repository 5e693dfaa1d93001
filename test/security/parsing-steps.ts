import { ROUTES } from '../../functions/routes.ts';
import { parseForm } from '../../shared/channels/phone/form.ts';
import { readRequest } from '../../shared/http/endpoint/event.ts';
import { parseBody } from '../../shared/http/endpoint/json-body.ts';
import { parsePart } from '../../shared/http/endpoint/parse.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems/problems.ts';
import { nodeOf, type SchemaNode, unwrapped } from '../../shared/http/problems/schema-node.ts';
import type { AnySchema } from '../../shared/schemas/fields/any-schema.ts';
import { SendRequest } from '../../shared/schemas/sending/send-request.ts';
import { createStepCounter } from '../support/steps.ts';

/** Steps of one kind of input at n and 4n. */
export type Growth = { parser: string; input: string; steps: number[] };

const SIZE = 100;
const SIZES = [SIZE, 4 * SIZE];

/** Values that nobody sends by accident, of size `n`, as JSON. */
const HOSTILE: Record<string, (n: number) => string> = {
  'empty lists': (n) => listOf(n, '[]'),
  'empty objects': (n) => listOf(n, '{}'),
  texts: (n) => listOf(n, '"x"'),
  'fields that are infinite numbers': (n) => objectOf(n, '-1e400'),
  'a long text': (n) => `"${'x@'.repeat(n)}"`,
};

function listOf(n: number, json: string): string {
  return `[${Array.from({ length: n }, () => json).join(',')}]`;
}

function objectOf(n: number, json: string): string {
  return `{${Array.from({ length: n }, (_, index) => `"k${index}":${json}`).join(',')}}`;
}

/** JSON with `hostile` in the place of the whole value, and of each field and entry down to `depth`. */
function placesFor(schema: SchemaNode, hostile: string, depth: number): string[] {
  const { entries, item } = unwrapped(schema);
  if (depth === 0) return [hostile];
  const inFields = Object.entries(entries ?? {}).flatMap(([name, entry]) =>
    placesFor(entry, hostile, depth - 1).map((json) => `{"${name}":${json}}`),
  );
  const inItems = item ? placesFor(item, hostile, depth - 1).map((json) => `[${json}]`) : [];
  return [hostile, ...inFields, ...inItems];
}

/** As an endpoint parses it. */
function parse(part: string, schema: AnySchema, json: string): void {
  rejecting(() => {
    const problems: Problem[] = [];
    parsePart(part, schema, parseBody(json), problems);
    assertNoProblems(problems);
  });
}

/** The kind of problem in the input does not matter here. */
function rejecting(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AppError') throw error;
  }
}

const countSteps = createStepCounter();

async function growthOf(parser: string, input: string, work: (n: number) => () => void): Promise<Growth> {
  const works = SIZES.map(work);
  works[0]?.();
  return { parser, input, steps: await countSteps(works) };
}

const schemas = ROUTES.flatMap(({ id, body, query, pathParameters }) => [
  { id, part: 'body', schema: body },
  { id, part: 'query', schema: query },
  { id, part: 'path', schema: pathParameters },
]);
const ofSchemas = schemas.flatMap(({ id, part, schema }) =>
  schema
    ? Object.entries(HOSTILE).map(
        ([input, make]) =>
          () =>
            growthOf(`${id} ${part}`, input, (n) => {
              const values = placesFor(nodeOf(schema), make(n), 2);
              return () => {
                for (const json of values) parse(part, schema, json);
              };
            }),
      )
    : [],
);

const names = (n: number) => Array.from({ length: n }, (_, index) => `k${index}`);
const others = [
  () =>
    growthOf('form of a callback', 'many names', (n) => {
      const form = names(n).join('&');
      return () => rejecting(() => void parseForm(form));
    }),
  () =>
    growthOf('form of a callback', 'one name', (n) => {
      const form = names(n)
        .map(() => 'k')
        .join('&');
      return () => rejecting(() => void parseForm(form));
    }),
  () =>
    growthOf('body', 'a long name', (n) => {
      const json = `{"${'x'.repeat(n)}":1}`;
      return () => parse('body', SendRequest, json);
    }),
  () =>
    growthOf('body', 'deep lists', (n) => {
      const json = '['.repeat(n) + ']'.repeat(n);
      return () => parse('body', SendRequest, json);
    }),
  () =>
    growthOf('request', 'many query parameters', (n) => {
      const queryStringParameters = Object.fromEntries(names(n).map((name) => [name, '']));
      return () => void readRequest({ queryStringParameters, headers: queryStringParameters });
    }),
];

const growths: Growth[] = [];
for (const grow of [...ofSchemas, ...others]) growths.push(await grow());
console.log(JSON.stringify(growths));

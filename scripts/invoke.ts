import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { ROUTES } from '../functions/routes.ts';
import { print, printableJson, printableLines } from '../infra/terminal.ts';
import type { DirectEvent } from '../shared/http/endpoint/event.ts';
import { fileNameOf, type Route } from '../shared/http/rows/route.ts';
import { defined } from '../shared/runtime/values/defined.ts';
import { findJson } from '../shared/runtime/values/find-json.ts';
import { CommandError, EXIT, option, runCommand } from './frame/command.ts';
import { DEPLOYMENT_OPTIONS, LOCAL_OPTION, openDeployment } from './frame/deployment.ts';

const OPTIONS = {
  path: option.values('<name=value>', 'a path parameter; repeatable, as are the next two'),
  query: option.values('<name=value>', 'a query parameter'),
  header: option.values('<name=value>', 'a header, such as x-user-hash=…'),
  body: option.value('<JSON | @file>', 'the body'),
  key: option.value('<credential>', 'API key or access token (default: NDS_KEY)'),
  local: LOCAL_OPTION,
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Invokes an endpoint's function directly, bypassing API Gateway, with the minimal event {headers, pathParameters,
queryStringParameters, body}. Operations are the operationIds of docs/openapi.json.

npm run invoke -- send --body '{"type": "hello", "to": {"id": "ada"}, "inapp": {"title": "Hello"}}'
npm run invoke -- getLogs --path trackingIds=019a0b6e-7c1e-7000-8000-2f5d0c9a1b11
npm run invoke -- getStatus --local`;

type Given = {
  path?: string[] | undefined;
  query?: string[] | undefined;
  header?: string[] | undefined;
  body?: string | undefined;
  key?: string | undefined;
};

const usage = (message: string) => new CommandError(message, EXIT.usage);

function routeOf(positionals: readonly string[]): Route {
  const [id, ...more] = positionals;
  if (!id || more.length > 0) throw usage('Pass one operation, such as send. --help lists the options.');
  const found = ROUTES.find((row) => row.id === id || fileNameOf(row.id) === id);
  if (found) return found;
  const close = ROUTES.filter((row) => row.id.toLowerCase().includes(id.toLowerCase())).map((row) => row.id);
  const hint = close.length > 0 ? `perhaps ${close.join(', ')}` : 'docs/openapi.json lists all of them';
  throw usage(`The operation ${id} does not exist: ${hint}.`);
}

function eventOf(row: Route, options: Given): DirectEvent {
  const pathParameters = pairsOf('--path', options.path);
  const queryStringParameters = pairsOf('--query', options.query);
  const missing = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  for (const name of missing)
    if (!pathParameters[name]) throw usage(`${row.id} needs --path ${name}=<value>.`);
  const body = options.body === undefined ? undefined : readBody(options.body);
  return {
    headers: { ...authorization(row, options.key), ...pairsOf('--header', options.header) },
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
    ...(Object.keys(queryStringParameters).length > 0 ? { queryStringParameters } : {}),
    ...defined({ body }),
  };
}

function authorization({ id, access }: Route, keyOption: string | undefined): Record<string, string> {
  const key = keyOption ?? process.env.NDS_KEY;
  if (key) return { authorization: `Bearer ${key}` };
  if (access === 'none') return {};
  throw usage(`${id} needs a credential: --key <API key or access token>, or set NDS_KEY.`);
}

function pairsOf(option: string, pairs: readonly string[] = []): Record<string, string> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`${option} must be name=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}

function readBody(text: string): unknown {
  const isFile = text.startsWith('@');
  try {
    return JSON.parse(isFile ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    if (error instanceof SyntaxError) throw usage(`--body is not JSON${isFile ? ' in that file' : ''}.`);
    throw usage(`--body: the file ${text.slice(1)} cannot be read.`);
  }
}

/** An endpoint's result, as Lambda returns it to API Gateway. */
const Result = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.unknown())),
  body: v.optional(v.string(), ''),
});

runCommand(
  {
    about: ABOUT,
    options: OPTIONS,
    exits: `A response with a status other than 2xx is a failure.`,
    hasArguments: true,
  },
  async (values, positionals) => {
    const row = routeOf(positionals);
    const event = eventOf(row, values);
    const { invoke } = await openDeployment(values);
    const { statusCode, headers, body: text } = v.parse(Result, await invoke(fileNameOf(row.id), event));
    const body = findJson(text) ?? text;
    if (values.json) print(printableJson({ statusCode, headers, body }));
    else show(statusCode, body);
    return statusCode >= 200 && statusCode < 300 ? EXIT.done : EXIT.failed;
  },
);

function show(statusCode: number, body: unknown): void {
  console.error(`status ${statusCode}`);
  if (body !== '') print(typeof body === 'string' ? printableLines(body) : printableJson(body, 2));
}

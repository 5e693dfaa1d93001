import middy, { type MiddlewareObj } from '@middy/core';
import * as v from 'valibot';
import { type EditedKind, etagOf, inEdition } from '../../database/items/edition.ts';
import type { Clock } from '../../runtime/clock.ts';
import { clock, type Dependencies, resolve, resolveAll } from '../../runtime/dependency.ts';
import { AppError, ERRORS } from '../../runtime/errors.ts';
import { LAMBDA_BYTES_MAX, RESPONSE_BYTES_MAX } from '../../runtime/response-size.ts';
import { newTrackingId } from '../../runtime/values/ids.ts';
import type { AnySchema } from '../../schemas/fields/any-schema.ts';
import { opened } from '../../schemas/fields/open.ts';
import { authenticate } from '../access/authenticate.ts';
import type { Caller, Person } from '../access/caller.ts';
import { assertEdge, callerAddress } from '../access/edge.ts';
import { invalidCursor, isCursor } from '../lists/cursor.ts';
import { fieldsOf, type RequestCheck, unreported } from '../problems/check.ts';
import { assertNoProblems, type Problem } from '../problems/problems.ts';
import { nodeOf } from '../problems/schema-node.ts';
import { isConditional, type Route } from '../rows/route.ts';
import { CORS_HEADERS } from './cors.ts';
import { type EndpointEvent, type RawRequest, readRequest } from './event.ts';
import { expectedOf, headerProblems } from './header-problems.ts';
import { assertSize, mustOfBody, parseBody } from './json-body.ts';
import { parsePart } from './parse.ts';
import { errorResponse, type HttpResponse, htmlResponse, jsonResponse } from './response.ts';

type ValueOf<R, Part extends string> = R extends { [K in Part]: infer S extends AnySchema }
  ? v.InferOutput<S>
  : undefined;
type CallerOf<R extends Route> = R['access'] extends 'none'
  ? undefined
  : R['access'] extends { person: true }
    ? Person
    : Caller;

/** The input of an operation: the parsed request, the caller, and the dependencies it lists. */
export type OperationInput<R extends Route, D> = D & {
  caller: CallerOf<R>;
  path: ValueOf<R, 'pathParameters'>;
  query: ValueOf<R, 'query'>;
  body: ValueOf<R, 'body'>;
  request: RequestFacts;
  clock: Clock;
};

/** Metadata of a request. */
export type RequestFacts = {
  id: string;
  receivedAtMs: number;
  ip: string | undefined;
  agent: string | undefined;
  isHead?: boolean;
  headers: Record<string, string>;
  /** The body's text and the query as received, for signatures over them. */
  rawBody: unknown;
  rawQuery: string;
  /** Repeats the response to an earlier request under the same idempotency key. */
  isReplayed?: boolean;
};

/**
 * The result of an operation: the route's body; nothing for `empty`; a page for `html`; a text document for
 * `document`; base64 for `gif`; the address to redirect to for `redirect`.
 */
export type OperationResult<R extends Route> = R['response'] extends { body: infer B extends AnySchema }
  ? v.InferOutput<B>
  : R['response'] extends { kind: 'empty' }
    ? undefined
    : R['response'] extends { kind: 'document' | 'file' }
      ? HttpResponse
      : string;

type Context = {
  request: RawRequest;
  facts: RequestFacts;
  caller?: Caller | Person | undefined;
  input?: { path: unknown; query: unknown; body: unknown };
};
/** One Lambda environment serves one request at a time, but the local run serves many: state hangs on the event. */
const contexts = new WeakMap<object, Context>();
type Stage = MiddlewareObj<EndpointEvent, HttpResponse>;

/**
 * The Lambda handler of a route: a Middy stack of request context, error body, bearer auth, input parsing and response around
 * `operation`, which gets the dependencies it lists and returns the route's body. `check` finds problems that the row's schemas
 * cannot find.
 */
export function endpoint<R extends Route, D extends Record<string, unknown>>(
  row: R,
  dependencies: Dependencies<D>,
  operation: (input: OperationInput<R, D>) => Promise<OperationResult<R>>,
  check?: RequestCheck,
): (event: EndpointEvent, context?: unknown) => Promise<HttpResponse> {
  const handler = middy({ timeoutEarlyInMillis: 0 })
    .use(requestContext())
    .use(errorBody(row))
    .use(cheapChecks(row))
    .use(bearerAuth(row))
    .use(inputParsing(row, check))
    .handler(async (event: EndpointEvent) => {
      const context = requestOf(event);
      const input = operationInput<R, D>(context, resolveAll(dependencies));
      const run = async () => WRITERS[row.response.kind](await operation(input), context.facts.id);
      const response = await (row.etag ? withEtag(row, row.etag, context, run) : run());
      // A link is tried, not followed.
      return response.statusCode === 302 && context.facts.isHead
        ? { ...response, statusCode: 200 }
        : response;
    });
  return async (event, context) => {
    // A script may invoke the function with anything.
    if (!isObject(event)) return errorResponse(notAnEvent(), newTrackingId(resolve(clock).now()));
    const response = await asHandler(handler)(event, context ?? {});
    return withHeaders(row, response, contexts.get(event)?.facts.isReplayed);
  };
}

const isObject = (event: unknown) => typeof event === 'object' && event !== null && !Array.isArray(event);
const notAnEvent = () =>
  new AppError('INVALID_REQUEST', {
    message: 'The event must be an object.',
    fix: 'Invoke the function with headers, pathParameters, queryStringParameters and body, as far as it needs them.',
  });

/** Responses to a credential are not stored on the way. Browsers can read the responses of public-key routes. */
function withHeaders(
  { access, cors, deprecated }: Route,
  response: HttpResponse,
  isReplayed = false,
): HttpResponse {
  const headers = {
    ...(isReplayed ? { 'idempotent-replayed': 'true' } : undefined),
    ...(access === 'none' ? undefined : UNCACHED),
    ...response.headers,
    ...(deprecated && deprecationHeaders(deprecated)),
    ...(cors ? CORS_HEADERS : undefined),
  };
  return { ...response, headers };
}

/** Middy's handler types follow Lambda's context and callback; direct callers need the event only. */
function asHandler(handler: unknown): (event: EndpointEvent, context: unknown) => Promise<HttpResponse> {
  return handler as (event: EndpointEvent, context: unknown) => Promise<HttpResponse>;
}

/** RFC 9745 and RFC 8594. */
const deprecationHeaders = ({ since, sunset, successor }: NonNullable<Route['deprecated']>) => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(sunset).toUTCString(),
  link: `<${successor}>; rel="successor-version"`,
});

/** The response with the ETag of the state that the operation has read or left. */
async function withEtag(
  row: Route,
  kind: EditedKind | 'list',
  context: Context,
  run: () => Promise<HttpResponse>,
) {
  const { facts, caller } = context;
  const tagged = (response: HttpResponse, etag: string) => ({
    ...response,
    headers: { ...response.headers, etag },
  });
  if (kind === 'list') return run().then((response) => tagged(response, etagOf(response.body)));
  const by = caller && 'memberId' in caller ? caller.memberId : undefined;
  const edition: Parameters<typeof inEdition>[0] = {
    kind,
    nowMs: facts.receivedAtMs,
    by: by ?? (caller && 'keyId' in caller ? caller.keyId : undefined),
    expected: isConditional(row) ? expectedOf(facts.headers) : undefined,
  };
  const response = await inEdition(edition, run);
  return row.method === 'DELETE' || !edition.etag ? response : tagged(response, edition.etag);
}

/** The parsed values have the route's types: the schemas that `row` names have just parsed them. */
function operationInput<R extends Route, D>(context: Context, resolved: D): OperationInput<R, D> {
  const input = {
    ...resolved,
    ...context.input,
    caller: context.caller,
    request: context.facts,
    clock: resolve(clock),
  };
  return input as unknown as OperationInput<R, D>;
}

function requestOf(event: EndpointEvent): Context {
  const context = contexts.get(event);
  if (!context) throw new Error('the request context stage has not run');
  return context;
}

function requestContext(): Stage {
  return {
    before: ({ event }) => {
      const request = readRequest(event);
      const receivedAtMs = resolve(clock).now();
      const { agent, isHead, headers, body: rawBody, rawQuery } = request;
      const ip = callerAddress(request);
      const id = newTrackingId(receivedAtMs);
      const facts = { id, receivedAtMs, ip, agent, isHead, headers, rawBody, rawQuery };
      contexts.set(event, { request, facts });
      assertEdge(request);
    },
  };
}

function errorBody(row: Route): Stage {
  return {
    onError: async (failed) => {
      const id = contexts.get(failed.event)?.facts.id ?? newTrackingId(resolve(clock).now());
      const error = failed.error instanceof AppError ? failed.error : await refusalOf(failed.error);
      const isExpected = error instanceof AppError && ERRORS[error.code].status !== 500;
      if (!isExpected || row.access !== 'none') {
        const recording = await import('./record-failure.ts');
        const request = { event: failed.event, requestId: id, caller: contexts.get(failed.event)?.caller };
        if (isExpected) recording.recordRefusal(row, request, error);
        else recording.recordFault(row, request, error);
      }
      const { accept = '', 'accept-language': language } = contexts.get(failed.event)?.request.headers ?? {};
      if (row.response.kind === 'html' && accept.includes('text/html')) {
        const { errorPage } = await import('./error-page.ts');
        failed.response = errorPage(error, id, language);
      } else failed.response = errorResponse(error, id);
    },
  };
}

/** Loads what errors are named by with the first of them that is not named yet. */
async function refusalOf(error: unknown): Promise<unknown> {
  const { refusedSize } = await import('../../database/items/item-size.ts');
  return refusedSize(error);
}

/** Rejects what can be rejected without work: anyone may call a provider's callback. */
function cheapChecks(row: Route): Stage {
  return {
    before: ({ event }) => {
      const { headers, body } = requestOf(event).request;
      if (row.bodyBytesMax !== undefined && typeof body === 'string') assertSize(body, row.bodyBytesMax);
      if (row.signedBy?.some((name) => !headers[name])) {
        throw new AppError('UNAUTHORIZED', {
          message: 'The signature of the callback is missing.',
          fix: `Only the provider calls this address: it sends ${row.signedBy.join(' and ')}.`,
        });
      }
    },
  };
}

function bearerAuth(row: Route): Stage {
  return {
    before: async ({ event }) => {
      const context = requestOf(event);
      context.caller = await authenticate(row, context.request, resolve(clock));
    },
  };
}

const unreadablePathProblems = ({ unreadablePath }: RawRequest): Problem[] =>
  unreadablePath.map((name) => ({
    where: `path.${name}`,
    must: 'must be an ID, or ~ and the base64url of its UTF-8',
  }));

function inputParsing(row: Route, check?: RequestCheck): Stage {
  return {
    before: async ({ event }) => {
      const context = requestOf(event);
      const { request, caller, facts } = context;
      const unreadable = unreadablePathProblems(request);
      const ofPath: Problem[] = [];
      const path =
        row.pathParameters && parsePart('path', row.pathParameters, request.pathParameters, ofPath);
      const problems: Problem[] = [
        ...headerProblems(row, request.headers),
        ...unreadable,
        ...unreported(ofPath, unreadable),
      ];
      const query = parseQuery(row, request.query, problems);
      const raw = row.body ? readBody(row, request, problems) : undefined;
      const body = row.body && raw && parsePart('body', row.body, raw.value, problems);
      const parts = {
        path: fieldsOf(request.pathParameters),
        query: fieldsOf(request.query),
        body: raw?.value,
        headers: request.headers,
        caller,
        nowMs: facts.receivedAtMs,
        isInvalid: problems.length > 0,
      };
      const found = check ? await check(parts) : [];
      assertNoProblems([...problems, ...unreported(found, problems)]);
      context.input = { path, query, body };
    },
  };
}

function readBody(row: Route, request: RawRequest, problems: Problem[]): { value: unknown } | undefined {
  try {
    return { value: parseBody(row.bodyOptional ? request.body || {} : request.body, request.encoding) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.push({ where: 'body', must: mustOfBody(error), error });
    return undefined;
  }
}

const NO_QUERY = v.object({});

const CURSORS = ['cursor', 'nextToken'];

/** Public links keep working with the parameters that mail clients and others add to them. */
function parseQuery(row: Route, query: Record<string, string>, problems: Problem[]): unknown {
  if (row.access !== 'none') {
    const field = row.query && nodeOf(row.query).entries?.nextToken ? 'nextToken' : undefined;
    for (const name of CURSORS) {
      const cursor = query[name];
      if (cursor !== undefined && !isCursor(cursor)) {
        problems.push({
          where: `query.${name}`,
          must: 'must be that of the previous page',
          error: invalidCursor(field),
        });
      }
    }
    return parsePart('query', row.query ?? NO_QUERY, query, problems);
  }
  return row.query && parsePart('query', opened(row.query), query, problems);
}

const UNCACHED = { 'cache-control': 'no-store' };

/** The result has the type of the row's kind: `OperationResult` requires it of the operation. */
const WRITERS: Record<Route['response']['kind'], (result: unknown, requestId: string) => HttpResponse> = {
  json: (result, requestId) => fitting(jsonResponse(200, result, requestId)),
  empty: (_, requestId) => ({ statusCode: 204, headers: { 'x-request-id': requestId }, body: '' }),
  html: (result, requestId) => fitting(htmlResponse(200, String(result), requestId)),
  gif: (result, requestId) => ({
    statusCode: 200,
    headers: { 'content-type': 'image/gif', ...UNCACHED, 'x-request-id': requestId },
    body: String(result),
    isBase64Encoded: true,
  }),
  redirect: (result, requestId) => ({
    statusCode: 302,
    headers: { location: String(result), ...UNCACHED, 'x-request-id': requestId },
    body: '',
  }),
  document: (result) => documentOf(result),
  file: (result) => documentOf(result),
};

/** A character of JSON text takes at most three bytes within JSON. */
const BYTES_PER_CHARACTER_MAX = 3;

/** Throws INVALID_REQUEST for what Lambda would reject: a list without pages may have any length. */
function fitting(response: HttpResponse): HttpResponse {
  const isSmall = response.body.length * BYTES_PER_CHARACTER_MAX < RESPONSE_BYTES_MAX;
  if (isSmall || Buffer.byteLength(JSON.stringify(response)) <= LAMBDA_BYTES_MAX) return response;
  throw new AppError('INVALID_REQUEST', {
    message: 'The response would be over 6 MB.',
    fix: 'Request fewer entries with `limit`, or one resource by ID.',
  });
}

/** A `document` row's operation must return a document. */
function documentOf(result: unknown): HttpResponse {
  return result as HttpResponse;
}

import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { type HttpResponse, jsonResponse } from '../../../shared/http/endpoint/response.ts';
import { fileNameOf } from '../../../shared/http/rows/route.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';
import { loadRoute, loadWorker, type RouteHandler, type WorkerHandler } from '../functions/load.ts';
import type { GatewayRequest } from '../gateway/event.ts';
import { lambdaContext } from '../gateway/lambda-context.ts';

/** The path of Lambda's Invoke: an AWS client finds it here too, with the local address as its endpoint. */
const PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const TIMEOUT_SECONDS = 60;

/**
 * Invokes any function directly by its ID, the operation's in kebab-case or the worker's name: POST the event
 * to get the handler's result, as Lambda's Invoke does.
 */
export function createInvocationRoutes(
  load: typeof loadRoute = loadRoute,
): (request: Pick<GatewayRequest, 'method' | 'path' | 'body'>) => Promise<HttpResponse | undefined> {
  return async ({ method, path, body }) => {
    const id = method === 'POST' ? PATH.exec(path)?.[1] : undefined;
    if (id === undefined) return undefined;
    const event = findJson(body.toString('utf8') || '{}');
    if (event === undefined) return failure(400, 'InvalidRequestContentException', 'The event is not JSON.');
    const handler = await findHandler(id, load);
    if (!handler) return failure(404, 'ResourceNotFoundException', 'The function does not exist.');
    return invoke(handler, id, event);
  };
}

async function findHandler(id: string, load: typeof loadRoute): Promise<WorkerHandler | undefined> {
  const row = ROUTES.find((each) => fileNameOf(each.id) === id);
  if (row) return endpointOf(await load(row));
  const worker = WORKERS.find(({ name }) => name === id);
  return worker && loadWorker(worker);
}

/** An endpoint accepts any event and reports what it cannot read. */
function endpointOf(endpoint: RouteHandler): WorkerHandler {
  return (event) => endpoint(event as never);
}

async function invoke(handler: WorkerHandler, id: string, event: unknown): Promise<HttpResponse> {
  try {
    return jsonResponse(200, (await handler(event, lambdaContext(id, TIMEOUT_SECONDS))) ?? null, id);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: 'unknown' };
    const response = jsonResponse(200, { errorType: name, errorMessage: message }, id);
    return { ...response, headers: { ...response.headers, 'x-amz-function-error': 'Unhandled' } };
  }
}

function failure(status: number, name: string, message: string): HttpResponse {
  const response = jsonResponse(status, { Type: 'User', Message: message }, name);
  return { ...response, headers: { ...response.headers, 'x-amzn-errortype': name } };
}

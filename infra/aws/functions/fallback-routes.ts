import type { Stack } from 'aws-cdk-lib';
import type { CfnIntegration } from 'aws-cdk-lib/aws-apigatewayv2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { preflightHeaders } from '../../../shared/http/endpoint/cors.ts';
import { methodsOf, type Route } from '../../../shared/http/rows/route.ts';
import { unknownRouteResponse } from '../../../shared/http/rows/unknown-route.ts';
import { type Platform, pascalOf } from '../platform.ts';
import { createFunction } from './function.ts';
import { createGatewayRoute, integrateFunction } from './gateway-route.ts';

/** A function of a few lines, whose code is in the template: CommonJS, as inline code has to be. */
function integrateInline(
  stack: Stack,
  platform: Platform,
  { id, summary, code, source }: { id: string; summary: string; code: string; source: string },
): CfnIntegration {
  const invoked = createFunction(stack, platform, {
    id,
    summary,
    code: lambda.Code.fromInline(code),
    memoryMb: 128,
    timeoutSeconds: 3,
    statements: [],
    environment: {},
  });
  const apiId = platform.httpApi.id;
  return integrateFunction(stack, pascalOf(id), { apiId, invoked, source, payloadFormatVersion: '2.0' });
}

/**
 * Responds to browsers' preflight requests, only on the paths of rows with `cors`. The CORS configuration of
 * an HTTP API would open every route, and parameter mapping may not set these headers. So OPTIONS is a
 * separate route per path, all to one small function that has the paths' methods. The subsequent requests
 * get their header from the endpoint itself.
 */
export function createPreflight(stack: Stack, platform: Platform, routes: readonly Route[]): IConstruct[] {
  const methods = methodsByPath(routes);
  if (methods.size === 0) return [];
  const integration = integrateInline(stack, platform, {
    id: 'preflight',
    summary: 'Responds to the preflight requests of browsers.',
    code: preflightCode(methods),
    source: '*/OPTIONS/*',
  });
  return [...methods.keys()].map((path) =>
    createGatewayRoute(stack, `Preflight${path.replace(/[^A-Za-z0-9]+/g, '-')}`, {
      apiId: platform.httpApi.id,
      routeKey: `OPTIONS ${path}`,
      integration,
    }),
  );
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { cors, path, method } of routes)
    if (cors) methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}

function preflightCode(methods: ReadonlyMap<string, readonly string[]>): string {
  const byRoute = [...methods].map(([path, each]) => [`OPTIONS ${path}`, preflightHeaders(each)]);
  return `const HEADERS = ${JSON.stringify(Object.fromEntries(byRoute))};
exports.handler = async ({ routeKey }) => ({ statusCode: 204, headers: HEADERS[routeKey] });
`;
}

const ID = '{requestId}';
const METHODS = '{methods}';

/** The `$default` route: requests that match no other get the standard error body, as from the local gateway. */
export function createUnknownRoute(stack: Stack, platform: Platform, routes: readonly Route[]): IConstruct {
  const integration = integrateInline(stack, platform, {
    id: 'unknown-route',
    summary: 'Rejects requests that match no route.',
    code: unknownRouteCode(routes),
    source: '*/$default',
  });
  const apiId = platform.httpApi.id;
  return createGatewayRoute(stack, 'DefaultRoute', { apiId, routeKey: '$default', integration });
}

function unknownRouteCode(routes: readonly Route[]): string {
  const paths = routes.flatMap((row) =>
    methodsOf(row).map((method) => [method, row.path.replace(/\{[^{}]*\}/g, '*')]),
  );
  return `const ROUTES = ${JSON.stringify(paths)};
const NOT_FOUND = ${JSON.stringify(JSON.stringify(unknownRouteResponse([], ID)))};
const WRONG_METHOD = ${JSON.stringify(JSON.stringify(unknownRouteResponse([METHODS], ID)))};
exports.handler = async ({ rawPath, requestContext: { requestId } }) => {
  const segments = rawPath.split('/');
  const isMatch = (path) => {
    const parts = path.split('/');
    return parts.length === segments.length && parts.every((part, at) => (part === '*' ? segments[at] !== '' : part === segments[at]));
  };
  const methods = [...new Set(ROUTES.filter(([, path]) => isMatch(path)).map(([method]) => method))].join(', ');
  const response = (methods === '' ? NOT_FOUND : WRONG_METHOD).replaceAll('${METHODS}', methods);
  return JSON.parse(response.replaceAll('${ID}', requestId));
};
`;
}

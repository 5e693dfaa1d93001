import type { Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { preflightHeaders } from '../../shared/http/endpoint/cors.ts';
import type { Route } from '../../shared/http/rows/route.ts';
import { allowInvocation, createFunction } from './function.ts';
import { createGatewayRoute, createIntegration } from './gateway-route.ts';
import type { Platform } from './platform.ts';

/**
 * Responds to browsers' preflight requests, only on the paths of rows with `cors`. The CORS configuration of
 * an HTTP API would open every route, and parameter mapping may not set these headers. So OPTIONS is a
 * separate route per path, all to one small function that has the paths' methods. The subsequent requests
 * get their header from the endpoint itself.
 */
export function createPreflight(stack: Stack, platform: Platform, routes: readonly Route[]): IConstruct[] {
  const methods = methodsByPath(routes);
  if (methods.size === 0) return [];
  const apiId = platform.httpApi.id;
  const invoked = createFunction(stack, platform, {
    id: 'preflight',
    summary: 'Responds to the preflight requests of browsers.',
    code: lambda.Code.fromInline(preflightCode(methods)),
    memoryMb: 128,
    timeoutSeconds: 3,
    statements: [],
    environment: {},
  });
  const permission = allowInvocation(stack, 'PreflightPermission', {
    invoked,
    principal: 'apigateway.amazonaws.com',
    sourceArn: stack.formatArn({ service: 'execute-api', resource: apiId, resourceName: '*/OPTIONS/*' }),
  });
  const integration = createIntegration(stack, 'Preflight', {
    apiId,
    permission,
    integrationType: 'AWS_PROXY',
    integrationUri: invoked.functionArn,
    payloadFormatVersion: '2.0',
  });
  return [...methods.keys()].map((path) =>
    createGatewayRoute(stack, `Preflight${path.replace(/[^A-Za-z0-9]+/g, '-')}`, {
      apiId,
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

/** CommonJS, because inline code in a template is CommonJS. */
function preflightCode(methods: ReadonlyMap<string, readonly string[]>): string {
  const byRoute = [...methods].map(([path, each]) => [`OPTIONS ${path}`, preflightHeaders(each)]);
  return `const HEADERS = ${JSON.stringify(Object.fromEntries(byRoute))};
exports.handler = async ({ routeKey }) => ({ statusCode: 204, headers: HEADERS[routeKey] });
`;
}

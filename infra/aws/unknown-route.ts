import type { Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import { methodsOf, type Route } from '../../shared/http/rows/route.ts';
import { unknownRouteAnswer } from '../../shared/http/rows/unknown-route.ts';
import { allowInvocation, createFunction } from './function.ts';
import { createGatewayRoute, createIntegration } from './gateway-route.ts';
import type { Platform } from './platform.ts';

const ID = '{requestId}';
const METHODS = '{methods}';

/** The `$default` route: requests that match no other get the standard error body, as from the local gateway. */
export function createUnknownRoute(stack: Stack, platform: Platform, routes: readonly Route[]): IConstruct {
  const apiId = platform.httpApi.id;
  const invoked = createFunction(stack, platform, {
    id: 'unknown-route',
    summary: 'Rejects requests that match no route.',
    code: lambda.Code.fromInline(unknownRouteCode(routes)),
    memoryMb: 128,
    timeoutSeconds: 3,
    statements: [],
    environment: {},
  });
  const permission = allowInvocation(stack, 'UnknownRoutePermission', {
    invoked,
    principal: 'apigateway.amazonaws.com',
    sourceArn: stack.formatArn({ service: 'execute-api', resource: apiId, resourceName: '*/$default' }),
  });
  const integration = createIntegration(stack, 'UnknownRoute', {
    apiId,
    permission,
    integrationType: 'AWS_PROXY',
    integrationUri: invoked.functionArn,
    payloadFormatVersion: '2.0',
  });
  return createGatewayRoute(stack, 'DefaultRoute', { apiId, routeKey: '$default', integration });
}

/** CommonJS, as inline code has to be. */
function unknownRouteCode(routes: readonly Route[]): string {
  const paths = routes.flatMap((row) =>
    methodsOf(row).map((method) => [method, row.path.replace(/\{[^}]*\}/g, '*')]),
  );
  return `const ROUTES = ${JSON.stringify(paths)};
const NOT_FOUND = ${JSON.stringify(JSON.stringify(unknownRouteAnswer([], ID)))};
const WRONG_METHOD = ${JSON.stringify(JSON.stringify(unknownRouteAnswer([METHODS], ID)))};
exports.handler = async ({ rawPath, requestContext: { requestId } }) => {
  const segments = rawPath.split('/');
  const isMatch = (path) => {
    const parts = path.split('/');
    return parts.length === segments.length && parts.every((part, at) => (part === '*' ? segments[at] !== '' : part === segments[at]));
  };
  const methods = [...new Set(ROUTES.filter(([, path]) => isMatch(path)).map(([method]) => method))].join(', ');
  const answer = (methods === '' ? NOT_FOUND : WRONG_METHOD).replaceAll('${METHODS}', methods);
  return JSON.parse(answer.replaceAll('${ID}', requestId));
};
`;
}

import type { Stack } from 'aws-cdk-lib';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import type { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { allowInvocation } from './function.ts';
import { followUp } from './lanes.ts';

/** The integration of a function with an API, `id` first: created and updated once API Gateway may invoke the function. */
export function createIntegration(
  stack: Stack,
  id: string,
  { permission, ...props }: gateway.CfnIntegrationProps & { permission?: CfnPermission },
): gateway.CfnIntegration {
  const integration = new gateway.CfnIntegration(stack, `${id}Integration`, props);
  if (permission) integration.addResourceDependency(permission);
  followUp(stack, 'gateway', { first: integration, last: integration });
  return integration;
}

/** The integration of a function, which the API may invoke from `source`. */
export function integrateFunction(
  stack: Stack,
  id: string,
  {
    invoked,
    source,
    ...props
  }: Partial<gateway.CfnIntegrationProps> & {
    apiId: string;
    invoked: { functionArn: string };
    source: string;
  },
): gateway.CfnIntegration {
  const permission = allowInvocation(stack, `${id}Permission`, {
    invoked,
    principal: 'apigateway.amazonaws.com',
    sourceArn: stack.formatArn({ service: 'execute-api', resource: props.apiId, resourceName: source }),
  });
  return createIntegration(stack, id, {
    permission,
    integrationType: 'AWS_PROXY',
    integrationUri: invoked.functionArn,
    ...props,
  });
}

/** A route to an integration. All of a stack are created one after the other. */
export function createGatewayRoute(
  stack: Stack,
  id: string,
  {
    integration,
    ...props
  }: Pick<gateway.CfnRouteProps, 'apiId' | 'routeKey'> & {
    integration: gateway.CfnIntegration;
  },
): gateway.CfnRoute {
  const route = new gateway.CfnRoute(stack, id, {
    ...props,
    authorizationType: 'NONE',
    target: `integrations/${integration.ref}`,
  });
  followUp(stack, 'gateway', { first: route, last: route });
  return route;
}

import type { Stack } from 'aws-cdk-lib';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import type { Trigger } from '../../../shared/http/rows/worker.ts';
import { createGatewayRoute, createIntegration, integrateFunction } from '../functions/gateway-route.ts';
import { type Platform, pascalOf } from '../platform.ts';
import type { Connected, Connection } from './connection.ts';

const MESSAGES_PER_SECOND = 500;

/** A route of the WebSocket API. The function on `$connect` authenticates connections. */
export function connectWebSocket({
  stack,
  platform,
  worker,
  trigger,
}: Connection<Extract<Trigger, { kind: 'websocket' }>>): Connected {
  const id = pascalOf(worker.name);
  const apiId = platform.websocketApi.id;
  return {
    statements: [],
    attach(invoked) {
      const { partition, region } = stack;
      const integration = integrateFunction(stack, id, {
        apiId,
        invoked,
        source: `*/${trigger.route}`,
        integrationUri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${invoked.functionArn}/invocations`,
      });
      createGatewayRoute(stack, `${id}Route`, { apiId, routeKey: trigger.route, integration });
    },
  };
}

/**
 * The route of what browsers send, such as the pings that restart API Gateway's ten idle minutes: API Gateway itself accepts
 * them. The one template fits every message, also one that is not JSON.
 */
export function createPingRoute(stack: Stack, { websocketApi: { id: apiId } }: Platform): void {
  const integration = createIntegration(stack, 'Ping', {
    apiId,
    integrationType: 'MOCK',
    requestTemplates: { $default: '{"statusCode":200}' },
    templateSelectionExpression: '\\$default',
  });
  createGatewayRoute(stack, 'PingRoute', { apiId, routeKey: '$default', integration });
}

/** The stage after its routes, so that its first deployment has them. */
export function createWebSocketStage(stack: Stack, { websocketApi }: Platform): void {
  const stage = new gateway.CfnStage(stack, 'WebSocketStage', {
    apiId: websocketApi.id,
    stageName: websocketApi.stageName,
    autoDeploy: true,
    defaultRouteSettings: {
      throttlingRateLimit: MESSAGES_PER_SECOND,
      throttlingBurstLimit: MESSAGES_PER_SECOND,
    },
  });
  for (const route of stack.node.children)
    if (route instanceof gateway.CfnRoute) stage.addResourceDependency(route);
}

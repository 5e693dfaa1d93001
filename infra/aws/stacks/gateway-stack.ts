import { CfnOutput, type Stack } from 'aws-cdk-lib';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import type { Parameters } from '../parameters/parameters.ts';
import { createStack, type Platform, type StackScope } from '../platform.ts';

export type GatewayStack = Pick<Platform, 'httpApi' | 'websocketApi'> & { stack: Stack };

const WEBSOCKET_STAGE = 'live';

/**
 * The two APIs without their routes. They are deployed before the functions, which put the addresses into
 * messages (unsubscribe links, callbacks), and never change with the stacks behind them.
 */
export function createGatewayStack(scope: StackScope, parameters: Parameters): GatewayStack {
  const stack = createStack(scope, 'Gateway', parameters, {
    description: 'Notifications: addresses of the HTTP and the WebSocket API.',
    terminationProtection: parameters.isProtected,
  });
  const http = new gateway.CfnApi(stack, 'HttpApi', {
    name: `${parameters.name}-${parameters.stage}`,
    protocolType: 'HTTP',
    disableExecuteApiEndpoint: parameters.assignedAddress === 'off',
  });
  const websocket = new gateway.CfnApi(stack, 'WebSocketApi', {
    name: `${parameters.name}-${parameters.stage}-websocket`,
    protocolType: 'WEBSOCKET',
    routeSelectionExpression: '$request.body.route',
  });
  // Exported whether or not another stack uses it: an export that others import cannot be removed.
  stack.exportValue(http.attrApiEndpoint);
  const baseUrl = parameters.domainName ? `https://${parameters.domainName}` : http.attrApiEndpoint;
  const host = `${websocket.ref}.execute-api.${stack.region}.${stack.urlSuffix}/${WEBSOCKET_STAGE}`;
  new CfnOutput(stack, 'BaseUrl', { value: baseUrl });
  new CfnOutput(stack, 'WebSocketUrl', { value: `wss://${host}` });
  return {
    stack,
    httpApi: { id: http.ref, baseUrl },
    websocketApi: {
      id: websocket.ref,
      endpoint: `https://${host}`,
      stageName: WEBSOCKET_STAGE,
    },
  };
}

import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Parameters } from '../parameters/parameters.ts';
import type { Platform } from '../platform.ts';

/** The addresses of the service. */
export type GatewayStack = Pick<Platform, 'httpApi' | 'websocketApi'> & {
  stack: Stack;
  domainName: string | undefined;
};

const WEBSOCKET_STAGE = 'live';

/**
 * The two APIs without their routes. They stand before the functions, which put the addresses into what they send
 * (unsubscribe links, callbacks), and never change, whatever happens to the stacks behind them.
 */
export function createGatewayStack(app: App, parameters: Parameters): GatewayStack {
  const stack = new Stack(app, 'Gateway', {
    stackName: `${parameters.name}-${parameters.stage}-gateway`,
    description: 'Notifications: addresses of the HTTP and the WebSocket API.',
    terminationProtection: parameters.isProtected,
  });
  const http = new gateway.CfnApi(stack, 'HttpApi', {
    name: `${parameters.name}-${parameters.stage}`,
    protocolType: 'HTTP',
    disableExecuteApiEndpoint: parameters.domainName !== '',
  });
  const websocket = new gateway.CfnApi(stack, 'WebSocketApi', {
    name: `${parameters.name}-${parameters.stage}-websocket`,
    protocolType: 'WEBSOCKET',
    routeSelectionExpression: '$request.body.route',
  });
  const domain = parameters.domainName ? createDomain(stack, parameters) : undefined;
  const baseUrl = domain ? `https://${parameters.domainName}` : http.attrApiEndpoint;
  const host = `${websocket.ref}.execute-api.${stack.region}.${stack.urlSuffix}/${WEBSOCKET_STAGE}`;
  new CfnOutput(stack, 'BaseUrl', { value: baseUrl });
  new CfnOutput(stack, 'WebSocketUrl', { value: `wss://${host}` });
  return {
    stack,
    domainName: domain?.ref,
    httpApi: { id: http.ref, baseUrl },
    websocketApi: {
      id: websocket.ref,
      endpoint: `https://${host}`,
      url: `wss://${host}`,
      stageName: WEBSOCKET_STAGE,
    },
  };
}

function createDomain(stack: Stack, parameters: Parameters): gateway.CfnDomainName {
  const domain = new gateway.CfnDomainName(stack, 'Domain', {
    domainName: parameters.domainName,
    domainNameConfigurations: [
      { certificateArn: parameters.certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' },
    ],
  });
  new CfnOutput(stack, 'DomainTarget', { value: domain.attrRegionalDomainName });
  if (!parameters.hostedZoneId) return domain;
  for (const type of ['A', 'AAAA']) {
    new route53.CfnRecordSet(stack, `Record${type}`, {
      hostedZoneId: parameters.hostedZoneId,
      name: parameters.domainName,
      type,
      aliasTarget: { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId },
    });
  }
  return domain;
}

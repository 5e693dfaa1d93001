import { CfnOutput, NestedStack, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as route53 from 'aws-cdk-lib/aws-route53';
import { fileNameOf, type ListedRoute, methodsOf } from '../../../shared/http/rows/route.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { environmentOf } from '../environment.ts';
import { createPreflight, createUnknownRoute } from '../functions/fallback-routes.ts';
import { createFunction, FolderCode } from '../functions/function.ts';
import { createGatewayRoute, integrateFunction } from '../functions/gateway-route.ts';
import { queueUp } from '../functions/lanes.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { LEADING_KEYS, leadingKeyCondition } from '../permissions/leading-keys.ts';
import { statementsOf } from '../permissions/role-policy.ts';
import { createStack, nameOf, type Platform, pascalOf, type StackScope } from '../platform.ts';
import type { QueueRow } from '../triggers/queue-address.ts';

export type ApiOptions = {
  platform: Platform;
  routes: readonly ListedRoute[];
  queues: ReadonlyMap<string, QueueRow>;
  codeFolderOf: (row: ListedRoute) => string;
};

/** API Gateway stops waiting after 30 s; the function must respond earlier. */
const TIMEOUT_SECONDS = 28;
const INTEGRATION_TIMEOUT_MS = 29_500;

/**
 * One function and one HTTP route per row of the route table.
 *
 * A row is six resources (log group, role, function, permission, integration, route; one more route for HEAD), and CloudFormation allows 500 per
 * stack. So each resource of the API, a folder of handlers, is a separate nested stack: a row never moves to another
 * stack because others were added (its function's name and its route are unique, so a move would fail), nested stacks
 * are deployed a few at a time, and they change or roll back together, without exports between them.
 */
export function createApiStack(scope: StackScope, options: ApiOptions): Stack {
  const { platform, routes } = options;
  const stack = createStack(scope, 'Api', platform.parameters, {
    description: 'Notifications: one function and one HTTP route per endpoint.',
  });
  const resources = [...new Set(routes.map(({ resource }) => resource))];
  const groups = resources.map((resource) => {
    const group = new NestedStack(stack, pascalOf(resource), { description: `Notifications: ${resource}.` });
    for (const row of routes) if (row.resource === resource) createRoute(group, options, row);
    const nested = group.nestedStackResource;
    if (nested) queueUp(stack, 'groups', { first: nested, last: nested });
    return group;
  });
  const preflight = createPreflight(stack, platform, routes);
  const unknown = createUnknownRoute(stack, platform, routes);
  const httpStage = createStage(stack, options);
  // Settings of a route are rejected if the route does not exist yet.
  for (const part of [...groups, ...preflight, unknown]) httpStage.node.addDependency(part);
  return stack;
}

function createRoute(stack: Stack, { platform, queues, codeFolderOf }: ApiOptions, row: ListedRoute): void {
  const id = fileNameOf(row.id);
  const name = `route ${row.id}`;
  const keyCondition = leadingKeyCondition(LEADING_KEYS[row.resource]);
  const invoked = createFunction(stack, platform, {
    id,
    summary: row.summary,
    code: new FolderCode(codeFolderOf(row)),
    memoryMb: platform.parameters.apiMemoryMb,
    timeoutSeconds: TIMEOUT_SECONDS,
    statements: statementsOf(row.grants, {
      stack,
      platform,
      queues,
      row: name,
      ...defined({ keyCondition: keyCondition || undefined }),
    }),
    environment: environmentOf(stack, platform, queues, {
      name,
      grants: row.grants,
      ...defined({ settings: row.settings }),
    }),
  });
  const apiId = platform.httpApi.id;
  const methods = methodsOf(row);
  const integration = integrateFunction(stack, pascalOf(id), {
    apiId,
    invoked,
    source: `*/${methods.length > 1 ? '*' : row.method}${row.path.replace(/\{[^{}]*\}/g, '*')}`,
    payloadFormatVersion: '2.0',
    timeoutInMillis: INTEGRATION_TIMEOUT_MS,
  });
  // The function itself authenticates callers, by the row's `access`: API keys are not tokens that API
  // Gateway can verify.
  for (const method of methods) {
    const routeId = `${pascalOf(id)}${method === row.method ? '' : pascalOf(method.toLowerCase())}Route`;
    createGatewayRoute(stack, routeId, { apiId, routeKey: `${method} ${row.path}`, integration });
  }
}

/** The caller, the operation and the result; neither bodies nor paths, which may contain people's IDs. */
const ACCESS_LOG_FORMAT = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  errorMessage: '$context.error.message',
  integrationError: '$context.integrationErrorMessage',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integrationLatency',
  responseBytes: '$context.responseLength',
  ip: '$context.identity.sourceIp',
});

function createStage(stack: Stack, { platform, routes }: ApiOptions): gateway.CfnStage {
  const { parameters } = platform;
  const logGroup = new logs.LogGroup(stack, 'AccessLogs', {
    // API Gateway adds a statement per log group to a resource policy of limited size; this prefix needs none.
    logGroupName: `/aws/vendedlogs/apigateway/${nameOf(platform, 'access')}`,
    retention: parameters.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const httpStage = new gateway.CfnStage(stack, 'HttpStage', {
    apiId: platform.httpApi.id,
    stageName: '$default',
    autoDeploy: true,
    accessLogSettings: { destinationArn: logGroup.logGroupArn, format: ACCESS_LOG_FORMAT },
    defaultRouteSettings: {
      throttlingRateLimit: parameters.requestsPerSecond,
      throttlingBurstLimit: parameters.requestBurst,
    },
    routeSettings: routeSettingsOf(routes, parameters),
  });
  if (parameters.domainName) createCustomDomain(stack, platform, httpStage);
  return httpStage;
}

/**
 * Serves the HTTP API at the custom domain as well. Domain, mapping and records are in the stack of the stage, so that a
 * domain can be added to or removed from a deployed stage without an export that appears or disappears.
 */
function createCustomDomain(stack: Stack, { parameters, httpApi }: Platform, stage: gateway.CfnStage): void {
  const { domainName, certificateArn, hostedZoneId } = parameters;
  const domain = new gateway.CfnDomainName(stack, 'Domain', {
    domainName,
    domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
  });
  new gateway.CfnApiMapping(stack, 'DomainMapping', {
    apiId: httpApi.id,
    domainName: domain.ref,
    stage: stage.ref,
  });
  new CfnOutput(stack, 'DomainTarget', { value: domain.attrRegionalDomainName });
  if (!hostedZoneId) return;
  for (const type of ['A', 'AAAA']) {
    new route53.CfnRecordSet(stack, `Record${type}`, {
      hostedZoneId,
      name: domainName,
      type,
      aliasTarget: { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId },
    });
  }
}

/** Requests per second, and at one moment, of one route. */
type Throttle = { ThrottlingRateLimit: number; ThrottlingBurstLimit: number };

/** Administrators work manually. */
const ADMIN: Throttle = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 };
/** Pages and the like that anybody may request. */
const OPEN: Throttle = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };
/** Providers report each message in a few callbacks. Strangers may call too: they must not use up the account's functions. */
const CALLBACKS: Throttle = { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 500 };
/** Opens and clicks are as many as messages, and stay at the default. */
const AS_MANY_AS_MESSAGES = /^\/track\//;

function routeSettingsOf(routes: readonly ListedRoute[], parameters: Parameters): Record<string, Throttle> {
  const limited = routes.flatMap((row): [string, Throttle][] => {
    const limit = limitOf(row);
    return limit ? methodsOf(row).map((method) => [`${method} ${row.path}`, atMost(limit, parameters)]) : [];
  });
  return { ...Object.fromEntries(limited), $default: atMost(OPEN, parameters) };
}

function limitOf({ access, path, signedBy }: ListedRoute): Throttle | undefined {
  if (signedBy) return CALLBACKS;
  if (access === 'none') return AS_MANY_AS_MESSAGES.test(path) ? undefined : OPEN;
  return access.admin ? ADMIN : undefined;
}

function atMost(limit: Throttle, { requestsPerSecond, requestBurst }: Parameters): Throttle {
  return {
    ThrottlingRateLimit: Math.min(limit.ThrottlingRateLimit, requestsPerSecond),
    ThrottlingBurstLimit: Math.min(limit.ThrottlingBurstLimit, requestBurst),
  };
}

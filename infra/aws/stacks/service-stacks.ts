import type { Stack } from 'aws-cdk-lib';
import type { ListedRoute } from '../../../shared/http/rows/route.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import { assertKnownNames } from '../parameters/known-names.ts';
import { readParameters } from '../parameters/parameters.ts';
import type { Platform, StackScope } from '../platform.ts';
import { queuesOf } from '../triggers/queue-address.ts';
import { createApiStack } from './api-stack.ts';
import { createDataStack } from './data-stack.ts';
import { createDeliveryStack } from './delivery-stack.ts';
import { createGatewayStack } from './gateway-stack.ts';
import { createObservabilityStack } from './observability-stack.ts';

/** The rows of the two tables, and the folder with the code of each. */
export type ServiceCode = {
  routes: readonly ListedRoute[];
  workers: readonly Worker[];
  codeFolderOf: (kind: 'route' | 'worker', id: string) => string;
};

export type ServiceStacks = { stacks: readonly [data: Stack, ...others: Stack[]]; platform: Platform };

export function createServiceStacks(
  scope: StackScope,
  context: Readonly<Record<string, unknown>>,
  { routes, workers, codeFolderOf }: ServiceCode,
): ServiceStacks {
  const parameters = readParameters(context);
  assertKnownNames(parameters, routes, workers);
  const data = createDataStack(scope, parameters);
  const gateway = createGatewayStack(scope, parameters);
  const platform: Platform = {
    parameters,
    table: data.table,
    key: data.key,
    blobs: data.blobs,
    userPool: data.userPool,
    httpApi: gateway.httpApi,
    websocketApi: gateway.websocketApi,
  };
  const delivery = createDeliveryStack(scope, platform, workers, ({ name }) => codeFolderOf('worker', name));
  const api = createApiStack(scope, {
    platform,
    routes,
    queues: queuesOf(workers),
    codeFolderOf: ({ id }) => codeFolderOf('route', id),
  });
  // Queues are referenced by name, so nothing else would create them first.
  api.addStackDependency(delivery.stack);
  const observability = createObservabilityStack(scope, {
    platform,
    workers,
    deadLetters: delivery.deadLetters,
  });
  return { stacks: [data.stack, gateway.stack, delivery.stack, api, observability], platform };
}

import { App, type Stack, Tags, Validations } from 'aws-cdk-lib';
import type { Route } from '../../shared/http/route.ts';
import type { Worker } from '../../shared/http/worker.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { assertKnownNames } from './parameters/known-names.ts';
import { readParameters } from './parameters/parameters.ts';
import { securityReview } from './permissions/security-review.ts';
import { type Platform, tagsOf } from './platform.ts';
import { createApiStack } from './stacks/api-stack.ts';
import { createDataStack } from './stacks/data-stack.ts';
import { createDeliveryStack } from './stacks/delivery-stack.ts';
import { createGatewayStack } from './stacks/gateway-stack.ts';
import { createObservabilityStack } from './stacks/observability-stack.ts';
import { queuesOf } from './triggers/queue-address.ts';

/** The input of the stacks. */
export type AppOptions = {
  routes: readonly Route[];
  workers: readonly Worker[];
  /** Folder with the code of a function. */
  codeFolderOf: (kind: 'route' | 'worker', id: string) => string;
  /** Context with lower precedence than that of the CDK's command line. */
  context?: Readonly<Record<string, unknown>>;
  outputFolder?: string;
  /** False omits the security review, for tests that synthesize many deployments. */
  isReviewed?: boolean;
};

/** The five stacks, not yet synthesized; `synth()` fails when the security review finds something. */
export function buildApp(options: AppOptions): { app: App; stacks: Stack[]; platform: Platform } {
  const { routes, workers, codeFolderOf, outputFolder } = options;
  const app = new App({
    context: { ...options.context },
    // The metadata names the folder of each function's code, so that every template would differ in every checkout.
    postCliContext: { 'aws:cdk:enable-asset-metadata': false },
    analyticsReporting: false,
    ...defined({ outdir: outputFolder }),
  });
  const parameters = readParameters(app.node.getAllContext());
  assertKnownNames(parameters, routes, workers);
  const data = createDataStack(app, parameters);
  const gateway = createGatewayStack(app, parameters);
  const platform: Platform = {
    parameters,
    table: data.table,
    key: data.key,
    blobs: data.blobs,
    userPool: data.userPool,
    httpApi: gateway.httpApi,
    websocketApi: gateway.websocketApi,
  };
  const delivery = createDeliveryStack(app, platform, workers, ({ name }) => codeFolderOf('worker', name));
  const api = createApiStack(app, {
    platform,
    routes,
    queues: queuesOf(workers),
    codeFolderOf: ({ id }) => codeFolderOf('route', id),
  });
  // Queues are referenced by name, so nothing else would create them first.
  api.addStackDependency(delivery.stack);
  const observability = createObservabilityStack(app, {
    platform,
    workers,
    deadLetters: delivery.deadLetters,
  });
  for (const [key, value] of Object.entries(tagsOf({ parameters }))) Tags.of(app).add(key, value);
  if (options.isReviewed ?? true) Validations.of(app).addPlugins(securityReview());
  return { app, stacks: [data.stack, gateway.stack, delivery.stack, api, observability], platform };
}

import { type Environment, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { Parameters } from './parameters/parameters.ts';

/** Resources that functions use, as ARNs, names and addresses (CloudFormation tokens). */
export type Platform = {
  parameters: Parameters;
  table: { name: string; arn: string; streamArn: string };
  key: { arn: string };
  blobs: { name: string; arn: string };
  userPool: { id: string; arn: string; clientId: string; issuer: string };
  httpApi: { id: string; baseUrl: string };
  /** `endpoint` is where functions post to connections; `url` is where browsers connect. */
  websocketApi: { id: string; endpoint: string; stageName: string };
};

/** Physical name of a function, a queue and so on: `notifications-dev-send`. */
export function nameOf({ parameters }: Pick<Platform, 'parameters'>, id: string, ending = ''): string {
  const name = `${parameters.name}-${parameters.stage}-${id}${ending}`;
  if (name.length > 64) throw new Error(`The name ${name} is longer than 64 characters`);
  return name;
}

/** Physical name of an alarm, which can be longer than the watched resource's name. */
export function alarmNameOf({ parameters }: Pick<Platform, 'parameters'>, id: string): string {
  return `${parameters.name}-${parameters.stage}-${id}`;
}

export function metricsNamespaceOf({ parameters }: Pick<Platform, 'parameters'>): string {
  return `${parameters.name}/${parameters.stage}`;
}

/** Tags of everything that the stage has, SES identities among it. */
export function tagsOf({ parameters }: Pick<Platform, 'parameters'>): { application: string; stage: string } {
  return { application: parameters.name, stage: parameters.stage };
}

/** `deliver-email` -> `DeliverEmail`, for ids of constructs. */
export function pascalOf(id: string): string {
  return id.replace(/(^|-)([a-z0-9])/g, (_, _dash, letter: string) => letter.toUpperCase());
}

/** The construct that the stacks belong to, with their account and region if these are decided. */
export type StackScope = Construct & { readonly env?: Environment | undefined };

/** Creates one of the stacks: `Data` is `notifications-dev-data`. */
export function createStack(
  scope: StackScope,
  id: string,
  { name, stage }: Parameters,
  props: Pick<StackProps, 'description' | 'terminationProtection'>,
): Stack {
  const stackName = `${name}-${stage}-${id.toLowerCase()}`;
  return new Stack(scope, id, { stackName, ...defined({ env: scope.env }), ...props });
}

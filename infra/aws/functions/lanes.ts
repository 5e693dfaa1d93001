import type { CfnResource, Stack } from 'aws-cdk-lib';

/**
 * How many are created at once: API Gateway's control plane takes ten requests a second and Lambda's fifteen, for all that
 * CloudFormation does in an account. A creation that is throttled too often fails the deployment and then its rollback.
 */
export const LANES = 4;

/** The ends of the steps of each kind in a stack, in their order. */
const steps = new WeakMap<Stack, Map<string, CfnResource[]>>();

/** A step of a deployment: it begins with `first` (or any of several) and ends with `last`. */
export type Step = { first: CfnResource | readonly CfnResource[]; last: CfnResource };

/** Lets a step wait for the one of its kind in its stack that is `width` places before it. */
export function queueUp(stack: Stack, kind: string, { first, last }: Step, width = LANES): void {
  const kinds = steps.get(stack) ?? new Map<string, CfnResource[]>();
  steps.set(stack, kinds);
  const ends = kinds.get(kind) ?? [];
  kinds.set(kind, [...ends, last]);
  const before = ends.at(-width);
  if (before && ends.length >= width)
    for (const resource of [first].flat()) resource.addResourceDependency(before);
}

/** Lets a step wait for the one of its kind before it. */
export function followUp(stack: Stack, kind: string, step: Step): void {
  queueUp(stack, kind, step, 1);
}

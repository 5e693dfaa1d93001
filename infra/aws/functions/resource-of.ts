import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

export function resourceOf({ node }: IConstruct): CfnResource {
  const { defaultChild } = node;
  if (CfnResource.isCfnResource(defaultChild)) return defaultChild;
  throw new Error(`${node.path} is no resource`);
}

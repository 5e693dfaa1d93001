import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  DescribeActiveReceiptRuleSetCommand,
  SESClient,
  SetActiveReceiptRuleSetCommand,
} from '@aws-sdk/client-ses';
import type { Parameters } from '../../infra/aws/parameters/parameters.ts';
import { receiptRuleSetOf } from '../../infra/aws/triggers/outside-services.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';

type Named = Pick<Parameters, 'name' | 'stage'>;

/** The rule set of the account in this region for received email; undefined if there is none. */
export async function findActiveRuleSet(client = new SESClient(AWS_CLIENT)): Promise<string | undefined> {
  const { Metadata } = await client.send(new DescribeActiveReceiptRuleSetCommand({}));
  return Metadata?.Name;
}

/** Why a deployment does not receive email, with the command to change it; undefined if its rule set is active. */
export function receivingProblem(
  { name, stage }: Named,
  active: string | undefined,
  region: string,
): string | undefined {
  const own = receiptRuleSetOf({ parameters: { name, stage } });
  if (active === own) return undefined;
  const command = `aws ses set-active-receipt-rule-set --rule-set-name ${own} --region ${region}`;
  return active === undefined
    ? `Email is not received: its rule set is not active. Once it is deployed: ${command}`
    : `Email is not received: the rule set ${active} is active, and an account has one per region. Once it is deployed, this ends what ${active} does: ${command}`;
}

/**
 * Deactivates the rule set of a deployment before its stack is removed or changed, because SES deletes none that is active;
 * false if there was nothing to do.
 */
export async function deactivateRuleSet(
  cloudFormation: CloudFormationClient,
  { name, stage }: Named,
  client = new SESClient(AWS_CLIENT),
): Promise<boolean> {
  const parameters = { name, stage };
  if (!(await hasRuleSet(cloudFormation, `${name}-${stage}-delivery`))) return false;
  if ((await findActiveRuleSet(client)) !== receiptRuleSetOf({ parameters })) return false;
  await client.send(new SetActiveReceiptRuleSetCommand({}));
  console.error(
    'The rule set of SES was active and is not any more: this account receives no email in this region.',
  );
  return true;
}

async function hasRuleSet(client: CloudFormationClient, StackName: string): Promise<boolean> {
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    if (StackResourceSummaries.some(({ ResourceType }) => ResourceType === 'AWS::SES::ReceiptRuleSet'))
      return true;
  return false;
}

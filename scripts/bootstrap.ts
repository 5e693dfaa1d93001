import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { isAwsError } from '../shared/http-client/aws-fault.ts';
import { runCdk } from './cdk.ts';
import { CommandError } from './command.ts';

/** The CDK's own stack in an account and region. */
const BOOTSTRAP_STACK = 'CDKToolkit';
/** Version of that stack which the templates ask for. */
const VERSION_MIN = 6;

/** A stack by its name; undefined if there is none. */
export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    if (isAwsError(error, 'invalid')) return undefined;
    throw error;
  }
}

/**
 * Makes sure that the CDK can deploy here: bootstraps if `allowed`, otherwise throws with the command to do
 * so.
 */
export async function ensureBootstrap(
  { account, region }: { account: string; region: string },
  allowed: boolean,
): Promise<void> {
  const stack = await findStack(new CloudFormationClient({}), BOOTSTRAP_STACK);
  const version = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue;
  if (Number(version ?? 0) >= VERSION_MIN) return;
  const environment = `aws://${account}/${region}`;
  if (allowed) return runCdk(['bootstrap', environment]);
  const state = stack ? 'too old for this deployment' : 'not prepared for the CDK yet';
  throw new CommandError(
    `Account ${account} in ${region} is ${state}: deploy with --bootstrap, or run npx cdk bootstrap ${environment}.`,
  );
}

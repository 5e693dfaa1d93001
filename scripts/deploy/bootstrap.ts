import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { isAwsError } from '../../shared/http-client/aws-fault.ts';
import { CommandError } from '../frame/command.ts';
import { ROOT } from '../frame/deployment.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';
import { runCdk } from './cdk.ts';

/** The CDK's own stack in an account and region, unless it has another name. */
const BOOTSTRAP_STACK = 'CDKToolkit';
/** Version of that stack which the templates ask for. */
const VERSION_MIN = 6;

export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    if (isAwsError(error, 'invalid')) return undefined;
    throw error;
  }
}

type Place = { account: string; region: string };

const environmentOf = ({ account, region }: Place) => `aws://${account}/${region}`;

/** Returns why the CDK cannot deploy here yet, with the command to prepare account and region; undefined if it can. */
export async function findBootstrapProblem(place: Place): Promise<string | undefined> {
  const name = bootstrapStackName();
  const stack = await findStack(new CloudFormationClient(AWS_CLIENT), name);
  const version = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue;
  if (Number(version ?? 0) >= VERSION_MIN) return undefined;
  const state = stack ? 'too old for this deployment' : 'not prepared for the CDK yet';
  return `Account ${place.account} in ${place.region} is ${state}: deploy with --bootstrap, or run npx cdk bootstrap ${environmentOf(place)}. If its stack is not named ${name}, set toolkitStackName in cdk.json.`;
}

/** Reads the name from cdk.json, as the CDK's command line does. */
function bootstrapStackName(): string {
  const { toolkitStackName } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  return process.env.CDK_TOOLKIT_STACK_NAME || toolkitStackName || BOOTSTRAP_STACK;
}

/** Makes sure that the CDK can deploy here: bootstraps if `allowed`, otherwise throws. */
export async function ensureBootstrap(place: Place, allowed: boolean): Promise<void> {
  const problem = await findBootstrapProblem(place);
  if (problem === undefined) return;
  if (!allowed) throw new CommandError(problem);
  // Without the app of cdk.json, which would be synthesized for it.
  await runCdk(['bootstrap', environmentOf(place), '--app', '']);
}

import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { nameOf } from '../infra/aws/platform.ts';
import { findStack } from './bootstrap.ts';
import { CommandError } from './command.ts';
import type { parametersOf } from './deployment.ts';

/** Returns the address of a deployed stage's API, the output `BaseUrl` of its gateway stack. */
export async function findBaseUrl(parameters: ReturnType<typeof parametersOf>): Promise<string> {
  const stack = nameOf({ parameters }, 'gateway');
  const found = await findStack(new CloudFormationClient({}), stack);
  const address = found?.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue;
  if (address) return address;
  throw new CommandError(`Stack ${stack} does not exist or has no output BaseUrl. Deploy it, or pass --url.`);
}

import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Parameters } from '../../infra/aws/parameters/parameters.ts';
import { nameOf } from '../../infra/aws/platform.ts';
import { CHANNEL_QUEUES, DUE_QUEUE } from '../../shared/messaging/queue-names.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import { findStack } from '../deploy/bootstrap.ts';
import { CommandError } from '../frame/command.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';

/** A deployment as it is: its functions know what it was deployed with, also by options of another day. */
export type Deployed = {
  baseUrl: string;
  webSocketUrl: string;
  userPoolId: string;
  channels: readonly Channel[];
  settings: Readonly<Record<'EMAIL_PROVIDER' | 'SMS_PROVIDER', string>> &
    Readonly<Partial<Record<'PHONE_ORIGINATION_IDENTITY' | 'EMAIL_RECEIPTS', string>>>;
  /** The parameters, with what the functions say about them. */
  parameters: Parameters;
};

/** Reads a deployment's addresses and settings; throws if it does not exist. */
export async function readDeployed(parameters: Parameters): Promise<Deployed> {
  const [gateway, data, email, sms, due] = await Promise.all([
    outputsOf(parameters, 'gateway'),
    outputsOf(parameters, 'data'),
    variablesOf(parameters, CHANNEL_QUEUES.EMAIL),
    variablesOf(parameters, CHANNEL_QUEUES.SMS),
    variablesOf(parameters, DUE_QUEUE),
  ]);
  const off = (due.CHANNELS_OFF ?? '').split(',');
  const channels = CHANNELS.filter((channel) => !off.includes(channel));
  const providers = {
    EMAIL_PROVIDER: email.EMAIL_PROVIDER ?? 'ses',
    SMS_PROVIDER: sms.SMS_PROVIDER ?? 'aws',
  };
  return {
    baseUrl: gateway('BaseUrl'),
    webSocketUrl: gateway('WebSocketUrl'),
    userPoolId: data('UserPoolId'),
    channels,
    settings: {
      ...providers,
      PHONE_ORIGINATION_IDENTITY: sms.PHONE_ORIGINATION_IDENTITY ?? '',
      EMAIL_RECEIPTS: parameters.emailReceipts,
    },
    parameters: {
      ...parameters,
      channels: channels.join(','),
      mailDomain: email.MAIL_DOMAIN ?? '',
      sesReceiving: email.MAIL_RECEIVING === 'on',
      settings: { ...parameters.settings, ...providers },
    },
  };
}

async function outputsOf(parameters: Parameters, part: string): Promise<(name: string) => string> {
  const name = nameOf({ parameters }, part);
  const stack = await findStack(new CloudFormationClient(AWS_CLIENT), name);
  if (!stack)
    throw new CommandError(`Stack ${name} does not exist: check --stage and --region, or deploy it.`);
  return (output) => {
    const found = stack.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
    if (found) return found;
    throw new CommandError(`Stack ${name} has no output ${output}. Deploy it again.`);
  };
}

async function variablesOf(
  parameters: Parameters,
  worker: string,
): Promise<Record<string, string | undefined>> {
  const FunctionName = nameOf({ parameters }, worker);
  const { Environment } = await new LambdaClient(AWS_CLIENT).send(
    new GetFunctionConfigurationCommand({ FunctionName }),
  );
  return Environment?.Variables ?? {};
}

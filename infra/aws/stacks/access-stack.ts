import { CustomResource, Validations } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as secrets from 'aws-cdk-lib/aws-secretsmanager';
import { createFunction } from '../functions/function.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { createStack, nameOf, type StackScope } from '../platform.ts';
import type { ServiceStacks } from './service-stacks.ts';

/** Name of the secret with the key that `grantSend` lets others read. */
export const sendKeyNameOf = ({ name, stage }: Pick<Parameters, 'name' | 'stage'>): string =>
  `${name}-${stage}-send-key`;

/** Findings of cdk-nag, with the reason. */
const ACKNOWLEDGED = {
  'AwsSolutions-SMG4':
    'Invoking the function send-key rotates the key: a schedule would replace it behind applications that keep it.',
  'Serverless-LambdaTracing': 'It runs at the first deployment and at rotations only.',
  'Serverless-LambdaDLQ': 'CloudFormation and the operator invoke it and get its error.',
  'Serverless-LambdaStarPermissions': 'No statement of its role has a wildcard but that of X-Ray.',
};

/**
 * The key of the other applications in this AWS account: a secret, and the function that opens the first account, puts a key into the
 * secret and rotates it. The key is in no template and no log.
 */
export function createAccessStack(
  scope: StackScope,
  { platform, stacks }: ServiceStacks,
  administrator: string,
): secrets.ISecret {
  if (!administrator)
    throw new Error('grantSend needs the property administrator: the email address of the first account.');
  const { parameters } = platform;
  const stack = createStack(scope, 'Access', parameters, {
    description: 'Notifications: the key with which other applications send.',
  });
  for (const each of stacks) stack.addStackDependency(each);
  const secret = new secrets.CfnSecret(stack, 'Secret', {
    name: sendKeyNameOf(parameters),
    description: 'Secret key of the notification service. The function send-key rotates it.',
  });
  const functionName = nameOf(platform, 'administer-accounts');
  const sendKey = createFunction(stack, platform, {
    id: 'send-key',
    summary: 'Puts a key for other applications into its secret, and rotates it when it is invoked.',
    code: lambda.Code.fromInline(CODE),
    memoryMb: 256,
    timeoutSeconds: 120,
    statements: [
      {
        sid: 'Administer',
        actions: ['lambda:InvokeFunction'],
        resources: [stack.formatArn({ service: 'lambda', resource: `function:${functionName}` })],
      },
      {
        sid: 'SendKey',
        actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
        resources: [secret.ref],
      },
    ],
    environment: { ADMINISTRATOR: administrator, FUNCTION_NAME: functionName, SECRET_ARN: secret.ref },
  });
  const issued = new CustomResource(stack, 'IssuedKey', { serviceToken: sendKey.functionArn });
  issued.node.addDependency(secret);
  for (const [id, reason] of Object.entries(ACKNOWLEDGED)) Validations.of(stack).acknowledge({ id, reason });
  return secrets.Secret.fromSecretCompleteArn(stack, 'Key', secret.ref);
}

/**
 * CommonJS, as inline code has to be. The previous key stays valid until the next rotation, because applications keep the key that
 * they have read; `{"leaked": true}` revokes it immediately.
 */
const CODE = `const { InvokeCommand, LambdaClient } = require('@aws-sdk/client-lambda');
const { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } = require('@aws-sdk/client-secrets-manager');
const { ADMINISTRATOR: email, FUNCTION_NAME: FunctionName, SECRET_ARN: SecretId } = process.env;
const lambda = new LambdaClient();
const secrets = new SecretsManagerClient();
const administer = async (event) => {
  const { FunctionError, Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  const response = JSON.parse(Buffer.from(Payload).toString());
  if (FunctionError || response.error) throw new Error(response.error?.message ?? 'administer-accounts failed');
  return response;
};
const read = async (VersionStage) => {
  try {
    return (await secrets.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString;
  } catch (error) {
    if (error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};
const revoke = (key) => key && administer({ action: 'revoke-key', key });
const issue = async () => {
  const { accountId } = await administer({ action: 'first', name: 'My account', email });
  const { secretKey } = await administer({ action: 'key', accountId, scopes: ['send'] });
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: secretKey }));
};
const rotate = async (isLeaked) => {
  const [current, previous] = [await read('AWSCURRENT'), await read('AWSPREVIOUS')];
  await issue();
  await revoke(previous);
  if (isLeaked) await revoke(current);
};
const change = async (kind) => {
  if (kind === 'Create' && !(await read('AWSCURRENT'))) await issue();
  if (kind === 'Delete') for (const stage of ['AWSCURRENT', 'AWSPREVIOUS']) await revoke(await read(stage));
};
exports.handler = async ({ RequestType, ResponseURL, StackId, RequestId, LogicalResourceId, leaked }) => {
  if (!RequestType) return rotate(leaked).then(() => ({ rotated: true }));
  const failed = await change(RequestType).then(() => undefined, (error) => error.message);
  const Status = failed && RequestType !== 'Delete' ? 'FAILED' : 'SUCCESS';
  const body = JSON.stringify({ Status, Reason: failed, PhysicalResourceId: 'send-key', StackId, RequestId, LogicalResourceId });
  await fetch(ResponseURL, { method: 'PUT', headers: { 'content-type': '' }, body });
};
`;

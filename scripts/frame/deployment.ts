import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { type OpenedAccount, Refusal } from '../../functions/workers/accounts/responses.ts';
import { ParameterError, readParameters } from '../../infra/aws/parameters/parameters.ts';
import { nameOf } from '../../infra/aws/platform.ts';
import { printable } from '../../infra/terminal.ts';
import { isAwsError } from '../../shared/http-client/aws-fault.ts';
import { EmailAddress, filledTextUpTo } from '../../shared/schemas/fields/text.ts';
import { CommandError, codeOf, EXIT, option } from './command.ts';
import { sandboxHeaders } from './local-run.ts';
import { AWS_CLIENT } from './proxy.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

export const DEPLOYMENT_OPTIONS = {
  stage: option.value('<name>', 'the deployment (default: stage of cdk.json, dev)'),
  region: option.value('<region>', 'default: AWS_REGION, or the region of the profile'),
  profile: option.value('<profile>', 'credentials of ~/.aws (default: AWS_PROFILE)'),
  json: option.flag('print one JSON object; write everything else to standard error'),
  help: option.flag('this text'),
} as const;

/** Options of some of them. */
export const NAME_OPTION = option.value(
  '<name>',
  'first part of the resource names (default: name of cdk.json, notifications)',
);
export const LOCAL_OPTION = option.value(
  '[url]',
  'the local run, which must be running (default http://localhost:3000)',
);

type Chosen = { region?: string | undefined; profile?: string | undefined };

/** `eu-central-1`, not `Frankfurt` or the zone `eu-central-1a`. */
const REGION = /^[a-z]+(-[a-z]+)+-\d+$/;

/** Sets the chosen region and profile where AWS clients and the CDK read them. */
export function useAws({ region, profile }: Chosen): void {
  if (region && !REGION.test(region))
    throw new CommandError('--region must be the name of a region, such as eu-central-1.', EXIT.usage);
  if (profile) process.env.AWS_PROFILE = profile;
  const chosen = region || process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  // An empty variable counts as absent: clients would use it as a region.
  if (!chosen) delete process.env.AWS_REGION;
  else Object.assign(process.env, { AWS_REGION: chosen, AWS_DEFAULT_REGION: chosen });
}

/** The parameters as `cdk.json` and the command line give them; throws a usage error with all that is wrong. */
export function parametersOf(values: Readonly<Record<string, unknown>>) {
  const { context = {} } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  try {
    const chosen = Object.entries(values).filter(([, value]) => value !== undefined);
    return readParameters({ ...context, ...Object.fromEntries(chosen) });
  } catch (error) {
    throw asUsageError(error);
  }
}

/** Parameters that cannot be used are a wrong call. */
export function asUsageError(error: unknown): unknown {
  return error instanceof ParameterError ? new CommandError(error.message, EXIT.usage) : error;
}

/** Returns the account and region; throws without usable credentials. */
export async function getCaller(): Promise<{ account: string; region: string }> {
  const client = new STSClient(AWS_CLIENT);
  const region = await client.config.region();
  const { Account } = await client.send(new GetCallerIdentityCommand({})).catch((error) => {
    const code = codeOf(error);
    if (code !== 'ENOTFOUND' && code !== 'EAI_AGAIN') throw error;
    throw new CommandError(
      `AWS cannot be reached in ${region} (${code}): check --region and this machine's network.`,
    );
  });
  return { account: Account ?? '', region };
}

/** Invokes a function of a deployment directly, by its ID; returns the handler's result. */
export type InvokeFunction = (id: string, event: unknown) => Promise<unknown>;

/** Without automatic retries, because the outcome of a failed first attempt is unknown. */
const ONCE = { ...AWS_CLIENT, maxAttempts: 1 } as const;

export function awsFunctions(parameters: ReturnType<typeof parametersOf>): InvokeFunction {
  const client = new LambdaClient(ONCE);
  return (id, event) => invoke(client, nameOf({ parameters }, id), event);
}

function localFunctions(url: string): InvokeFunction {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new LambdaClient({ maxAttempts: 1, endpoint: url, region: 'local', credentials });
  const { 'x-sandbox-token': token } = sandboxHeaders();
  if (token)
    client.middlewareStack.add(
      (next) => (args) => next({ ...args, request: withHeader(args.request, 'x-sandbox-token', token) }),
      { step: 'build', name: 'sandboxToken' },
    );
  return async (id, event) => {
    try {
      return await invoke(client, id, event);
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED' && codeOf(error) !== 'ENOTFOUND') throw error;
      throw new CommandError(`Nothing responds at ${url}: start the service with npm start.`);
    }
  };
}

/** The deployment that the options choose, or the local run, and its functions. Throws without usable credentials of AWS. */
export async function openDeployment(values: Chosen & { stage?: string; name?: string; local?: string }) {
  const { stage, name, local } = values;
  const parameters = parametersOf({ stage, name });
  useAws(values);
  if (!local) await getCaller();
  return { parameters, invoke: local ? localFunctions(local) : awsFunctions(parameters) };
}

function withHeader(request: unknown, name: string, value: string): unknown {
  if (typeof request === 'object' && request !== null && 'headers' in request)
    Object.assign(request.headers ?? {}, { [name]: value });
  return request;
}

/** Thrown when a deployment has no such function. */
export class FunctionMissing extends CommandError {}

/** A function's result if it threw. */
const Failure = v.object({ errorMessage: v.string() });

async function invoke(client: LambdaClient, name: string, event: unknown): Promise<unknown> {
  const command = new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) });
  const { Payload, FunctionError } = await client.send(command).catch((error: unknown) => {
    if (!isAwsError(error, 'missing')) throw error;
    const fix = 'check --stage and --region, or deploy it with npm run deploy';
    throw new FunctionMissing(`The function ${name} does not exist: ${fix}.`);
  });
  const response: unknown = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null');
  if (!FunctionError) return response;
  const message = v.is(Failure, response) ? response.errorMessage : FunctionError;
  throw new CommandError(`The function ${name} failed: ${message}`);
}

/** The admin function would also reject it, with its own message. */
export function assertEmail(email: string): void {
  if (!v.is(EmailAddress, email)) throw new CommandError('--email is not an email address.', EXIT.usage);
}

/** The same for an account's name, given as `option`. */
export function assertName(option: string, name: string): void {
  if (!v.is(filledTextUpTo(128), name))
    throw new CommandError(`${option} must have 1 to 128 characters.`, EXIT.usage);
}

/** Invokes the admin function, whose result has the given schema; throws its errors. */
export async function administer<S extends v.GenericSchema>(
  invoke: InvokeFunction,
  event: object,
  schema: S,
): Promise<v.InferOutput<S>> {
  const response = await invoke('administer-accounts', event);
  if (!v.is(Refusal, response)) return v.parse(schema, response);
  const { message, fix } = response.error;
  throw new CommandError([message, fix].filter(Boolean).join(' '));
}

/** The printed data of a new account. */
export function accountLines({
  accountId,
  name,
  admin,
  signIn,
  secretKey,
  publicKey,
}: OpenedAccount): string {
  const lines = [
    ['account', `${accountId} (${printable(name)})`],
    ['secret key', secretKey],
    ['public key', publicKey],
    ['administrator', `${admin.email}, ${SIGN_IN[signIn]}`],
  ];
  return lines.map(([title = '', value]) => `  ${title.padEnd(14)} ${value}`).join('\n');
}

const SIGN_IN: Record<OpenedAccount['signIn'], string> = {
  ready: 'who can sign in',
  'with the first token': 'whose first access token is printed by npm run token',
  failed:
    'who cannot sign in yet: the user pool rejected the sign-in; the log of administer-accounts has the reason',
};

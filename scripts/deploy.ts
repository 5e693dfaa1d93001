import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { ROUTES } from '../functions/routes.ts';
import { AccountList, OpenedAccount } from '../functions/workers/accounts/responses.ts';
import { WORKERS } from '../functions/workers.ts';
import { assertKnownNames } from '../infra/aws/parameters/known-names.ts';
import { PARAMETERS } from '../infra/aws/parameters/parameters.ts';
import { type Progress, withProgress, withSeconds } from '../infra/progress.ts';
import { print, printableJson } from '../infra/terminal.ts';
import { ensureBootstrap, findBootstrapProblem } from './deploy/bootstrap.ts';
import { runCdk } from './deploy/cdk.ts';
import { createCdkProgress } from './deploy/cdk-progress.ts';
import { checkDeployment, reportChecks } from './deploy/deployment-checks.ts';
import { dryRun } from './deploy/dry-run.ts';
import { deactivateRuleSet } from './deploy/receiving.ts';
import { findStreamArn } from './deploy/table-stream.ts';
import { logLines, sendTestNotification } from './deploy/test-notification.ts';
import { CommandError, EXIT, option, runCommand } from './frame/command.ts';
import {
  accountLines,
  administer,
  assertEmail,
  assertName,
  asUsageError,
  awsFunctions,
  DEPLOYMENT_OPTIONS,
  FunctionMissing,
  getCaller,
  type InvokeFunction,
  parametersOf,
  ROOT,
  useAws,
} from './frame/deployment.ts';
import { AWS_CLIENT } from './frame/proxy.ts';

const PARAMETER_OPTIONS = Object.fromEntries(
  PARAMETERS.filter(({ name }) => name !== 'stage').map(({ name }) => [name, { type: 'string' } as const]),
);
const OPTIONS = {
  ...PARAMETER_OPTIONS,
  email: option.value('<address>', 'administrator of the first account; needed until it exists'),
  'account-name': option.value('<text>', 'name of the first account (default: My account)'),
  bootstrap: option.flag('prepare account and region for the CDK if necessary'),
  anyway: option.flag('deploy although a quota of the account is too small for a protected stage'),
  'dry-run': option.flag('show resources by kind, changes and the monthly cost; change nothing'),
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Deploys all stacks into your AWS account. The first run also creates an account with its keys and sends a test
notification. Run it again to update. It does not create another account.

npm run deploy -- --email you@example.com`;

const NOTES = `Parameters; put permanent values in cdk.json under "context":
${PARAMETERS.filter(({ name }) => name !== 'stage')
  .map(({ name, about, fallback }) => `  --${name} (default: ${JSON.stringify(fallback)})\n      ${about}`)
  .join('\n')}`;

/** Invalid names would be rejected only while the CDK runs. */
function assertNames(parameters: ReturnType<typeof parametersOf>): void {
  try {
    assertKnownNames(parameters, ROUTES, WORKERS);
  } catch (error) {
    throw asUsageError(error);
  }
}

/** Throws before minutes are spent on a deployment that could not make its first account. */
async function assertAccountOrEmail(invoke: InvokeFunction, email: string | undefined): Promise<void> {
  if (email !== undefined) return;
  try {
    const { accounts } = await administer(invoke, { action: 'list' }, AccountList);
    if (accounts.length > 0) return;
  } catch (error) {
    if (!(error instanceof FunctionMissing)) throw error;
  }
  const example = 'npm run deploy -- --email you@example.com';
  throw new CommandError(`Pass --email with the first administrator's address: ${example}.`, EXIT.usage);
}

/** Addresses of a deployment: the address of the API, and the user pool. */
type Place = Record<'baseUrl' | 'webSocketUrl' | 'userPoolId' | 'userPoolClientId', string>;

/** The outputs of each stack by its name, as the CDK writes them. */
const Outputs = v.record(v.string(), v.record(v.string(), v.string()));

/** Folder of a stage's templates and bundles, with the source maps of the last deployment. */
function assemblyOf(prefix: string): string {
  return join(ROOT, 'dist', prefix);
}

function contextOf(context: Readonly<Record<string, string>>): string[] {
  return Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Deploys every stack; `prefix` begins the names of all. */
async function deployStacks(
  context: Readonly<Record<string, string>>,
  prefix: string,
  isJson: boolean,
): Promise<Place> {
  const resume = 'CloudFormation completes the current stack. Run the same command again to deploy the rest.';
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  const outputsFile = join(folder, 'outputs.json');
  const deploying = async (show: Progress['show']) => {
    // Each stage has a separate assembly: a synth in the meantime must not replace it during a deployment.
    const assembly = ['--output', assemblyOf(prefix)];
    const fixed = ['--all', '--require-approval', 'never', '--progress', 'events'];
    const files = ['--outputs-file', outputsFile, ...assembly];
    const cdk = createCdkProgress();
    const text = withSeconds(cdk.text);
    show(text);
    await runCdk(['deploy', ...fixed, ...files, ...contextOf(context)], (line) => {
      cdk.read(line);
      show(text);
    });
    const outputs = v.parse(Outputs, JSON.parse(readFileSync(outputsFile, 'utf8')));
    const outputOf = (part: string, name: string): string => {
      const value = outputs[`${prefix}-${part}`]?.[name];
      if (value === undefined) throw new CommandError(`Stack ${prefix}-${part} has no output ${name}.`);
      return value;
    };
    return {
      baseUrl: outputOf('gateway', 'BaseUrl'),
      webSocketUrl: outputOf('gateway', 'WebSocketUrl'),
      userPoolId: outputOf('data', 'UserPoolId'),
      userPoolClientId: outputOf('data', 'UserPoolClientId'),
    };
  };
  return withProgress({ isJson, resume }, deploying).finally(() => rmSync(folder, { recursive: true }));
}

runCommand({ about: ABOUT, options: OPTIONS, notes: NOTES }, async (values) => {
  const { email, json, 'account-name': name = 'My account' } = values;
  if (email !== undefined) assertEmail(email);
  assertName('--account-name', name);
  useAws(values);
  const given = givenParameters(values);
  const expected = parametersOf({ ...given, ...unreadStream(given) });
  assertNames(expected);
  const caller = await getCaller();
  const { name: deployment, stage } = expected;
  // Before anything is read, so that a wrong account or region is recognized even if a check fails.
  console.error(`Account ${caller.account}, ${caller.region}: stage ${stage} of ${deployment}.`);
  const context = await withStream(given);
  const parameters = parametersOf(context);
  const checks = await checkDeployment(parameters, caller);
  const prefix = `${deployment}-${stage}`;
  if (values['dry-run']) {
    const bootstrap = values.bootstrap ? undefined : await findBootstrapProblem(caller);
    const stops = [...checks.stops, ...checks.overridable, ...(bootstrap ? [bootstrap] : [])];
    reportChecks({ ...checks, stops: [], overridable: [], warnings: [...stops, ...checks.warnings] }, true);
    await dryRun(join(ROOT, 'dist', `${prefix}-dry-run`), contextOf(context), checks.stacks.length === 0);
    return;
  }
  reportChecks(checks, values.anyway ?? false);
  const invoke = awsFunctions(parameters);
  await assertAccountOrEmail(invoke, email);
  await ensureBootstrap(caller, values.bootstrap ?? false);
  const hadDelivery = checks.stacks.some(({ StackName }) => StackName === `${prefix}-delivery`);
  if (hadDelivery && !parameters.sesReceiving)
    await deactivateRuleSet(new CloudFormationClient(AWS_CLIENT), parameters);
  const place = await deployStacks(context, prefix, json ?? false);
  const first = { action: 'first', ...(email ? { name, email } : {}) };
  const account = await administer(invoke, first, OpenedAccount);
  // Printed before anything else can fail: the keys are not shown again.
  if (json) print(printableJson({ ...place, account }));
  else print(introduction(place, account));
  if (parameters.isProtected && account.secretKey !== undefined) console.error(advice(account.environmentId));
  // A paused deployment sends nothing.
  if (account.secretKey === undefined || parameters.paused) return;
  const isSandbox = parameters.settings.EMAIL_PROVIDER === 'sandbox';
  const log = await sendTestNotification(
    invoke,
    { ...account.admin, secretKey: account.secretKey },
    isSandbox,
  );
  console.error(`\nThe log of a test notification to the administrator:\n${logLines(log)}`);
});

function lacksStream({ tableName, tableStreamArn }: Record<string, string>): boolean {
  return Boolean(tableName) && !tableStreamArn;
}

/**
 * Adds a placeholder for the stream of a table that is given without it, so that everything else is checked before AWS is called.
 */
function unreadStream(given: Record<string, string>): Record<string, string> {
  const { tableName } = given;
  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}/stream/unread`;
  return lacksStream(given) ? { tableStreamArn: arn } : {};
}

/** Adds the stream of a table that is named without it. */
async function withStream(given: Record<string, string>): Promise<Record<string, string>> {
  const { tableName = '' } = given;
  return lacksStream(given) ? { ...given, tableStreamArn: await findStreamArn(tableName) } : given;
}

/** The parameters on the command line, as context for the CDK. */
function givenParameters(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = PARAMETERS.flatMap(({ name }) => {
    const value = values[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

const advice = (environmentId: string) => `
A misspelt type in a send creates a type that nobody has opted out of. Once your types exist, turn that off:
  PATCH /environments/${environmentId} {"createTypes": false}`;

function introduction(place: Place, account: OpenedAccount): string {
  const { baseUrl, webSocketUrl, userPoolId, userPoolClientId } = place;
  const first = `The service is available at ${baseUrl}
  WebSocket      ${webSocketUrl}
  members        user pool ${userPoolId}, client ${userPoolClientId}`;
  if (account.secretKey === undefined)
    return `${first}\nThe first account already exists: ${account.accountId}.`;
  return `${first}\n\n${accountLines(account)}\n\nKeep the keys: they are shown only once.`;
}

import { lookup } from 'node:dns/promises';
import { CloudFormationClient, type Stack } from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  ListUserPoolsCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeAccountLimitsCommand,
  PinpointSMSVoiceV2Client,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { Parameters } from '../infra/aws/parameters/parameters.ts';
import { usesProvider, usesSes } from '../infra/aws/triggers/used-sources.ts';
import { isAwsError } from '../shared/http-client/aws-fault.ts';
import { findStack } from './bootstrap.ts';
import { CommandError, codeOf } from './command.ts';

/** The stacks of a deployment in the order of their creation. */
export const STACK_PARTS = ['data', 'gateway', 'delivery', 'api', 'observability'] as const;

/**
 * Findings in the account and region. `stops`: the deployment would fail; `warnings`: it would work, but not
 * as expected.
 */
export type Checks = { stacks: readonly Stack[]; stops: string[]; warnings: string[] };

type Place = { account: string; region: string };
/** Concurrent executions below which a deployment is throttled by its own workers. */
const CONCURRENCY_MIN = 100;
/** Lambda keeps this many executions unreserved. */
const UNRESERVED = 100;

/** Checks everything that can be read before anything is created. */
export async function checkDeployment(parameters: Parameters, place: Place): Promise<Checks> {
  const prefix = `${parameters.name}-${parameters.stage}`;
  const client = new CloudFormationClient({});
  const found = await Promise.all(STACK_PARTS.map((part) => findStack(client, `${prefix}-${part}`)));
  const stacks = found.filter((stack) => stack !== undefined);
  const checks: Checks = {
    stacks,
    stops: stacks.flatMap((stack) => stackProblem(stack, place)),
    warnings: [],
  };
  await Promise.all([
    checkConcurrency(parameters, checks),
    checkSes(parameters, place, checks),
    checkPhone(parameters, place, checks),
    checkMembers(place, checks),
    checkReceiving(parameters, place, checks),
  ]);
  if (parameters.hasAlarms && !parameters.alarmAddress)
    checks.warnings.push('Alarms notify nobody: pass --alarmAddress with an email address.');
  return checks;
}

/** Steps to recover from an unfinished or failed deployment. */
function stackProblem(stack: Stack, { region }: Place): string[] {
  const { StackName: name = '', StackStatus } = stack;
  const status: string = StackStatus ?? '';
  // The AWS CLI may have other defaults than this command.
  const profile = process.env.AWS_PROFILE ? ` --profile ${process.env.AWS_PROFILE}` : '';
  const command = (action: string) =>
    `aws cloudformation ${action} --stack-name ${name} --region ${region}${profile}`;
  const unprotect = stack.EnableTerminationProtection
    ? `${command('update-termination-protection --no-enable-termination-protection')} && `
    : '';
  const deletion = unprotect + command('delete-stack');
  switch (status) {
    case 'CREATE_FAILED':
    case 'ROLLBACK_COMPLETE':
      return [`${name} failed when it was first created. Delete it: ${deletion}`];
    case 'ROLLBACK_FAILED':
      return [`${name} failed when it was first created, and so did its rollback. Delete it: ${deletion}`];
    case 'DELETE_FAILED':
      return [
        `${name} could not be deleted completely. Run npm run destroy again, or check its events in CloudFormation.`,
      ];
    case 'UPDATE_FAILED':
      return [`${name} failed while it was updated. Roll it back: ${command('rollback-stack')}`];
    case 'UPDATE_ROLLBACK_FAILED':
      return [
        `The rollback of ${name} failed. Fix the cause that its events show, then: ${command('continue-update-rollback')}`,
      ];
    case 'REVIEW_IN_PROGRESS':
      return [
        `${name} is a change set that was not executed. Unless another deployment is running, delete it: ${deletion}`,
      ];
    default:
      return status.endsWith('_IN_PROGRESS')
        ? [`${name} is being changed by another deployment (${status}). Wait until it ends.`]
        : [];
  }
}

async function checkConcurrency(
  { reservedConcurrency }: Parameters,
  { stops, warnings }: Checks,
): Promise<void> {
  const account = await read(() => new LambdaClient({}).send(new GetAccountSettingsCommand({})));
  if (isUnread(account))
    return void warnings.push(unreadText("Lambda's quotas", 'lambda:GetAccountSettings', account));
  const limit = account.AccountLimit?.ConcurrentExecutions ?? 0;
  const reserved = Object.values(reservedConcurrency).reduce((sum, each) => sum + each, 0);
  // A new account has a limit of 10: without reservations it deploys.
  if (reserved > 0 && reserved > limit - UNRESERVED)
    stops.push(
      `reservedConcurrency needs ${reserved} concurrent executions, but the account has ${limit} and keeps ${UNRESERVED} unreserved: lower it, or raise the quota.`,
    );
  if (limit < CONCURRENCY_MIN)
    warnings.push(
      `Lambda runs ${limit} functions at a time in this account. Request 1,000: quota L-B99A9384 in Service Quotas.`,
    );
}

async function checkSes(
  parameters: Parameters,
  { region }: Place,
  { stops, warnings }: Checks,
): Promise<void> {
  if (!usesSes(parameters)) return;
  const account = await read(() => new SESv2Client({}).send(new GetAccountCommand({})));
  if (account === 'absent')
    return void stops.push(
      `SES is not available in ${region}: choose another region, or EMAIL_PROVIDER smtp.`,
    );
  if (isUnread(account)) return void warnings.push(unreadText('The state of SES', 'ses:GetAccount', account));
  const { ProductionAccessEnabled, SendQuota, SendingEnabled } = account;
  if (SendingEnabled === false)
    warnings.push('SES has paused sending in this account: see its reputation dashboard.');
  if (!ProductionAccessEnabled)
    warnings.push(
      'SES is in its sandbox: emails reach verified addresses only. Request production access in the SES console.',
    );
  const perSecond = Number(parameters.settings.EMAIL_PER_SECOND ?? 14);
  const rate = SendQuota?.MaxSendRate ?? perSecond;
  if (perSecond > rate)
    warnings.push(
      `EMAIL_PER_SECOND is ${perSecond}, but SES accepts ${rate} per second: lower it, or ask SES for a higher rate.`,
    );
}

async function checkPhone(
  parameters: Parameters,
  { region }: Place,
  { stops, warnings }: Checks,
): Promise<void> {
  if (!usesProvider(parameters, ['SMS', 'CALL'], 'aws')) return;
  const limits = await read(() =>
    new PinpointSMSVoiceV2Client({}).send(new DescribeAccountLimitsCommand({})),
  );
  if (limits === 'absent')
    stops.push(
      `AWS End User Messaging is not available in ${region}: choose another provider, or remove SMS and CALL from --channels.`,
    );
  else if (isUnread(limits))
    warnings.push(unreadText('AWS End User Messaging', 'sms-voice:DescribeAccountLimits', limits));
}

async function checkMembers({ region }: Place, { stops, warnings }: Checks): Promise<void> {
  const pools = await read(() =>
    new CognitoIdentityProviderClient({}).send(new ListUserPoolsCommand({ MaxResults: 1 })),
  );
  if (pools === 'absent')
    stops.push(`Cognito user pools are not available in ${region}: choose another region.`);
  else if (isUnread(pools))
    warnings.push(unreadText('Cognito user pools', 'cognito-idp:ListUserPools', pools));
}

/** Regions where SES receives email have a host for it. */
async function checkReceiving(
  { sesReceiving }: Parameters,
  { region }: Place,
  { stops }: Checks,
): Promise<void> {
  if (!sesReceiving) return;
  const host = `inbound-smtp.${region}.amazonaws.com`;
  const isAbsent = await lookup(host).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOTFOUND',
  );
  if (isAbsent)
    stops.push(`SES does not receive email in ${region} (${host} does not exist): turn sesReceiving off.`);
}

/** Why a state is unknown. `absent`: the region does not have the service. */
type Unread = 'absent' | 'denied' | 'failed';

function isUnread(result: unknown): result is Unread {
  return typeof result === 'string';
}

function unreadText(what: string, action: string, reason: Unread): string {
  return `${what} could not be read: ${reason === 'denied' ? `grant ${action}` : 'the service does not respond as expected'}.`;
}

/** A state that cannot be read stops no deployment. A region without a service has no host for it. */
async function read<T extends object>(call: () => Promise<T>): Promise<T | Unread> {
  try {
    return await call();
  } catch (error) {
    if (codeOf(error) === 'ENOTFOUND') return 'absent';
    return isAwsError(error, 'denied') ? 'denied' : 'failed';
  }
}

/** Prints all findings; throws if one would stop the deployment. */
export function reportChecks({ stacks, stops, warnings }: Checks): void {
  const state = stacks.length === 0 ? 'new' : `${stacks.length} of ${STACK_PARTS.length} stacks exist`;
  console.error(`State: ${state}.`);
  for (const warning of warnings) console.error(`Note: ${warning}`);
  if (stops.length > 0) throw new CommandError(stops.join('\n'));
}

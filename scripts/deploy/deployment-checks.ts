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
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { Parameters } from '../../infra/aws/parameters/parameters.ts';
import { usesProvider, usesSes } from '../../infra/aws/triggers/used-sources.ts';
import { isAwsError } from '../../shared/http-client/aws-fault.ts';
import { CommandError, codeOf } from '../frame/command.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';
import { findStack } from './bootstrap.ts';
import { findActiveRuleSet, receivingProblem } from './receiving.ts';
import { deletionProblem, stackProblem } from './stack-problems.ts';

/** The stacks of a deployment in the order of their creation. */
const STACK_PARTS = ['data', 'gateway', 'delivery', 'api', 'observability'] as const;

/**
 * Findings in the account and region. `stops`: the deployment would fail; `warnings`: it would work, but not
 * as expected.
 */
type Findings = {
  stops: string[];
  warnings: string[];
  /** Stops that --anyway turns into notes. */
  overridable: string[];
};
export type Checks = Findings & { stacks: readonly Stack[] };

export const noFindings = (): Findings => ({ stops: [], warnings: [], overridable: [] });

type Place = { account: string; region: string };
/** Concurrent executions below which a deployment is throttled by its own workers. */
const CONCURRENCY_MIN = 100;
/** Lambda keeps this many executions unreserved. */
const UNRESERVED = 100;

type AccountCheck = {
  check: (parameters: Parameters, place: Place, findings: Findings) => Promise<void>;
  isUsed: (parameters: Parameters) => boolean;
  /** What is right when it finds nothing. */
  good: string;
};

/** What a deployment needs of its account, by its name in `npm run verify`. */
export const ACCOUNT_CHECKS: Readonly<Record<string, AccountCheck>> = {
  'quota of Lambda': { check: checkConcurrency, isUsed: () => true, good: 'enough concurrent executions' },
  'SES account': { check: checkSes, isUsed: usesSes, good: 'out of its sandbox, with the rate that is set' },
  'End User Messaging': {
    check: checkPhone,
    isUsed: (parameters) => usesProvider(parameters, ['SMS', 'CALL'], 'aws'),
    good: 'available in this region',
  },
  'identity of the mail domain': {
    check: checkMailDomain,
    isUsed: (parameters) => usesSes(parameters) && parameters.mailDomain !== '',
    good: 'verified in SES',
  },
  'receipt rule set': {
    check: checkReceiving,
    isUsed: ({ sesReceiving }) => sesReceiving,
    good: 'active: SES receives email',
  },
};

export async function checkDeployment(parameters: Parameters, place: Place): Promise<Checks> {
  const prefix = `${parameters.name}-${parameters.stage}`;
  const client = new CloudFormationClient(AWS_CLIENT);
  const found = await Promise.all(STACK_PARTS.map((part) => findStack(client, `${prefix}-${part}`)));
  const stacks = found.filter((stack) => stack !== undefined);
  const checks: Checks = {
    stacks,
    ...noFindings(),
    stops: (await Promise.all(stacks.map((stack) => stackProblem(client, stack, place)))).flat(),
  };
  const used = Object.values(ACCOUNT_CHECKS).filter(({ isUsed }) => isUsed(parameters));
  await Promise.all([
    ...used.map(({ check }) => check(parameters, place, checks)),
    checkMembers(place, checks),
    checkDeletion(client, prefix, checks),
  ]);
  // Shown at the first deployment only.
  if (stacks.length === 0 && usesSes(parameters))
    checks.warnings.push(
      'SES sends over TLS only (TlsPolicy REQUIRE): email bounces if its receiver does not support TLS.',
    );
  if (parameters.hasAlarms && !parameters.alarmAddress)
    checks.warnings.push('Alarms notify nobody: pass --alarmAddress with an email address.');
  return checks;
}

async function checkConcurrency(
  { reservedConcurrency, isProtected }: Parameters,
  { region }: Place,
  { stops, warnings, overridable }: Findings,
): Promise<void> {
  const account = await read(() => new LambdaClient(AWS_CLIENT).send(new GetAccountSettingsCommand({})));
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
    (isProtected ? overridable : warnings).push(
      `Lambda runs ${limit} functions at a time in this account, fewer than this deployment has queues. Request more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region ${region}`,
    );
}

async function checkSes(
  parameters: Parameters,
  { region }: Place,
  { stops, warnings }: Findings,
): Promise<void> {
  const account = await read(() => new SESv2Client(AWS_CLIENT).send(new GetAccountCommand({})));
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

async function checkPhone(_: Parameters, { region }: Place, { stops, warnings }: Findings): Promise<void> {
  const limits = await read(() =>
    new PinpointSMSVoiceV2Client(AWS_CLIENT).send(new DescribeAccountLimitsCommand({})),
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
    new CognitoIdentityProviderClient(AWS_CLIENT).send(new ListUserPoolsCommand({ MaxResults: 1 })),
  );
  if (pools === 'absent')
    stops.push(`Cognito user pools are not available in ${region}: choose another region.`);
  else if (isUnread(pools))
    warnings.push(unreadText('Cognito user pools', 'cognito-idp:ListUserPools', pools));
}

/** Regions where SES receives email have a host for it; the account has one active rule set. */
async function checkReceiving(
  parameters: Parameters,
  { region }: Place,
  { stops, warnings }: Findings,
): Promise<void> {
  const host = `inbound-smtp.${region}.amazonaws.com`;
  const isAbsent = await lookup(host).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOTFOUND',
  );
  if (isAbsent)
    stops.push(`SES does not receive email in ${region} (${host} does not exist): turn sesReceiving off.`);
  const active = await read(async () => ({ name: await findActiveRuleSet() }));
  if (isUnread(active))
    return void warnings.push(unreadText('The rule sets of SES', 'ses:DescribeActiveReceiptRuleSet', active));
  const problem = receivingProblem(parameters, active.name, region);
  if (problem) warnings.push(problem);
}

/**
 * The deployment does not create the identity of the built-in addresses: it belongs to the account, and its records to a DNS
 * zone.
 */
async function checkMailDomain(
  { mailDomain }: Parameters,
  { region }: Place,
  { warnings }: Findings,
): Promise<void> {
  const client = new SESv2Client(AWS_CLIENT);
  // An identity also covers what is below it.
  const names = mailDomain.split('.').map((_, index, labels) => labels.slice(index).join('.'));
  for (const name of names.slice(0, -1)) {
    const found = await read(async () =>
      client.send(new GetEmailIdentityCommand({ EmailIdentity: name })).catch((error: unknown) => {
        if (error instanceof NotFoundException) return { isMissing: true } as const;
        throw error;
      }),
    );
    if (isUnread(found))
      return void warnings.push(unreadText('The identity of mailDomain', 'ses:GetEmailIdentity', found));
    if ('isMissing' in found) continue;
    if (!found.VerifiedForSendingStatus)
      warnings.push(
        `The identity ${name} is not verified in SES: publish the records that aws sesv2 get-email-identity --email-identity ${name} --region ${region} shows.`,
      );
    return;
  }
  warnings.push(
    `SES has no identity ${mailDomain}, so that nothing can be sent from its addresses. Create it and publish the three CNAME records that it returns (<token>._domainkey to <token>.dkim.amazonses.com): aws sesv2 create-email-identity --email-identity ${mailDomain} --region ${region}`,
  );
}

async function checkDeletion(
  client: CloudFormationClient,
  prefix: string,
  { stacks, stops }: Checks,
): Promise<void> {
  const name = `${prefix}-delivery`;
  if (stacks.some(({ StackName }) => StackName === name)) return;
  const problem = await read(async () => ({ text: await deletionProblem(client, name, Date.now()) }));
  if (!isUnread(problem) && problem.text) stops.push(problem.text);
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

/** Prints all findings; throws if a finding stops the deployment: `isAnyway` accepts overridable findings. */
export function reportChecks({ stacks, stops, warnings, overridable }: Checks, isAnyway: boolean): void {
  const state = stacks.length === 0 ? 'new' : `${stacks.length} of ${STACK_PARTS.length} stacks exist`;
  console.error(`State: ${state}.`);
  for (const warning of [...warnings, ...(isAnyway ? overridable : [])]) console.error(`Note: ${warning}`);
  const left = isAnyway ? [] : overridable.map((each) => `${each}\nOr deploy as it is: pass --anyway.`);
  if (stops.length + left.length > 0) throw new CommandError([...stops, ...left].join('\n'));
}

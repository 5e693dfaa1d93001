import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { CreateReceiptRuleSetCommand, SESClient, SetActiveReceiptRuleSetCommand } from '@aws-sdk/client-ses';
import { expect } from 'vitest';
import { PREFIX, STAGE, type World } from '../world.ts';
import { succeeded } from './operations.ts';

type Row = { part: string; state: string; detail: string; fix?: string };

/** What the emulator has not, or has by another name. */
const UNKNOWN = ['quota of Lambda', 'SES account', 'End User Messaging', 'identity of the mail domain'];
/** What the emulator does not play to its end: only a deployment shows these. */
const UNSHOWN = ['text messages', 'in-app messages', 'webhooks', 'IDs in paths'];

/** A deployment rehearses itself, and nothing of it stays. */
export async function verifies(world: World): Promise<void> {
  const ses = new SESClient(world.caller);
  // The emulator's CloudFormation accepts the rule set without making it.
  await ses.send(new CreateReceiptRuleSetCommand({ RuleSetName: `${PREFIX}-inbound` }));
  await ses.send(new SetActiveReceiptRuleSetCommand({ RuleSetName: `${PREFIX}-inbound` }));
  const { stdout, stderr, code } = await world.run('verify', '--json', '--stage', STAGE);
  const { rows }: { rows: Row[] } = JSON.parse(stdout || '{"rows":[]}');
  const tried = rows.filter(({ part }) => ![...UNKNOWN, ...UNSHOWN].includes(part));
  expect(
    tried.filter(({ state }) => state === 'failed'),
    stderr,
  ).toEqual([]);
  expect(tried.filter(({ state }) => state === 'works').map(({ part }) => part)).toEqual(
    expect.arrayContaining([
      'email: delivered',
      'email: bounced',
      'email: complained',
      'email: is suppressed',
      'schedules',
      'receipt rule set',
    ]),
  );
  expect(code).toBe(rows.some(({ state }) => state === 'failed') ? 1 : 0);
  expect(await accounts(world)).not.toContain('Verification');
  const user = { UserPoolId: world.place.userPoolId, Username: 'success@simulator.amazonses.com' };
  await expect(
    new CognitoIdentityProviderClient(world.caller).send(new AdminGetUserCommand(user)),
  ).rejects.toThrow();
}

const accounts = async (world: World) =>
  succeeded(await world.run('account', 'list', '--json', '--stage', STAGE));

import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { SESClient, SetActiveReceiptRuleSetCommand } from '@aws-sdk/client-ses';
import { expect } from 'vitest';
import type { Row } from '../../../scripts/verify/rows.ts';
import { PREFIX, STAGE, type World } from '../world.ts';
import { succeeded } from './operations.ts';

const WORK = [
  'End User Messaging',
  'IDs in paths',
  'SES account',
  'email: bounced',
  'email: complained',
  'email: delivered',
  'email: is suppressed',
  'email: out of the office',
  'identity of the mail domain',
  'in-app messages',
  'quota of Lambda',
  'receipt rule set',
  'schedules',
  'text messages',
  'webhooks',
];

/** A deployment rehearses itself, and nothing of it stays. */
export async function verifies(world: World): Promise<void> {
  const ses = new SESClient(world.caller);
  await ses.send(new SetActiveReceiptRuleSetCommand({ RuleSetName: `${PREFIX}-inbound` }));
  const { stdout, stderr, code } = await world.run('verify', '--json', '--stage', STAGE);
  const { rows }: { rows: Row[] } = JSON.parse(stdout || '{"rows":[]}');
  const partsThat = (state: Row['state']) =>
    rows.filter((row) => row.state === state).map(({ part }) => part);
  expect(
    rows.filter(({ state }) => state === 'failed'),
    stderr,
  ).toEqual([]);
  expect(partsThat('works').sort()).toEqual(WORK);
  expect(partsThat('not configured').sort()).toEqual(['alarms', 'calls', 'chat', 'mobile push', 'web push']);
  expect(code).toBe(0);
  expect(await accounts(world)).not.toContain('Verification');
  const user = { UserPoolId: world.place.userPoolId, Username: 'success@simulator.amazonses.com' };
  await expect(
    new CognitoIdentityProviderClient(world.caller).send(new AdminGetUserCommand(user)),
  ).rejects.toThrow();
}

const accounts = async (world: World) =>
  succeeded(await world.run('account', 'list', '--json', '--stage', STAGE));

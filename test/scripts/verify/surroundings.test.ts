import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import { readParameters } from '../../../infra/aws/parameters/parameters.ts';
import { receivingProblem } from '../../../scripts/deploy/receiving.ts';
import type { Deployed } from '../../../scripts/verify/deployed.ts';
import { verifyAccount, verifyAlarms } from '../../../scripts/verify/surroundings.ts';

const PLACE = { account: '111122223333', region: 'eu-central-1' };
const deployed = { parameters: readParameters({ stage: 'prod' }) } as Deployed;

/** CloudWatch with these alarms, two to a page. */
function cloudWatch(states: Readonly<Record<string, string>>) {
  const client = new CloudWatchClient({ region: PLACE.region });
  const prefixes: unknown[] = [];
  const all = Object.entries(states).map(([AlarmName, StateValue]) => ({ AlarmName, StateValue }));
  client.send = (async ({ input }: { input: { AlarmNamePrefix?: string; NextToken?: string } }) => {
    prefixes.push(input.AlarmNamePrefix);
    const start = Number(input.NextToken ?? 0);
    const NextToken = start + 2 < all.length ? { NextToken: String(start + 2) } : {};
    return { MetricAlarms: all.slice(start, start + 2), ...NextToken };
  }) as never;
  return { client, prefixes };
}

describe('the alarms', () => {
  it.each([
    ['works', { a: 'OK', b: 'INSUFFICIENT_DATA', c: 'OK' }],
    ['failed', { a: 'OK', b: 'OK', 'notifications-prod-due-lag': 'ALARM' }],
    ['not configured', {}],
  ])('are %s by their states, on every page', async (state, states) => {
    const { client, prefixes } = cloudWatch(states);
    const row = await verifyAlarms(deployed, client);
    expect(row.state).toBe(state);
    if (state === 'failed') expect(row.detail).toContain('notifications-prod-due-lag');
    expect(new Set(prefixes)).toEqual(new Set(['notifications-prod-']));
  });
});

describe('what a deployment needs of its account', () => {
  it('becomes a row for each check, with the command of its finding', async () => {
    const used = { isUsed: () => true, good: 'good' };
    const rows = await verifyAccount(deployed, PLACE, {
      quota: { ...used, check: async () => {} },
      rules: {
        ...used,
        check: async (_, { region }, { warnings }) =>
          void warnings.push(receivingProblem(deployed.parameters, undefined, region) ?? ''),
      },
      other: { ...used, isUsed: () => false, check: async () => expect.unreachable() },
    });
    expect(rows).toEqual([
      { part: 'quota', state: 'works', detail: 'good' },
      {
        part: 'rules',
        state: 'failed',
        detail: 'Email is not received.',
        fix: expect.stringContaining(
          'aws ses set-active-receipt-rule-set --rule-set-name notifications-prod-inbound',
        ),
      },
      { part: 'other', state: 'not configured', detail: 'Not used by this deployment.' },
    ]);
  });
});

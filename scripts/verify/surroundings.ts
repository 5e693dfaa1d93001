import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { alarmNameOf } from '../../infra/aws/platform.ts';
import { ACCOUNT_CHECKS, noFindings } from '../deploy/deployment-checks.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';
import type { Deployed } from './deployed.ts';
import { failed, notConfigured, type Row, works } from './rows.ts';

/** Checks that the deployment's alarms are silent. */
export async function verifyAlarms(
  { parameters }: Deployed,
  client = new CloudWatchClient(AWS_CLIENT),
): Promise<Row> {
  const part = 'alarms';
  const AlarmNamePrefix = alarmNameOf({ parameters }, '');
  const states: [string, string][] = [];
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, { AlarmNamePrefix }))
    states.push(
      ...MetricAlarms.map(({ AlarmName = '', StateValue = '' }): [string, string] => [AlarmName, StateValue]),
    );
  const on = states.filter(([, state]) => state === 'ALARM').map(([name]) => name);
  if (on.length > 0) return failed(part, `On: ${on.join(', ')}.`, 'docs/runbook.md has a section for each.');
  if (states.length === 0) return notConfigured(part, 'Deploy with --alarms on, or name the stage prod.');
  return works(part, `${states.length} alarms, none is on`);
}

/** Quotas, identities and the rule set, by the checks that each deployment begins with. */
export async function verifyAccount(
  deployed: Deployed,
  place: { account: string; region: string },
  checks = ACCOUNT_CHECKS,
): Promise<Row[]> {
  const rows = Object.entries(checks).map(async ([part, { check, isUsed, good }]) => {
    if (!isUsed(deployed.parameters)) return notConfigured(part, 'Not used by this deployment.');
    const found = noFindings();
    await check(deployed.parameters, place, found);
    const [first, ...more] = [...found.stops, ...found.overridable, ...found.warnings];
    if (first === undefined) return works(part, good);
    const [problem = first, ...fix] = first.split(': ');
    return failed(part, `${problem}.`, [fix.join(': ') || 'docs/deploy.md', ...more].join(' '));
  });
  return Promise.all(rows);
}

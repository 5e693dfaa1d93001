import { describe, expect, it } from 'vitest';
import { WORKERS } from '../../../functions/workers.ts';
import { CHANNEL_QUEUES } from '../../../shared/messaging/queue-names.ts';
import { type Resource, type Synthesized, synthesize, textOf } from './synthesized.ts';

const PREFIX = 'notifications-dev-';
/** The functions through which every notification passes. */
const TRAFFIC = ['send', 'sender', 'send-bulk', 'dispatch', ...Object.values(CHANNEL_QUEUES), 'make-ready'];
const isReviewed = false;

function idOf(reference: unknown): string {
  return textOf(reference).replace(/[<>]/g, '').split('.')[0] ?? '';
}

const named = (all: Synthesized, { template }: Resource, reference: unknown) =>
  all.resources.find((each) => each.template === template && each.id === idOf(reference));
/** The functions behind an alias, by the ID of their row. */
const gradualIn = (all: Synthesized): string[] =>
  all
    .ofType('AWS::Lambda::Alias')
    .map((alias) =>
      named(all, alias, alias.properties.FunctionName)?.properties.FunctionName.slice(PREFIX.length),
    );

describe('the parameter gradual', () => {
  const queues = { queueConcurrency: { 'deliver-email': 5 } };
  const all = synthesize({ isReviewed, context: { gradual: 'canary', ...queues } });

  it('puts the functions that take traffic behind an alias, and no others: about fifteen', () => {
    const gradual = gradualIn(all);
    expect(TRAFFIC.filter((id) => !gradual.includes(id))).toEqual([]);
    expect(gradual.length).toBeLessThanOrEqual(16);
    const rows = [...WORKERS.map(({ name }) => name), 'send', 'sender', 'send-bulk'];
    expect(gradual.filter((id) => !rows.includes(id))).toEqual([]);
  });

  it('shifts them through CodeDeploy, and rolls back at the first error', () => {
    const groups = all.ofType('AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(gradualIn(all).length);
    for (const { properties } of groups) {
      expect(textOf(properties.DeploymentConfigName)).toContain('LambdaCanary10Percent5Minutes');
      expect(properties.AlarmConfiguration).toMatchObject({ Enabled: true, Alarms: [{}] });
      expect(properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
    const alarms = all.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => id.includes('RolloutErrors'));
    expect(alarms).toHaveLength(groups.length);
  });

  it('shares a role between few functions, each of whose aliases it may change', () => {
    const groups = all.ofType('AWS::CodeDeploy::DeploymentGroup');
    const byRole = Map.groupBy(groups, (each) => named(all, each, each.properties.ServiceRoleArn));
    expect(Math.max(...[...byRole.values()].map(({ length }) => length))).toBeLessThanOrEqual(4);
    for (const [role, each] of byRole) {
      const allowed = JSON.stringify(role?.properties.Policies);
      expect(allowed.split(':live"').length - 1).toBe(each.length);
    }
  });

  it('connects every trigger of such a function to the alias, and every other to its function', () => {
    const gradual = new Set(gradualIn(all));
    const [aliases, functions] = [all.ofType('AWS::Lambda::Alias'), all.ofType('AWS::Lambda::Function')];
    const invoked = [
      ...all.ofType('AWS::ApiGatewayV2::Integration').map((each) => [each, each.properties.IntegrationUri]),
      ...all.ofType('AWS::Lambda::EventSourceMapping').map((each) => [each, each.properties.FunctionName]),
      ...all.ofType('AWS::Lambda::Permission').map((each) => [each, each.properties.FunctionName]),
      ...all.ofType('AWS::Events::Rule').map((each) => [each, each.properties.Targets[0].Arn]),
    ].filter(([, target]) => target !== undefined) as [Resource, unknown][];
    expect(invoked.length).toBeGreaterThan(200);
    const wrong = invoked.filter(([{ template }, target]) => {
      const text = JSON.stringify(target);
      const isNamed = (each: Resource) => each.template === template && text.includes(`"${each.id}"`);
      if (aliases.some(isNamed)) return false;
      const found = functions.find(isNamed);
      return !found || gradual.has(found.properties.FunctionName.slice(PREFIX.length));
    });
    expect(wrong.map(([{ id }]) => id)).toEqual([]);
  });

  it('keeps failed invocations of what topics and schedules invoke, behind an alias or not', () => {
    const configs = all.ofType('AWS::Lambda::EventInvokeConfig');
    expect(configs.length).toBeGreaterThan(3);
    for (const { properties } of configs) expect(properties.Qualifier).toBe('$LATEST');
  });

  it('changes nothing when it is off', () => {
    const off = synthesize({ isReviewed, routes: [], context: {} });
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup'])
      expect(off.ofType(type)).toEqual([]);
  });
});

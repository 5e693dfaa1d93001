import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { type Resource, type Synthesized, synthesize, textOf } from './synthesized.ts';

const options = {
  routes: ROUTES.slice(0, 3),
  workers: WORKERS,
  isReviewed: false,
};

function idOf(reference: unknown): string {
  return textOf(reference).replace(/[<>]/g, '').split('.')[0] ?? '';
}

function rolledOut(all: Synthesized, { properties, template }: Resource) {
  const alias = all
    .ofType('AWS::Lambda::Alias')
    .find((each) => each.template === template && each.properties.Name === 'live' && isOf(each));
  function isOf(each: Resource): boolean {
    const id = idOf(each.properties.FunctionName);
    return all.resources.some(
      (resource) =>
        resource.template === template &&
        resource.id === id &&
        resource.properties.FunctionName === properties.FunctionName,
    );
  }
  return alias;
}

describe('the parameter gradual', () => {
  const queues = { queueConcurrency: { 'deliver-email': 5 } };
  it('puts every function behind an alias that CodeDeploy shifts, and rolls back at the first error', () => {
    const all = synthesize({ ...options, context: { gradual: 'canary', ...queues } });
    const functions = all.ofType('AWS::Lambda::Function');
    const aliases = functions.map((each) => rolledOut(all, each));
    expect(aliases.filter(Boolean)).toHaveLength(functions.length);
    const groups = all.ofType('AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(functions.length);
    for (const { properties } of groups) {
      expect(textOf(properties.DeploymentConfigName)).toContain('LambdaCanary10Percent5Minutes');
      expect(properties.AlarmConfiguration).toMatchObject({ Enabled: true, Alarms: [{}] });
      expect(properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
    const alarms = all.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => id.includes('RolloutErrors'));
    expect(alarms).toHaveLength(functions.length);
  });

  it('connects every trigger to the alias', () => {
    const all = synthesize({ ...options, context: { gradual: 'linear', ...queues } });
    const aliasIds = new Set(all.ofType('AWS::Lambda::Alias').map(({ id }) => id));
    const invoked = [
      ...all.ofType('AWS::ApiGatewayV2::Integration').map(({ properties }) => properties.IntegrationUri),
      ...all.ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties.FunctionName),
      ...all.ofType('AWS::Lambda::Permission').map(({ properties }) => properties.FunctionName),
      ...all.ofType('AWS::Events::Rule').map(({ properties }) => properties.Targets[0].Arn),
    ];
    expect(invoked.length).toBeGreaterThan(10);
    const past = invoked.filter(
      (each) => ![...aliasIds].some((id) => JSON.stringify(each).includes(`"${id}"`)),
    );
    expect(past).toEqual([]);
    // An ARN as text: CloudFormation's checks reject a reference to an alias as the endpoint (W3694).
    const endpoints = all
      .ofType('AWS::SNS::Subscription')
      .filter(({ properties }) => properties.Protocol === 'lambda')
      .map(({ properties }) => textOf(properties.Endpoint));
    expect(endpoints).toHaveLength(2);
    for (const endpoint of endpoints) expect(endpoint).toMatch(/:function:<Ingest\w+>:live$/);
    const configs = all.ofType('AWS::Lambda::EventInvokeConfig');
    expect(new Set(configs.map(({ properties }) => properties.Qualifier))).toEqual(new Set(['live']));
    // They name the alias as text: without a dependency, CloudFormation creates them before it.
    for (const { dependsOn } of configs) expect(dependsOn.some((id) => aliasIds.has(id))).toBe(true);
  });

  it('changes nothing when it is off', () => {
    const all = synthesize({ ...options, context: {} });
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup'])
      expect(all.ofType(type)).toEqual([]);
  });
});

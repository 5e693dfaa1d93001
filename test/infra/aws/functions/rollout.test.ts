import { describe, expect, it } from 'vitest';
import { WORKERS } from '../../../../functions/workers.ts';
import { CHANNEL_QUEUES } from '../../../../shared/messaging/queue-names.ts';
import {
  productionTemplates,
  type Resource,
  type Synthesized,
  sandboxTemplates,
  textOf,
} from '../synthesized.ts';

const PREFIX = 'notifications-prod-';
/** The functions through which every notification passes. */
const TRAFFIC = ['send', 'sender', 'send-bulk', 'dispatch', ...Object.values(CHANNEL_QUEUES), 'make-ready'];
const all = await productionTemplates();

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

/** Functions that take traffic and change all at once, and more than about fifteen that do not. */
function unshifted(all: Synthesized): string[] {
  const gradual = gradualIn(all);
  const rows = [...WORKERS.map(({ name }) => name), 'send', 'sender', 'send-bulk'];
  return [
    ...TRAFFIC.filter((id) => !gradual.includes(id)).map((id) => `${id} changes all at once`),
    ...gradual.filter((id) => !rows.includes(id)).map((id) => `${id} is no function that takes traffic`),
    ...(gradual.length > 16 ? [`${gradual.length} rollouts`] : []),
  ];
}

/** Rollouts that do not stop at an error. */
function unguarded(all: Synthesized): string[] {
  const groups = all.ofType('AWS::CodeDeploy::DeploymentGroup');
  const alarms = all.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => id.includes('RolloutErrors'));
  const wrong = groups.filter((group) => {
    const { DeploymentConfigName, AlarmConfiguration, AutoRollbackConfiguration } = group.properties;
    const [watched] = AlarmConfiguration?.Alarms ?? [];
    return !(
      textOf(DeploymentConfigName).includes('LambdaCanary10Percent5Minutes') &&
      AlarmConfiguration?.Enabled &&
      alarms.includes(named(all, group, watched?.Name) as Resource) &&
      AutoRollbackConfiguration?.Enabled &&
      AutoRollbackConfiguration.Events.includes('DEPLOYMENT_STOP_ON_ALARM')
    );
  });
  const missing = gradualIn(all).length - groups.length;
  return [...wrong.map(({ id }) => id), ...(missing > 0 ? [`${missing} aliases without a rollout`] : [])];
}

/** Roles of too many rollouts, and roles that lack the right to change an alias of theirs. */
function crowdedRoles(all: Synthesized): string[] {
  const groups = all.ofType('AWS::CodeDeploy::DeploymentGroup');
  const byRole = Map.groupBy(groups, (each) => named(all, each, each.properties.ServiceRoleArn));
  return [...byRole].flatMap(([role, each]) => {
    const allowed = JSON.stringify(role?.properties.Policies ?? '').split(':live"').length - 1;
    return role && each.length <= 4 && allowed === each.length ? [] : [role?.id ?? 'no role'];
  });
}

/** Triggers that invoke the function behind an alias itself, or one that does not exist. */
function misconnected(all: Synthesized): string[] {
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
  return wrong.map(([{ id }]) => id);
}

describe('the parameter gradual', () => {
  it('puts the functions that take traffic behind an alias, and no others: about fifteen', () => {
    expect(unshifted(all)).toEqual([]);
  });

  it('shifts them through CodeDeploy, and rolls back at the first error', () => {
    expect(unguarded(all)).toEqual([]);
    const alarms = all.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => id.includes('RolloutErrors'));
    expect(alarms).toHaveLength(gradualIn(all).length);
  });

  it('shares a role between few functions, each of whose aliases it may change', () => {
    expect(crowdedRoles(all)).toEqual([]);
  });

  it('connects every trigger of such a function to the alias, and every other to its function', () => {
    expect(misconnected(all)).toEqual([]);
  });

  const planted = (type: string, plant: (each: Resource, index: number) => void): Synthesized => {
    const changed = structuredClone(all.ofType(type));
    changed.forEach(plant);
    const resources = [...all.resources.filter((each) => each.type !== type), ...changed];
    return { ...all, resources, ofType: (kind) => resources.filter((each) => each.type === kind) };
  };
  const withAliases = (): Synthesized => {
    const aliases = all.ofType('AWS::Lambda::Function').map((each) => ({
      ...each,
      id: `${each.id}More`,
      type: 'AWS::Lambda::Alias',
      properties: { FunctionName: { Ref: each.id } },
    }));
    const resources = [...all.resources, ...aliases];
    return { ...all, resources, ofType: (kind) => resources.filter((each) => each.type === kind) };
  };
  const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
  const [firstRole] = all.ofType(GROUP).map(({ properties }) => properties.ServiceRoleArn);
  const isOf = (id: string) => (each: Resource) => JSON.stringify(each.properties).includes(id);

  it.each([
    [
      'a function of the traffic has no alias',
      unshifted,
      planted('AWS::Lambda::Alias', (each, index) => {
        if (index === 0) each.type = 'AWS::Lambda::Version';
      }),
    ],
    ['every function has a rollout', unshifted, withAliases()],
    [
      'a rollout changes all at once',
      unguarded,
      planted(GROUP, (each) => {
        each.properties.DeploymentConfigName = 'CodeDeployDefault.LambdaAllAtOnce';
      }),
    ],
    [
      'a rollout watches no alarm',
      unguarded,
      planted(GROUP, (each) => {
        each.properties.AlarmConfiguration.Alarms = [];
      }),
    ],
    [
      'a rollout ignores its alarm',
      unguarded,
      planted(GROUP, (each) => {
        each.properties.AutoRollbackConfiguration.Events = ['DEPLOYMENT_FAILURE'];
      }),
    ],
    [
      'an alias has no rollout',
      unguarded,
      planted(GROUP, (each, index) => {
        if (index === 0) each.type = 'AWS::CodeDeploy::Application';
      }),
    ],
    [
      'all rollouts share a role',
      crowdedRoles,
      planted(GROUP, (each) => {
        each.properties.ServiceRoleArn = firstRole;
      }),
    ],
    [
      'a role may not change an alias',
      crowdedRoles,
      planted('AWS::IAM::Role', (each) => {
        if (isOf(':live')(each)) each.properties.Policies = [];
      }),
    ],
    [
      'a queue invokes the function itself',
      misconnected,
      planted('AWS::Lambda::EventSourceMapping', (each) => {
        const alias = textOf(each.properties.FunctionName).replace(/[<>]/g, '');
        const found = all.ofType('AWS::Lambda::Alias').find(({ id }) => id === alias);
        if (found) each.properties.FunctionName = found.properties.FunctionName;
      }),
    ],
  ] as const)('is found wrong when %s', (_, rule, faulty) => {
    expect(rule(faulty).length).toBeGreaterThan(0);
  });

  it('keeps failed invocations of what topics and schedules invoke, behind an alias or not', () => {
    const configs = all.ofType('AWS::Lambda::EventInvokeConfig');
    expect(configs.length).toBeGreaterThan(3);
    for (const { properties } of configs) expect(properties.Qualifier).toBe('$LATEST');
  });

  it('changes nothing when it is off', async () => {
    const off = await sandboxTemplates();
    for (const type of ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::DeploymentGroup'])
      expect(off.ofType(type)).toEqual([]);
  });
});

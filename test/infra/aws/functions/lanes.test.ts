import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { referred } from '../../../../scripts/deploy/deployment-time.ts';
import {
  PRODUCTION,
  productionTemplates,
  type Resource,
  type Synthesized,
  sandboxTemplates,
} from '../synthesized.ts';

/** At most so many resources of these types are created at once in a template. */
const LIMITS: Readonly<Record<string, number>> = {
  'AWS::CloudFormation::Stack': 4,
  'AWS::Lambda::Function': 4,
  'AWS::Lambda::EventSourceMapping': 4,
  'AWS::ApiGatewayV2::Integration': 1,
  'AWS::ApiGatewayV2::Route': 1,
  'AWS::Lambda::Alias': 4,
  'AWS::Logs::LogGroup': 5,
};

/**
 * Types with more concurrent creations than their limit, with the number, if each resource took the same time: resources of a
 * type that wait for equally many others of it.
 */
function atOnce(resources: readonly Resource[]): string[] {
  const byId = new Map(resources.map((each) => [each.id, each]));
  const waitsFor = new Map(
    resources.map((each) => [each.id, [...new Set([...each.dependsOn, ...referred(each.properties)])]]),
  );
  return Object.entries(LIMITS).flatMap(([type, limit]) => {
    const ranks = new Map<string, number>();
    const rankOf = (id: string): number => {
      const known = ranks.get(id);
      if (known !== undefined) return known;
      ranks.set(id, 0);
      const before = (waitsFor.get(id) ?? []).filter((each) => byId.has(each)).map(rankOf);
      const rank = Math.max(0, ...before) + (byId.get(id)?.type === type ? 1 : 0);
      ranks.set(id, rank);
      return rank;
    };
    const counts = new Map<number, number>();
    for (const each of resources)
      if (each.type === type) counts.set(rankOf(each.id), (counts.get(rankOf(each.id)) ?? 0) + 1);
    const most = Math.max(0, ...counts.values());
    return most > limit ? [`${resources[0]?.template} creates ${most} of ${type} at once`] : [];
  });
}

const crowds = (all: Synthesized) => {
  const templates = Map.groupBy(all.resources, ({ template }) => template);
  return [...templates.values()].flatMap(atOnce);
};

const STAGES: readonly [string, () => Promise<Synthesized>][] = [
  ['of the default stage', sandboxTemplates],
  ['of a production with everything on', productionTemplates],
];

describe.each(STAGES)('the templates %s', (_, synthesized) => {
  it('create as many resources at once as the control planes of AWS accept', async () => {
    expect(crowds(await synthesized())).toEqual([]);
  });

  it('move a trigger to a function once the trigger may invoke it', async () => {
    expect(earlyTriggers(await synthesized())).toEqual([]);
  });
});

/** What invokes a function by the function's own policy, and does not wait for that policy. */
function earlyTriggers(all: Synthesized): string[] {
  const types = ['AWS::ApiGatewayV2::Integration', 'AWS::Events::Rule', 'AWS::SNS::Subscription'];
  const triggers = all.resources.filter(
    ({ type, properties }) =>
      types.includes(type) &&
      properties.IntegrationType !== 'MOCK' &&
      (properties.Protocol ?? 'lambda') === 'lambda',
  );
  expect(triggers.length).toBeGreaterThan(30);
  return triggers
    .filter(({ template, dependsOn }) => {
      const permissions = all.ofType('AWS::Lambda::Permission').filter((each) => each.template === template);
      return !permissions.some(({ id }) => dependsOn.includes(id));
    })
    .map(({ id }) => id);
}

describe('a planted fault', () => {
  const withFault = async (plant: (resource: Resource) => void): Promise<Synthesized> => {
    const all = await productionTemplates();
    const resources = structuredClone(all.resources);
    for (const resource of resources) plant(resource);
    return { ...all, resources, ofType: (type) => resources.filter((each) => each.type === type) };
  };
  const first = (all: readonly Resource[], type: string) =>
    all.filter((each) => each.type === type).map(({ id }) => id);

  it('is found if one nested stack waits for no other', async () => {
    const [, , , , fifth] = first((await productionTemplates()).resources, 'AWS::CloudFormation::Stack');
    const all = await withFault((each) => {
      if (each.id === fifth) each.dependsOn = [];
    });
    expect(crowds(all)).toEqual(['Api creates 5 of AWS::CloudFormation::Stack at once']);
  });

  it('is found if all nested stacks wait for the same one', async () => {
    const [one = ''] = first((await productionTemplates()).resources, 'AWS::CloudFormation::Stack');
    const all = await withFault((each) => {
      if (each.type === 'AWS::CloudFormation::Stack' && each.id !== one) each.dependsOn = [one];
    });
    expect(crowds(all)).toHaveLength(1);
  });

  it.each([
    ['AWS::Lambda::EventSourceMapping', 'Delivery'],
    ['AWS::ApiGatewayV2::Route', 'users'],
    ['AWS::Lambda::Alias', 'Delivery'],
  ])('is found if no %s waits', async (type, template) => {
    const all = await withFault((each) => {
      if (each.type === type) each.dependsOn = [];
      // Routes also wait by way of their integrations.
      if (each.type === 'AWS::ApiGatewayV2::Integration' && type === 'AWS::ApiGatewayV2::Route')
        each.dependsOn = [];
    });
    expect(crowds(all).join('\n').toLowerCase()).toContain(template.toLowerCase());
  });

  it('is found if a trigger does not wait for its permission', async () => {
    const all = await withFault((each) => {
      if (each.id === 'SendIntegration' || each.id === 'SweepRule') each.dependsOn = [];
    });
    expect(earlyTriggers(all).sort()).toEqual(['SendIntegration', 'SweepRule']);
  });
});

it('has routes in every template that the rules are about', async () => {
  const routes = (await sandboxTemplates()).ofType('AWS::ApiGatewayV2::Route');
  expect(routes.length).toBeGreaterThan(ROUTES.length);
  expect(PRODUCTION.gradual).toBe('canary');
});

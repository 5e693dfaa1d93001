import { describe, expect, it } from 'vitest';
import { WORKERS } from '../../../functions/workers.ts';
import {
  once,
  PRODUCTION,
  productionTemplates,
  type Resource,
  type Synthesized,
  sandboxTemplates,
  synthesize,
  textOf,
} from './synthesized.ts';

/** Properties with a resource's name that must be unique in the account, or in the world, across regions. */
const PER_ACCOUNT: Readonly<Record<string, string>> = {
  'AWS::Budgets::Budget': 'Budget.BudgetName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::CloudFront::CachePolicy': 'CachePolicyConfig.Name',
  'AWS::CloudFront::Function': 'Name',
  'AWS::CloudFront::OriginAccessControl': 'OriginAccessControlConfig.Name',
  'AWS::CloudFront::OriginRequestPolicy': 'OriginRequestPolicyConfig.Name',
  'AWS::CloudFront::ResponseHeadersPolicy': 'ResponseHeadersPolicyConfig.Name',
  'AWS::CE::AnomalyMonitor': 'AnomalyMonitor.MonitorName',
  'AWS::CE::AnomalySubscription': 'SubscriptionName',
  'AWS::Cognito::UserPoolDomain': 'Domain',
  'AWS::IAM::Group': 'GroupName',
  'AWS::IAM::InstanceProfile': 'InstanceProfileName',
  'AWS::IAM::ManagedPolicy': 'ManagedPolicyName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::IAM::User': 'UserName',
  'AWS::S3::Bucket': 'BucketName',
};

/** Types whose names are unique in a region only, or that have none. A new type is added here or above. */
const PER_REGION = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CDK::Metadata',
  'AWS::CloudFormation::Stack',
  'AWS::CloudWatch::Alarm',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::KMS::Key',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  // A domain of the API belongs to one region: the deployment's owner chooses another for the second.
  'AWS::Route53::RecordSet',
  'AWS::S3::BucketPolicy',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::SES::ReceiptRule',
  'AWS::SES::ReceiptRuleSet',
  'AWS::SMSVOICE::ConfigurationSet',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
];

const valueAt = (properties: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Object(value)[name], properties);

/** Resources whose names collide with a second region of the same stage, and types without a decision. */
function breaches(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ id, type, properties }) => {
    const path = PER_ACCOUNT[type];
    if (path === undefined) return PER_REGION.includes(type) ? [] : [`${type} of ${id} is new`];
    const name = valueAt(properties, path);
    return name === undefined || textOf(name).includes('<AWS::Region>')
      ? []
      : [`${id} is named ${textOf(name)}`];
  });
}

const STAGES: readonly [string, () => Promise<Synthesized>][] = [
  ['the default stage', sandboxTemplates],
  ['a production with everything on', productionTemplates],
  [
    'a budget, alarms and a dashboard',
    once(() =>
      synthesize({
        routes: [],
        workers: WORKERS.filter(({ grants }) => !grants.sendsTo).slice(0, 3),
        context: {
          ...PRODUCTION,
          reservedConcurrency: {},
          queueConcurrency: {},
          stage: 'dev',
          monthlyBudgetUsd: 20,
          dashboard: 'on',
          alarms: 'on',
        },
      }),
    ),
  ],
];

describe('names that are unique in an account', () => {
  it.each(STAGES)('contain the region in %s', async (_, synthesized) => {
    expect(breaches((await synthesized()).resources)).toEqual([]);
  });

  it('are judged: a budget and a dashboard exist', async () => {
    const types = new Set((await STAGES[2]?.[1]())?.resources.map(({ type }) => type));
    expect(types).toContain('AWS::Budgets::Budget');
    expect(types).toContain('AWS::CloudWatch::Dashboard');
  });

  it('count the costs of their own region only', async () => {
    const [budget] = (await STAGES[2]?.[1]())?.ofType('AWS::Budgets::Budget') ?? [];
    expect(JSON.stringify(budget?.properties.Budget.FilterExpression)).toContain(
      '{"Dimensions":{"Key":"REGION","MatchOptions":["EQUALS"],"Values":[{"Ref":"AWS::Region"}]}}',
    );
  });
});

describe('a planted fault', () => {
  const planted = (type: string, properties: object): Resource => ({
    id: 'Planted',
    template: 'Delivery',
    type,
    properties,
    deletionPolicy: undefined,
    dependsOn: [],
  });
  it.each([
    ['AWS::CloudWatch::Dashboard', { DashboardName: 'notifications-prod' }],
    ['AWS::Budgets::Budget', { Budget: { BudgetName: 'notifications-prod-monthly' } }],
    ['AWS::IAM::Role', { RoleName: 'notifications-prod-send' }],
    ['AWS::IAM::ManagedPolicy', { ManagedPolicyName: { 'Fn::Join': ['-', ['notifications', 'prod']] } }],
    ['AWS::S3::Bucket', { BucketName: 'notifications-prod-blobs' }],
    ['AWS::Cognito::UserPoolDomain', { Domain: 'notifications-prod' }],
    ['AWS::GlobalAccelerator::Accelerator', { Name: 'notifications-prod' }],
  ])('is found in %s', (type, properties) => {
    expect(breaches([planted(type, properties)])).toHaveLength(1);
  });

  it('is none if the region is in the name, or AWS chooses it', () => {
    const name = { 'Fn::Join': ['', ['notifications-prod-', { Ref: 'AWS::Region' }]] };
    expect(breaches([planted('AWS::IAM::Role', { RoleName: name }), planted('AWS::IAM::Role', {})])).toEqual(
      [],
    );
  });
});

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { App, Stack, Stage } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import * as cxapi from 'aws-cdk-lib/cx-api';
import { afterAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import {
  NotificationService,
  type NotificationServiceProps,
} from '../../../infra/aws/notification-service.ts';

const code = mkdtempSync(join(tmpdir(), 'code-'));
writeFileSync(join(code, 'index.mjs'), 'export const handler = async () => {};\n');
afterAll(() => rmSync(code, { recursive: true }));

/** Few functions, so that each test has an app of its own. */
const FEW = {
  routes: ROUTES.filter(({ resource }) => resource === 'health' || resource === 'providers'),
  workers: WORKERS.filter(({ name }) => name === 'administer-accounts'),
  codeFolderOf: () => code,
};
const PROPS = { stage: 'prod', alarmAddress: 'ops@example.com', eventBus: 'default' };

function serviceIn(props: NotificationServiceProps = PROPS, app = new App(), id = 'Notifications') {
  const service = new NotificationService(app, id, props, FEW);
  return { app, service, shop: new Stack(app, 'Shop') };
}

const functionIn = (stack: Stack) =>
  new lambda.Function(stack, 'Orders', {
    runtime: lambda.Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: lambda.Code.fromInline('exports.handler = async () => {};'),
  });

/** The templates of the service by stack name, as far as a stage keeps its resources by them. */
function identityOf(app: App): Record<string, unknown> {
  const stacks = app
    .synth()
    .stacksRecursively.filter(({ stackName }) => stackName.startsWith('notifications-'));
  return Object.fromEntries(
    stacks.map(({ stackName, template }) => [
      stackName,
      {
        resources: Object.entries<{ Type: string }>(template.Resources).map(([id, { Type }]) => [id, Type]),
        exports: Object.values<{ Export?: { Name: string } }>(template.Outputs ?? {}).map(
          (each) => each.Export?.Name,
        ),
      },
    ]),
  );
}

describe('the construct', () => {
  it('creates the resources of npm run deploy under any ID, and with any flags of the app', () => {
    const flags = Object.keys(cxapi.FLAGS).filter(
      (flag) => !cxapi.CURRENT_VERSION_EXPIRED_FLAGS.includes(flag),
    );
    const other = new App({ context: Object.fromEntries(flags.map((flag) => [flag, true])) });
    const deployed = serviceIn(PROPS, new App(), 'Default').app;
    expect(identityOf(serviceIn(PROPS, other).app)).toEqual(identityOf(deployed));
  });

  it('accepts the parameters as properties: lists, providers of channels, account and region', () => {
    const { service } = serviceIn({
      ...PROPS,
      channels: ['EMAIL', 'INAPP_WEB'],
      email: { provider: ['ses', 'smtp'] },
      settings: { LOG_LEVEL: 'WARN' },
      env: { account: '111122223333', region: 'eu-central-1' },
    });
    const { platform, stacks } = service._stacks;
    expect(platform.parameters).toMatchObject({
      channels: 'EMAIL,INAPP_WEB',
      settings: { EMAIL_PROVIDER: 'ses,smtp', LOG_LEVEL: 'WARN' },
    });
    expect(new Set(stacks.map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
  });

  it.each(['an app', 'a stage'])('has its code in the assembly, which can be moved: in %s', (scope) => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'assembly-')) });
    const parent = scope === 'an app' ? app : new Stage(app, 'Prod');
    const functions = join(app.outdir, 'functions');
    cpSync(code, functions, { recursive: true });
    const service = new NotificationService(parent, 'Notifications', PROPS, {
      ...FEW,
      codeFolderOf: () => functions,
    });
    service.grantSend(functionIn(new Stack(parent, 'Shop')));
    app.synth();
    const moved = `${app.outdir}-moved`;
    renameSync(app.outdir, moved);
    const manifests = readdirSync(moved, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.assets.json'),
    );
    const paths = manifests.flatMap((name) =>
      Object.values<{ source: { path: string } }>(
        JSON.parse(readFileSync(join(moved, name), 'utf8')).files,
      ).map(({ source }) => resolve(moved, dirname(name), source.path)),
    );
    expect(paths).toContain(join(moved, 'functions'));
    expect(paths.filter((path) => !path.startsWith(moved) || !existsSync(path))).toEqual([]);
    rmSync(moved, { recursive: true });
  });

  it('rejects what the command line rejects', () => {
    expect(() => serviceIn({ stage: 'Prod' })).toThrow(/stage: up to 16 lower-case letters/);
    expect(() => serviceIn({ stgae: 'prod' } as never)).toThrow('stgae: there is no such parameter');
  });
});

describe('grantSend', () => {
  it('gives a function the address and the secret with the key, and the right to read that one', () => {
    const { service, shop } = serviceIn();
    service.grantSend(functionIn(shop));
    const template = Template.fromStack(shop);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { NDS_URL: Match.anyValue(), NDS_KEY_SECRET: Match.anyValue() } },
    });
    const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
    expect(policy?.Properties.PolicyDocument.Statement).toMatchObject([
      { Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'], Effect: 'Allow' },
    ]);
    expect(JSON.stringify(policy?.Properties.PolicyDocument.Statement[0].Resource)).toContain(
      'notifications-prod-access',
    );
  });

  it('works for containers and roles', () => {
    const { service, shop } = serviceIn();
    const task = new ecs.FargateTaskDefinition(shop, 'Task');
    const container = task.addContainer('App', { image: ecs.ContainerImage.fromRegistry('app') });
    service.grantSend(container);
    service.grantSend(new iam.Role(shop, 'Role', { assumedBy: new iam.AccountRootPrincipal() }));
    const template = Template.fromStack(shop);
    template.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [{ Environment: [{ Name: 'NDS_URL' }, { Name: 'NDS_KEY_SECRET' }] }],
    });
    expect(Object.keys(template.findResources('AWS::IAM::Policy'))).toHaveLength(2);
  });

  it('adds a stack to the five, once, and needs an administrator', () => {
    const { app, service, shop } = serviceIn();
    const grantee = functionIn(shop);
    service.grantSend(grantee);
    service.grantSend(grantee);
    expect(
      app.synth().stacks.filter(({ stackName }) => stackName.startsWith('notifications-prod-')),
    ).toHaveLength(6);
    const without = serviceIn({ stage: 'dev' });
    expect(() => without.service.grantSend(functionIn(without.shop))).toThrow(
      /needs the property administrator/,
    );
  });

  it('works for a service that is deployed elsewhere', () => {
    const shop = new Stack(new App(), 'Shop');
    const service = NotificationService.fromAttributes(shop, 'Notifications', {
      baseUrl: 'https://api.example.com',
      webSocketUrl: 'wss://live.example.com',
      tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/notifications',
      stage: 'prod',
    });
    service.grantSend(functionIn(shop));
    const template = Template.fromStack(shop);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { NDS_URL: 'https://api.example.com' } },
    });
    const { Statement } =
      Object.values(template.findResources('AWS::IAM::Policy'))[0]?.Properties.PolicyDocument ?? {};
    expect(JSON.stringify(Statement)).toContain(':secret:notifications-prod-send-key-??????');
    expect(service.table.tableName).toBe('notifications');
  });
});

describe('onEvent', () => {
  it('passes the named events of this service to the target', () => {
    const { service, shop } = serviceIn();
    const target = new SqsQueue(new Queue(shop, 'Failures'));
    service.onEvent(shop, 'Failed', { events: ['EMAIL_FAILED'], target, environmentId: 'live' });
    const [rule] = Object.values(Template.fromStack(shop).findResources('AWS::Events::Rule'));
    expect(rule?.Properties).toMatchObject({
      EventBusName: 'default',
      EventPattern: {
        source: ['notifications.prod'],
        'detail-type': ['EMAIL_FAILED'],
        resources: ['environment/live'],
      },
    });
  });

  it('needs a bus', () => {
    const { service, shop } = serviceIn({ stage: 'dev' });
    const target = new SqsQueue(new Queue(shop, 'All'));
    expect(() => service.onEvent(shop, 'All', { target })).toThrow(/needs the property eventBus/);
  });
});

import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { fileNameOf } from '../../../shared/http/route.ts';
import type { Worker } from '../../../shared/worker.ts';
import { type Resource, referredBy, type Synthesized, synthesize, textOf } from './synthesized.ts';

let all: Synthesized;
let functions: Map<string, Resource>;

beforeAll(() => {
  all = synthesize();
  functions = new Map(
    all.ofType('AWS::Lambda::Function').map((each) => [each.properties.FunctionName, each]),
  );
}, 120_000);

const functionOf = (id: string): Resource => {
  const found = functions.get(`notifications-dev-${id}`);
  if (!found) throw new Error(`there is no function ${id}`);
  return found;
};
const workersBy = <K extends Worker['trigger']['kind']>(kind: K) =>
  WORKERS.filter(
    (row): row is Worker & { trigger: Extract<Worker['trigger'], { kind: K }> } => row.trigger.kind === kind,
  );
const sourceOf = (row: Worker): Resource => {
  const invoked = functionOf(row.name);
  const found = all
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => textOf(properties.FunctionName) === `<${invoked.id}>`);
  expect(found, row.name).toHaveLength(1);
  return found[0] as Resource;
};
const queueOf = (queueName: string): Resource => {
  const found = all.ofType('AWS::SQS::Queue').find(({ properties }) => properties.QueueName === queueName);
  if (!found) throw new Error(`there is no queue ${queueName}`);
  return found;
};

describe('functions', () => {
  it('are one per row of the two tables, and the answerer of preflight requests', () => {
    const expected = [
      ...ROUTES.map(({ id }) => fileNameOf(id)),
      ...WORKERS.map(({ name }) => name),
      'preflight',
    ];
    expect([...functions.keys()].sort()).toEqual(expected.map((id) => `notifications-dev-${id}`).sort());
  });

  it('run on Node 24 and arm64, traced, with a log group that forgets', () => {
    for (const invoked of functions.values()) {
      const { Runtime, Architectures, TracingConfig, LoggingConfig } = invoked.properties;
      expect([Runtime, Architectures, TracingConfig.Mode, LoggingConfig.LogFormat]).toEqual([
        'nodejs24.x',
        ['arm64'],
        'Active',
        'JSON',
      ]);
      const logGroup = referredBy(all, invoked, LoggingConfig.LogGroup);
      expect(logGroup.properties.RetentionInDays).toBe(30);
      expect(logGroup.properties.LogGroupName).toBe(`/aws/lambda/${invoked.properties.FunctionName}`);
    }
  });

  it('have a role of their own each', () => {
    const roles = [...functions.values()].map((each) => `${each.template} ${textOf(each.properties.Role)}`);
    expect(new Set(roles).size).toBe(functions.size);
    expect(all.ofType('AWS::IAM::Role')).toHaveLength(functions.size);
    expect(all.ofType('AWS::IAM::Policy')).toEqual([]);
  });

  it('know the queues they send to, and what the code asks for by name', () => {
    const { Variables } = functionOf('dispatch').properties.Environment;
    expect(textOf(Variables.QUEUE_URL_DELIVER_EMAIL)).toBe(
      'https://sqs.<AWS::Region>.<AWS::URLSuffix>/<AWS::AccountId>/notifications-dev-deliver-email.fifo',
    );
    expect(Object.keys(Variables)).toEqual(
      expect.arrayContaining(['TABLE_NAME', 'KMS_KEY_ID', 'BLOB_BUCKET', 'PUBLIC_BASE_URL', 'STAGE']),
    );
    expect(Object.keys(functionOf('deliver-inapp').properties.Environment.Variables)).toContain(
      'WEBSOCKET_ENDPOINT',
    );
    expect(Object.keys(functionOf('get-status').properties.Environment.Variables)).not.toContain(
      'WEBSOCKET_ENDPOINT',
    );
  });
});

describe('HTTP routes', () => {
  const routeOf = (routeKey: string): Resource => {
    const found = all
      .ofType('AWS::ApiGatewayV2::Route')
      .find(({ properties }) => properties.RouteKey === routeKey);
    if (!found) throw new Error(`there is no route ${routeKey}`);
    return found;
  };

  it('are one per row of the route table, one per path for preflight requests, and the WebSocket ones', () => {
    const rows = ROUTES.map(({ method, path }) => `${method} ${path}`);
    const preflight = new Set(ROUTES.filter(({ cors }) => cors).map(({ path }) => `OPTIONS ${path}`));
    const websocket = workersBy('websocket').map(({ trigger }) => trigger.route);
    const keys = all.ofType('AWS::ApiGatewayV2::Route').map(({ properties }) => properties.RouteKey);
    expect(keys.sort()).toEqual([...rows, ...preflight, ...websocket].sort());
  });

  it('lead to the function of their row with payload format 2.0', () => {
    for (const { id, method, path } of ROUTES) {
      const row = routeOf(`${method} ${path}`);
      const integration = referredBy(all, row, { Ref: /<(.*)>/.exec(textOf(row.properties.Target))?.[1] });
      expect(integration.properties.PayloadFormatVersion).toBe('2.0');
      expect(referredBy(all, row, integration.properties.IntegrationUri)).toBe(functionOf(fileNameOf(id)));
    }
  });

  it('alone may invoke their function', () => {
    for (const { id, method, path } of ROUTES) {
      const invoked = functionOf(fileNameOf(id));
      const permissions = all.ofType('AWS::Lambda::Permission').filter(({ template, properties }) => {
        return template === invoked.template && textOf(properties.FunctionName) === `<${invoked.id}.Arn>`;
      });
      expect(permissions).toHaveLength(1);
      const source = textOf(permissions[0]?.properties.SourceArn);
      expect(source).toMatch(/^arn:<AWS::Partition>:execute-api:/);
      expect(source.endsWith(`/*/${method}${path.replace(/\{\w+\}/g, '*')}`)).toBe(true);
    }
  });

  it('end before API Gateway gives up', () => {
    for (const { id } of ROUTES) expect(functionOf(fileNameOf(id)).properties.Timeout).toBeLessThan(29);
  });

  it('stand before the stage that has their limits', () => {
    const stage = all.ofType('AWS::ApiGatewayV2::Stage').find(({ id }) => id === 'HttpStage');
    const groups = all.ofType('AWS::CloudFormation::Stack').map(({ id }) => id);
    expect(stage?.dependsOn).toEqual(expect.arrayContaining(groups));
    const keys = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const limited = Object.keys(stage?.properties.RouteSettings);
    expect(limited.length).toBeGreaterThan(10);
    expect(limited.filter((key) => !keys.has(key))).toEqual([]);
  });

  it('answer browsers on the paths of rows with cors, and on no other', async () => {
    const code = functionOf('preflight').properties.Code.ZipFile;
    const exports: {
      handler?: (event: { routeKey: string }) => Promise<{ headers: Record<string, string> }>;
    } = {};
    runInNewContext(code, { exports });
    const answer = await exports.handler?.({ routeKey: 'OPTIONS /users/{userId}' });
    expect(answer?.headers['access-control-allow-origin']).toBe('*');
    const methods = ROUTES.filter(({ path, cors }) => cors && path === '/users/{userId}').map(
      ({ method }) => method,
    );
    expect(answer?.headers['access-control-allow-methods']).toBe(methods.join(', '));
    for (const { properties } of all.ofType('AWS::ApiGatewayV2::Api'))
      expect(properties.CorsConfiguration).toBeUndefined();
  });

  it('are logged without bodies and paths', () => {
    const stage = all.ofType('AWS::ApiGatewayV2::Stage').find(({ id }) => id === 'HttpStage');
    const { Format } = stage?.properties.AccessLogSettings ?? {};
    expect(Format).toContain('$context.routeKey');
    expect(Format).not.toMatch(/body|\$context\.path|querystring|authorizer/i);
  });
});

describe('triggers', () => {
  it('are one event source per queue, event queue and stream of the worker table', () => {
    const rows = WORKERS.filter(({ trigger }) => ['queue', 'events', 'stream'].includes(trigger.kind));
    expect(all.ofType('AWS::Lambda::EventSourceMapping')).toHaveLength(rows.length);
  });

  it('of queues answer message by message, from a queue with dead letters of its own kind', () => {
    for (const row of workersBy('queue')) {
      const { trigger } = row;
      const source = sourceOf(row);
      expect(source.properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(source.properties.BatchSize).toBe(trigger.batchSize);
      const queue = referredBy(all, source, source.properties.EventSourceArn);
      const ending = trigger.fifo ? '.fifo' : '';
      expect(queue.properties.QueueName).toBe(`notifications-dev-${trigger.queue}${ending}`);
      expect(queue.properties.FifoQueue ?? false).toBe(trigger.fifo);
      expect(queue.properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * row.timeoutSeconds);
      expect(queue.properties.RedrivePolicy.maxReceiveCount).toBe(trigger.receiveCountMax);
      const dead = referredBy(all, queue, queue.properties.RedrivePolicy.deadLetterTargetArn);
      expect(dead.properties.QueueName).toBe(`notifications-dev-${trigger.queue}-dead${ending}`);
      expect(dead.properties.FifoQueue ?? false).toBe(trigger.fifo);
      expect(dead.properties.MessageRetentionPeriod).toBe(14 * 86_400);
    }
  });

  it('of the stream split a failing batch, keep what is given up, and see their prefixes only', () => {
    const rows = workersBy('stream');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const { properties } = sourceOf(row);
      expect(properties).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: row.trigger.batchSize,
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        TumblingWindowInSeconds: row.trigger.windowSeconds,
      });
      const pattern = JSON.parse(properties.FilterCriteria.Filters[0].Pattern);
      expect(pattern.dynamodb.Keys.pk.S).toEqual(row.trigger.prefixes.map((prefix) => ({ prefix })));
      expect(textOf(properties.DestinationConfig.OnFailure.Destination)).toMatch(/DeadLetters/);
    }
  });

  it('of functions invoked by hand are none: IAM alone lets somebody in', () => {
    const rows = workersBy('manual');
    expect(rows.map(({ name }) => name)).toContain('administer-accounts');
    const open = [
      ...all.ofType('AWS::Lambda::Permission'),
      ...all.ofType('AWS::Lambda::Url'),
      ...all.ofType('AWS::Lambda::EventSourceMapping'),
      ...all.ofType('AWS::Events::Rule'),
      ...all.ofType('AWS::ApiGatewayV2::Integration'),
    ];
    for (const { name } of rows) {
      const { id } = functionOf(name);
      expect(open.filter(({ properties }) => JSON.stringify(properties).includes(`"${id}"`))).toEqual([]);
    }
  });

  it('of schedules keep their rate, and their failed invocations', () => {
    for (const { name, trigger } of workersBy('schedule')) {
      const rule = all
        .ofType('AWS::Events::Rule')
        .find(({ properties }) => properties.Name === `notifications-dev-${name}`);
      const unit = trigger.everyMinutes === 1 ? 'minute' : 'minutes';
      expect(rule?.properties.ScheduleExpression).toBe(`rate(${trigger.everyMinutes} ${unit})`);
      const [target] = rule?.properties.Targets ?? [];
      expect(textOf(target.Arn)).toBe(`<${functionOf(name).id}.Arn>`);
      expect(textOf(target.DeadLetterConfig.Arn)).toMatch(/^<FailedInvocations/);
    }
    const lasting = [...workersBy('schedule'), ...workersBy('objects')];
    expect(all.ofType('AWS::Lambda::EventInvokeConfig')).toHaveLength(lasting.length);
  });

  it('of paced queues run no more at once than their row says, and tell the function how many that is', () => {
    const paced = workersBy('queue').filter(({ trigger }) => trigger.concurrencyMax !== undefined);
    expect(paced.length).toBeGreaterThan(6);
    for (const row of paced) {
      const { concurrencyMax } = row.trigger;
      expect(sourceOf(row).properties.ScalingConfig).toEqual({ MaximumConcurrency: concurrencyMax });
      const { Variables } = functionOf(row.name).properties.Environment;
      const sharesRate = row.settings?.includes('QUEUE_CONCURRENCY') ?? false;
      expect(Variables.QUEUE_CONCURRENCY).toBe(sharesRate ? String(concurrencyMax) : undefined);
    }
  });

  it('of outside events go through a topic to a queue, whatever happens to the worker', () => {
    for (const row of workersBy('events')) {
      const topicName = `notifications-dev-${row.trigger.source}-events`;
      const topic = all
        .ofType('AWS::SNS::Topic')
        .find(({ properties }) => properties.TopicName === topicName);
      const subscription = all
        .ofType('AWS::SNS::Subscription')
        .find(({ properties }) => textOf(properties.TopicArn) === `<${topic?.id}>`);
      const queue = queueOf(`notifications-dev-${row.trigger.queue}`);
      expect(textOf(subscription?.properties.Endpoint)).toBe(`<${queue.id}.Arn>`);
      expect(textOf(sourceOf(row).properties.EventSourceArn)).toBe(`<${queue.id}.Arn>`);
      expect(queue.properties.RedrivePolicy).toBeDefined();
    }
  });

  it('of objects see their prefix only, in the shape of an S3 event', () => {
    for (const { name, trigger } of workersBy('objects')) {
      const rule = all
        .ofType('AWS::Events::Rule')
        .find(({ properties }) => properties.Name === `notifications-dev-${name}`);
      expect(rule?.properties.EventPattern.detail.object.key).toEqual([{ prefix: trigger.prefix }]);
      const { InputTemplate, InputPathsMap } = rule?.properties.Targets[0].InputTransformer ?? {};
      const given = InputTemplate.replace(/<(\w+)>/g, (_: string, key: string) => {
        expect(Object.keys(InputPathsMap)).toContain(key);
        return key === 'size' ? '12' : JSON.stringify(key);
      });
      expect(JSON.parse(given).Records[0].s3).toMatchObject({
        bucket: { name: 'bucket' },
        object: { key: 'key', size: 12 },
      });
    }
  });
});

describe('stacks', () => {
  it('have room to grow below the 500 resources of CloudFormation', () => {
    const counts = new Map<string, number>();
    for (const { template } of all.resources) counts.set(template, (counts.get(template) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThan(450);
    for (const text of all.texts.values()) expect(text.length).toBeLessThan(900_000);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { WORKERS } from '../../../../functions/workers.ts';
import { readParameters } from '../../../../infra/aws/parameters/parameters.ts';
import { isSourceUsed, usesProvider, usesSes } from '../../../../infra/aws/triggers/used-sources.ts';
import type { Worker } from '../../../../shared/http/rows/worker.ts';
import {
  functionIn,
  type Resource,
  referredBy,
  type Synthesized,
  sandboxTemplates,
  textOf,
} from '../synthesized.ts';

let all: Synthesized;
beforeAll(async () => {
  all = await sandboxTemplates();
});

const functionOf = (id: string) => functionIn(all, id);
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

describe('worker triggers', () => {
  it('become one event source per queue, event queue and stream of the worker table', () => {
    const rows = WORKERS.filter(({ trigger }) => ['queue', 'events', 'stream'].includes(trigger.kind));
    expect(all.ofType('AWS::Lambda::EventSourceMapping')).toHaveLength(rows.length);
  });

  it('report failures per message of a queue and name separate dead-letter queues', () => {
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

  it('split failing batches of the stream, keep what failed after the last retry, and filter by prefix', () => {
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

  it('do not exist for functions invoked manually: IAM alone grants access', () => {
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

  it('keep the rate of schedules and their failed invocations', () => {
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
    const lasting = [...workersBy('schedule'), ...workersBy('topic')];
    expect(all.ofType('AWS::Lambda::EventInvokeConfig')).toHaveLength(lasting.length);
  });

  it('limit the concurrency of paced queues as their row states, and pass the limit to the function', () => {
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

  it('send external events through a topic to a queue, independent of the worker', () => {
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
      const { properties } = sourceOf(row);
      expect(textOf(properties.EventSourceArn)).toBe(`<${queue.id}.Arn>`);
      expect(properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      const dead = referredBy(all, queue, queue.properties.RedrivePolicy.deadLetterTargetArn);
      expect([queue, dead].map((each) => each.properties.FifoQueue)).toEqual([undefined, undefined]);
    }
  });

  it('invoke the function of a topic and keep what SNS or Lambda could not deliver', () => {
    for (const row of workersBy('topic')) {
      const topic = all
        .ofType('AWS::SNS::Topic')
        .find(({ properties }) => properties.TopicName === `notifications-dev-${row.trigger.source}-events`);
      const subscription = all
        .ofType('AWS::SNS::Subscription')
        .find(({ properties }) => textOf(properties.TopicArn) === `<${topic?.id}>`);
      const { id } = functionOf(row.name);
      expect(subscription?.properties.Protocol).toBe('lambda');
      expect(textOf(subscription?.properties.Endpoint)).toBe(`<${id}.Arn>`);
      expect(textOf(subscription?.properties.RedrivePolicy.deadLetterTargetArn)).toMatch(
        /^<FailedInvocations/,
      );
      const config = all
        .ofType('AWS::Lambda::EventInvokeConfig')
        .find(({ properties }) => textOf(properties.FunctionName) === `<${id}>`);
      expect(config?.properties).toMatchObject({ MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 21_600 });
      expect(textOf(config?.properties.DestinationConfig.OnFailure.Destination)).toMatch(
        /^<FailedInvocations/,
      );
    }
  });
});

const given = (settings: Record<string, string>) => readParameters({ settings });

describe('the email provider', () => {
  it.each([
    ['', true],
    ['ses', true],
    ['smtp', false],
    ['smtp,ses', true],
    ['smtp,smtp:backup', false],
    ['sandbox', false],
  ])('%j uses SES: %s', (order, isUsed) => {
    const parameters = given(order ? { EMAIL_PROVIDER: order } : {});
    expect(usesSes(parameters)).toBe(isUsed);
  });

  it('counts anywhere in an order and under any name', () => {
    const parameters = given({ SMS_PROVIDER: 'telnyx,twilio:backup,aws', CALL_PROVIDER: 'telnyx' });
    expect(usesProvider(parameters, ['SMS'], 'aws')).toBe(true);
    expect(usesProvider(parameters, ['CALL'], 'aws')).toBe(false);
    expect(usesProvider(parameters, ['SMS'], 'twilio')).toBe(true);
    expect(isSourceUsed('ingest-inbound-sms', parameters)).toBe(true);
  });
});

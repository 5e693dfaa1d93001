import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import type { LogEvent } from '../../../../shared/domain/logs/log.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { METRICS, metricsOutput } from '../../../../shared/runtime/metrics.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import { watchAlarms } from '../../../support/alarms.ts';
import { call } from '../../../support/app.ts';
import { inLanes } from '../../../support/lanes.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { useAccount } from '../../../support/use-app.ts';
import { accepted } from '../receipts/accepted.ts';

const NAMESPACE = 'notifications/test';
const MINUTE_MS = 60_000;

/** A line in CloudWatch's embedded metric format. */
type Line = {
  _aws: {
    Timestamp: number;
    CloudWatchMetrics: {
      Namespace: string;
      Dimensions: string[][];
      Metrics: { Name: string; Unit: string }[];
    }[];
  };
} & Record<string, unknown>;

const pipeline = usePipeline();
const account = useAccount(pipeline);
const texts: string[] = [];

beforeAll(() => {
  replace(metricsOutput, () => (line) => void texts.push(line));
  process.env.METRICS_NAMESPACE = NAMESPACE;
});

/** Sends, runs everything, and gives the lines that were written in the meantime. */
async function linesOf(body: object, settle = () => pipeline.settle()): Promise<Line[]> {
  texts.length = 0;
  const request = { type: 'news', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Hello' } };
  const { status } = await call(send, { key: account.secret.key, body: { ...request, ...body } });
  expect(status).toBe(200);
  await settle();
  return texts.map((text) => JSON.parse(text));
}

/** The sum of a metric over the lines of one channel. */
const sumOf = (lines: readonly Line[], name: string, channel = 'SMS') =>
  lines.filter((line) => line.channel === channel).reduce((sum, line) => sum + Number(line[name] ?? 0), 0);
const valuesOf = (lines: readonly Line[], name: string) =>
  lines.flatMap((line) => (line[name] === undefined ? [] : [line[name]]));

describe('metrics', () => {
  it('count an email that its server delivers with its acceptance as sent and delivered', async () => {
    const real = resolve(emailProvider);
    replace(emailProvider, () => ({
      ...real,
      deliver: async () => ({
        kind: 'sent' as const,
        fields: {},
        delivered: { email_delivered_internal: '250' },
      }),
    }));
    const body = {
      type: 'mail',
      to: { id: 'eve', email: 'eve@example.com' },
      email: { subject: 's', html: 'h' },
    };
    const lines = await linesOf({ ...body, sms: undefined });
    replace(emailProvider, () => real);
    const counts = ['Accepted', 'Sent', 'Delivered', 'Failed'].map((name) => sumOf(lines, name, 'EMAIL'));
    expect(counts).toEqual([1, 1, 1, 0]);
  });

  it('count a notification once at each stage', async () => {
    const lines = await linesOf({});
    await pipeline.settle();
    pipeline.clock.nowMs += MINUTE_MS;
    await pipeline.settle();
    const all = texts.map((text): Line => JSON.parse(text));
    expect(lines.length).toBeGreaterThan(0);
    const counts = ['Accepted', 'Sent', 'Delivered', 'Failed'].map((name) => sumOf(all, name));
    expect(counts).toEqual([1, 1, 1, 0]);
    expect(sumOf(all, 'PhoneCost')).toBeGreaterThan(0);
    expect(valuesOf(all, 'SendLatency')).toEqual([0]);
    expect(valuesOf(all, 'ProviderFailure')).toEqual([0]);
  });

  it('have the embedded metric format with the channel as dimension, and with the provider for sends and receipts', async () => {
    const lines = await linesOf({});
    await pipeline.goTo(pipeline.clock.nowMs + MINUTE_MS);
    const perProvider = new Set<string>();
    for (const line of texts.map((text): Line => JSON.parse(text))) {
      expect(CHANNELS).toContain(line.channel);
      expect(Math.abs(line._aws.Timestamp - pipeline.clock.nowMs)).toBeLessThanOrEqual(MINUTE_MS);
      for (const { Namespace, Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
        expect(Namespace).toBe(NAMESPACE);
        expect([[['channel']], [['channel', 'provider']]]).toContainEqual(Dimensions);
        for (const { Name, Unit } of Metrics) {
          expect(METRICS).toHaveProperty(Name, Unit);
          expect(line[Name]).toBeTypeOf('number');
          if (Dimensions[0]?.includes('provider')) perProvider.add(`${Name} of ${line.provider}`);
        }
      }
    }
    expect(lines.length).toBeGreaterThan(0);
    expect([...perProvider].sort()).toEqual(['Receipt of sandbox', 'Sent of sandbox']);
  });

  it('measure a scheduled notification from its due time', async () => {
    const dueMs = pipeline.clock.nowMs + 10 * MINUTE_MS;
    const lines = await linesOf({ schedule: new Date(dueMs).toISOString() }, async () => {
      await pipeline.settle();
      pipeline.clock.nowMs = dueMs + 3 * MINUTE_MS;
      await pipeline.settle();
    });
    const lag = lines.find(({ DueLag }) => DueLag !== undefined);
    expect(lag?.DueLag).toBe(3 * MINUTE_MS);
    expect(lag?._aws.CloudWatchMetrics[0]?.Dimensions).toEqual([[]]);
    expect(valuesOf(lines, 'SendLatency')).toEqual([0]);
  });

  it("count an attempt as the provider's failure unless the message is at fault", async () => {
    const codeOf = async (number: string) => {
      const [line] = (await linesOf({ to: { id: 'ada', number } })).filter(
        ({ ProviderFailure }) => ProviderFailure !== undefined,
      );
      return [line?.ProviderFailure, line?.code];
    };
    expect(await codeOf('+15005551211')).toEqual([0, '21211']);
    expect(await codeOf('+15005550500')).toEqual([1, 'Unknown']);
    const rateLimited = await codeOf('+15005550429');
    expect(rateLimited[0]).toBe(1);
  });

  it('contain neither recipients nor content', async () => {
    await linesOf({
      type: 'secret-type',
      to: { id: 'secret-user', number: '+15005554321', email: 'secret@example.com' },
      sms: { message: 'secret text' },
      email: { subject: 'secret subject', html: '<p>secret body</p>' },
    });
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) expect(text).not.toMatch(/secret|5005554321/);
  });

  it('need a namespace', async () => {
    delete process.env.METRICS_NAMESPACE;
    expect(await linesOf({})).toEqual([]);
  });
});

it('fire the alarm of the one provider whose receipts have stopped, also where an account uses it', async () => {
  const alarms = watchAlarms(() => pipeline.clock.nowMs);
  const { trackingId, accountId, environmentId } = await accepted(account);
  await pipeline.settle();
  const owner = { accountId, environmentId, userId: 'ada', notificationId: 'news', expiresAtSeconds: 4e9 };
  const sentBy = (sms_sent_provider: string) => ({ fields: { sms_sent_provider } });
  const append = (count: number, event: Partial<LogEvent>) =>
    inLanes([...Array(count).keys()], () =>
      resolve(logs).append(trackingId, owner, {
        ...{ channel: 'SMS', stage: 'sent', atMs: pipeline.clock.nowMs, fields: {}, seq: randomUUID() },
        ...event,
      }),
    );
  for (const _period of [1, 2]) {
    pipeline.clock.nowMs += 15 * MINUTE_MS;
    await append(150, sentBy('aws'));
    await append(8, { stage: 'failed', provider: 'aws' });
    await append(150, sentBy('twilio:mine'));
    await append(7, { stage: 'delivered', provider: 'twilio' });
    // Answers to questions are no receipts.
    await append(100, { stage: 'delivered' });
    await append(90, sentBy('telnyx'));
    await append(150, { channel: 'EMAIL', fields: { email_sent_provider: 'smtp:mine' } });
    await append(150, { channel: 'CALL', fields: { call_sent_provider: 'aws' }, delivered: {} });
    await pipeline.settle();
  }
  alarms.evaluate();
  const names = alarms.history.flatMap(({ name }) => (name.endsWith('-receipts') ? [name] : []));
  expect(names).toEqual(['deliver-sms-twilio-receipts']);
});

import { beforeAll, describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { METRICS, metricsOutput } from '../../../../shared/runtime/metrics.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import { call } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { useAccount } from '../../../support/use-app.ts';

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

  it('have the embedded metric format with the channel as the only dimension', async () => {
    const lines = await linesOf({});
    for (const line of lines) {
      const [directive, ...others] = line._aws.CloudWatchMetrics;
      expect(others).toEqual([]);
      expect(directive?.Namespace).toBe(NAMESPACE);
      expect(directive?.Dimensions).toEqual([['channel']]);
      expect(CHANNELS).toContain(line.channel);
      expect(Math.abs(line._aws.Timestamp - pipeline.clock.nowMs)).toBeLessThan(MINUTE_MS);
      for (const { Name, Unit } of directive?.Metrics ?? []) {
        expect(METRICS).toHaveProperty(Name, Unit);
        expect(line[Name]).toBeTypeOf('number');
      }
    }
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

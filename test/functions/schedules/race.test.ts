import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestAccount } from '../../support/app.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';
import { scheduling } from './setup.ts';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await createPipeline();
});
afterAll(() => pipeline.stop());

const COUNT = 500;
const HOUR_MS = 3_600_000;

it('500 cancels and moves that race with the due moment are all answered truthfully: none goes out after a 200 to DELETE, every other goes out once', async () => {
  const api = scheduling(pipeline, await createTestAccount(pipeline));
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const movedMs = dueAtMs + HOUR_MS;
  const trackingIds: string[] = [];
  for (let start = 0; start < COUNT; start += 50) {
    trackingIds.push(...(await Promise.all(Array.from({ length: 50 }, () => api.sendAt(dueAtMs)))));
  }
  await pipeline.settle();
  pipeline.clock.nowMs = dueAtMs;
  const settling = pipeline.settle();
  const answers = await Promise.all(
    trackingIds.map(async (trackingId, index) => {
      await new Promise((resume) => setTimeout(resume, index * 4));
      const isCancel = index % 2 === 0;
      const { status, json } = isCancel
        ? await api.cancel(trackingId)
        : await api.put(trackingId, { schedule: new Date(movedMs).toISOString(), sms: { message: 'Moved' } });
      if (status !== 200) expect(json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
      return { trackingId, isCancel, isDone: status === 200 };
    }),
  );
  await settling;
  await pipeline.goTo(dueAtMs + 60_000);
  await pipeline.goTo(movedMs);
  await pipeline.goTo(movedMs + 60_000);

  const sent = Map.groupBy(pipeline.outbox, (each) => each.trackingId);
  for (const { trackingId, isCancel, isDone } of answers) {
    const messages = (sent.get(trackingId) ?? []).map(({ atMs, message }) => [
      (message as { message: string }).message,
      atMs,
    ]);
    const expected = isDone ? (isCancel ? [] : [['Moved', movedMs]]) : [['Soon', dueAtMs]];
    expect(messages, trackingId).toEqual(expected);
  }
  expect(answers.filter(({ isDone }) => isDone).length).toBeGreaterThan(0);
  expect(answers.filter(({ isDone }) => !isDone).length).toBeGreaterThan(0);
  expect(pipeline.errors).toEqual([]);
}, 120_000);

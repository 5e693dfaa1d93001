import { expect, it } from 'vitest';
import { createTestAccount } from '../../support/app.ts';
import { inLanes } from '../../support/lanes.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { scheduling } from './setup.ts';

const pipeline = usePipeline();

const COUNT = 500;
/** So many change for certain before their moment, and so many try to after it. */
const SURE = 20;
const HOUR_MS = 3_600_000;

it('never sends after a 200 response to DELETE, and sends the others once, for 500 changes racing with the due time', async () => {
  const api = scheduling(pipeline, await createTestAccount(pipeline));
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const movedMs = dueAtMs + HOUR_MS;
  const trackingIds = await api.acceptAll(Array.from({ length: COUNT }, () => dueAtMs));
  await pipeline.settle();
  pipeline.clock.nowMs = dueAtMs;
  const change = async (trackingId: string, index: number) => {
    const isCancel = index % 2 === 0;
    const { status, json } = isCancel
      ? await api.cancel(trackingId)
      : await api.put(trackingId, { schedule: new Date(movedMs).toISOString(), sms: { message: 'Moved' } });
    if (status !== 200) expect(json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
    return { trackingId, isCancel, isDone: status === 200 };
  };
  const [before, during, after] = [
    trackingIds.slice(0, SURE),
    trackingIds.slice(SURE, -SURE),
    trackingIds.slice(-SURE),
  ];
  const responses = await inLanes(before, change);
  const settling = pipeline.settle();
  responses.push(...(await inLanes(during, change)));
  await settling;
  responses.push(...(await inLanes(after, change)));
  await pipeline.goTo(dueAtMs + 60_000);
  await pipeline.goTo(movedMs);
  await pipeline.goTo(movedMs + 60_000);

  const sent = Map.groupBy(pipeline.outbox, (each) => each.trackingId);
  for (const { trackingId, isCancel, isDone } of responses) {
    const messages = (sent.get(trackingId) ?? []).map(({ atMs, message }) => [
      (message as { message: string }).message,
      atMs,
    ]);
    const expected = isDone ? (isCancel ? [] : [['Moved', movedMs]]) : [['Soon', dueAtMs]];
    expect(messages, trackingId).toEqual(expected);
  }
  expect(responses.slice(0, SURE).every(({ isDone }) => isDone)).toBe(true);
  expect(responses.slice(-SURE).some(({ isDone }) => isDone)).toBe(false);
  expect(pipeline.errors).toEqual([]);
});

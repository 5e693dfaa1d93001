import { expect, it } from 'vitest';
import { createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { scheduling } from './setup.ts';

const pipeline = usePipeline();
const HOUR_MS = 3_600_000;

it('sends 1,000 notifications due in the same minute within that minute, each once', async () => {
  const api = scheduling(pipeline, await createTestAccount(pipeline));
  const minuteMs = pipeline.clock.nowMs + HOUR_MS;
  const times = Array.from({ length: 1000 }, (_, index) => minuteMs + index * 60);
  const trackingIds = await api.acceptAll(times);
  await pipeline.goTo(minuteMs);
  pipeline.clock.nowMs = minuteMs + 60_000;
  await pipeline.settle({ sweep: false });
  const sent = Map.groupBy(pipeline.outbox, (each) => each.trackingId);
  expect(trackingIds.filter((trackingId) => sent.get(trackingId)?.length !== 1)).toEqual([]);
});

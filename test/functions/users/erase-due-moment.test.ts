import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { inLanes } from '../../support/lanes.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { scheduling } from '../schedules/setup.ts';

const pipeline = usePipeline();
const MINUTE_MS = 60_000;

async function storedOf(trackingId: string): Promise<string> {
  const items = await pipeline.database.queryAll(logPk(trackingId), '', { consistent: true });
  return JSON.stringify(items, (_, value) =>
    value instanceof Uint8Array ? inflateRawSync(value).toString('utf8') : value,
  );
}

it('erases users who are deleted while their notifications become due', async () => {
  const account = await createTestAccount(pipeline);
  const api = scheduling(pipeline, account);
  const dueAtMs = pipeline.clock.nowMs + MINUTE_MS;
  const users = Array.from({ length: 20 }, (_, index) => ({
    id: `ada-${index}`,
    email: `ada-${index}@example.com`,
    number: `+1500555${String(1000 + index)}`,
  }));
  const content = { sms: { message: 'Soon' }, email: { subject: 'Soon', html: '<p>Soon</p>' } };
  const trackingIds: string[] = [];
  for (const to of users) {
    const request = { type: 'reminder', forceChannels: ['EMAIL', 'SMS'], to, ...content };
    trackingIds.push(await api.sendAt(dueAtMs, request));
  }
  await pipeline.settle();
  pipeline.clock.nowMs = dueAtMs - 1200;
  let deleted = 0;
  const deletions = inLanes(users, async ({ id }) => {
    const { status } = await call(deleteUser, { key: account.secret.key, path: { userId: id } });
    expect(status).toBe(200);
    deleted += 1;
  });
  const moves = (async () => {
    for (let step = 0; step < 6; step += 1) {
      while (deleted < step * 3) await new Promise(setImmediate);
      await pipeline.goTo(pipeline.clock.nowMs + 500);
    }
  })();
  await Promise.all([deletions, moves]);
  await pipeline.settle();
  for (let step = 0; step < 5; step += 1) await pipeline.goTo(pipeline.clock.nowMs + 2 * MINUTE_MS);
  await pipeline.goTo(pipeline.clock.nowMs + 24 * 60 * MINUTE_MS);
  expect(pipeline.errors).toEqual([]);
  for (const trackingId of trackingIds) {
    const stored = await storedOf(trackingId);
    expect(stored).not.toMatch(/ada-|\+1500555|Soon/);
    expect(await api.log(trackingId)).not.toHaveProperty('user_email');
  }
});

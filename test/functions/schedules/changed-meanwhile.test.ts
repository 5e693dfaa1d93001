import { expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { countUsage } from '../../support/usage.ts';
import { useAccount } from '../../support/use-app.ts';
import { scheduling } from './setup.ts';

const pipeline = usePipeline();
const account = useAccount(pipeline, 'test');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const phone = { type: 'FCM', token: 'phone-1', device: { device_id: 'device-1' } };

it('changes only the time of a schedule, and nothing of its user or of another one', async () => {
  const { key } = account.secret;
  const api = scheduling(pipeline, account);
  const user = async (userId: string) => (await call(getUser, { key, path: { userId } })).json;
  const save = async (userId: string, body: object) =>
    expect((await call(saveUser, { key, path: { userId }, body })).status).toBe(200);
  const to = {
    id: 'ada',
    email: 'old@example.com',
    number: '+15005551234',
    timezone: 'Asia/Tokyo',
    chatChannel: 'C1',
    pushTokens: [phone],
  };
  const trackingId = await api.sendAt(pipeline.clock.nowMs + HOUR_MS, { to });
  await save('ada', {
    email: 'new@example.com',
    pushTokens: [],
    timezone: 'Europe/Berlin',
    chatChannel: null,
  });
  await save('bob', { pushTokens: [phone] });
  const before = [await user('ada'), await user('bob')];
  const { status, json } = await api.put(trackingId, { schedule: '2026-12-01T09:00:00' });
  expect([status, json.scheduledFor]).toEqual([200, '2026-12-01T08:00:00.000Z']);
  expect([await user('ada'), await user('bob')]).toEqual(before);
  expect(before[1].pushTokens).toHaveLength(1);
});

it('changes the user whom a changed schedule names', async () => {
  const api = scheduling(pipeline, account);
  const trackingId = await api.sendAt(pipeline.clock.nowMs + HOUR_MS);
  expect((await api.put(trackingId, { to: { id: 'ada', email: 'new@example.com' } })).status).toBe(200);
  const { json } = await call(getUser, { key: account.secret.key, path: { userId: 'ada' } });
  expect(json).toMatchObject({ email: 'new@example.com', number: '+15005551234' });
});

it('accepts what is due in a later billing period although the cap of this one is reached', async () => {
  const api = scheduling(pipeline, account);
  await countUsage(account.account.accountId, 'SMS', 10_000_000, iso(pipeline.clock.nowMs));
  expect((await api.send({})).status).toBe(402);
  const later = await api.send({ schedule: iso(pipeline.clock.nowMs + 40 * DAY_MS) });
  expect(later.status).toBe(200);
  const soon = await api.send({ schedule: iso(pipeline.clock.nowMs + HOUR_MS) });
  expect(soon.status).toBe(200);
  await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
  expect(await api.log(soon.json.trackingId)).toMatchObject({
    sms_routing: 'IGNORE',
    failed_code: 'UNKNOWN',
  });
  await pipeline.goTo(pipeline.clock.nowMs + 40 * DAY_MS);
  expect(api.texts(later.json.trackingId)).toEqual(['Soon']);
});

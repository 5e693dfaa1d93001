import { describe, expect, it } from 'vitest';
import { api, HOUR_MS, inOneHour, iso, pipeline, useSchedules } from './account-setup.ts';
import { SMS } from './setup.ts';

useSchedules();

describe('a scheduled notification', () => {
  it('shows SCHEDULE and the time in its log and is sent at exactly that second', async () => {
    const dueAtMs = inOneHour() + 17_000;
    const trackingId = await api.sendAt(dueAtMs);
    expect(await api.log(trackingId)).toMatchObject({
      sms_routing: 'SCHEDULE',
      scheduled_for: iso(dueAtMs),
    });
    await pipeline.goTo(dueAtMs - 60_000);
    await pipeline.goTo(dueAtMs - 1000);
    expect(api.texts(trackingId)).toEqual([]);
    await pipeline.goTo(dueAtMs);
    expect(api.texts(trackingId)).toEqual(['Soon']);
    expect(await api.log(trackingId)).toMatchObject({
      sms_routing: 'SEND',
      scheduled_for: iso(dueAtMs),
      processed_at: iso(dueAtMs),
      sms_sent_after: 0,
    });
  });

  it('goes out at its second when it is due before the next sweep', async () => {
    const dueAtMs = pipeline.clock.nowMs + 2000;
    const trackingId = await api.sendAt(dueAtMs);
    await pipeline.settle({ sweep: false });
    expect(api.texts(trackingId)).toEqual([]);
    pipeline.clock.nowMs = dueAtMs;
    await pipeline.settle({ sweep: false });
    expect(api.sentAtMs(trackingId)).toEqual([dueAtMs]);
  });

  it('goes out immediately when its time is past', async () => {
    const trackingId = await api.sendAt(pipeline.clock.nowMs - 1);
    await pipeline.settle();
    expect(api.texts(trackingId)).toEqual(['Soon']);
    expect(await api.log(trackingId)).toMatchObject({ sms_routing: 'SEND' });
  });

  it('goes out once after the sweeper was down for ten minutes', async () => {
    await pipeline.goTo(inOneHour());
    const startMs = pipeline.clock.nowMs;
    const minutes = Array.from({ length: 10 }, (_, minute) => minute + 1);
    const trackingIds = await Promise.all(
      minutes.map((minute) => api.sendAt(startMs + minute * 60_000 + 500)),
    );
    pipeline.clock.nowMs = startMs + 11 * 60_000;
    await pipeline.settle();
    await pipeline.settle();
    for (const trackingId of trackingIds) expect(api.texts(trackingId)).toEqual(['Soon']);
  });
});

describe('PUT /sender/scheduler/{trackingId}', () => {
  it('replaces top-level keys and keeps the other keys and the time', async () => {
    const dueAtMs = inOneHour();
    const body = { sms: { message: '{{ a }} {{ b }}' }, parameters: { a: 1, b: 2 } };
    const trackingId = await api.sendAt(dueAtMs, body);
    pipeline.clock.nowMs += 5;
    const changedAtMs = pipeline.clock.nowMs;
    const { status, json } = await api.put(trackingId, { parameters: { a: 'new' } });
    expect({ status, json }).toEqual({
      status: 200,
      json: { message: expect.any(String), trackingId, scheduledFor: iso(dueAtMs) },
    });
    expect(await api.log(trackingId)).toMatchObject({
      scheduled_for: iso(dueAtMs),
      schedule_updated_at: iso(changedAtMs),
      schedule_updated_to: iso(dueAtMs),
      sms_routing: 'SCHEDULE',
    });
    await pipeline.goTo(dueAtMs);
    expect(api.texts(trackingId)).toEqual(['new ']);
  });

  it.each([
    ['later', 2 * HOUR_MS],
    ['earlier', 1000],
  ])('moves the time %s and sends nothing at the old time', async (_, aheadMs) => {
    const oldMs = inOneHour();
    const newMs = pipeline.clock.nowMs + aheadMs;
    const trackingId = await api.sendAt(oldMs);
    expect((await api.put(trackingId, { schedule: iso(newMs) })).json.scheduledFor).toBe(iso(newMs));
    expect(await api.log(trackingId)).toMatchObject({
      scheduled_for: iso(newMs),
      schedule_updated_to: iso(newMs),
    });
    for (const atMs of [oldMs, newMs].sort()) await pipeline.goTo(atMs);
    await pipeline.goTo(Math.max(oldMs, newMs) + 60_000);
    expect(api.sentAtMs(trackingId)).toEqual([newMs]);
  });

  it('treats a past time as now', async () => {
    const trackingId = await api.sendAt(inOneHour());
    const { json } = await api.put(trackingId, { schedule: '2020-01-01T00:00:00Z' });
    expect(json.scheduledFor).toBe(iso(pipeline.clock.nowMs));
    await pipeline.settle();
    expect(api.texts(trackingId)).toEqual(['Soon']);
  });

  it('moves the notification to another user and type', async () => {
    const dueAtMs = inOneHour();
    const trackingId = await api.sendAt(dueAtMs);
    await api.put(trackingId, { type: 'other', to: { id: 'bob', number: '+15005551235' } });
    await pipeline.goTo(dueAtMs);
    const sent = pipeline.outbox.filter((each) => each.trackingId === trackingId);
    expect(sent.map(({ to, userId }) => ({ to, userId }))).toEqual([{ to: ['+15005551235'], userId: 'bob' }]);
    expect(await api.log(trackingId)).toMatchObject({ type: 'other', user_id: 'bob' });
  });

  it('reveals nothing about the first user after a move to another user', async () => {
    const trackingId = await api.sendAt(inOneHour(), {
      to: { ...SMS.to, email: 'ada@example.com' },
      sms: { message: 'For {{ user.email }}' },
    });
    await api.put(trackingId, { to: { id: 'bob', number: '+15005551235' } });
    expect(await api.log(trackingId)).not.toHaveProperty('user_email');
    await pipeline.goTo(inOneHour());
    expect(api.texts(trackingId)).toEqual(['For ']);
    expect(await api.log(trackingId)).not.toHaveProperty('user_email');
  });

  it('creates a type that does not exist', async () => {
    const trackingId = await api.sendAt(inOneHour());
    expect((await api.put(trackingId, { type: 'brand-new' })).status).toBe(200);
    expect(await api.types()).toEqual(['brand-new', 'reminder']);
  });

  it('changes what is sent when it comes before the sweep', async () => {
    const dueAtMs = inOneHour();
    const trackingId = await api.sendAt(dueAtMs);
    await pipeline.settle();
    pipeline.clock.nowMs = dueAtMs + 30_000;
    expect((await api.put(trackingId, { sms: { message: 'Late' } })).status).toBe(200);
    await pipeline.settle({ sweep: false });
    expect(api.texts(trackingId)).toEqual(['Late']);
  });

  it('changes nothing when a large body arrives too late', async () => {
    const dueAtMs = inOneHour();
    const noise = (seed: number) =>
      Array.from({ length: 6000 }, (_, index) => ((index * 2_654_435_761 + seed) >>> 0).toString(36)).join(
        '',
      );
    const trackingId = await api.sendAt(dueAtMs, { parameters: { noise: noise(1) } });
    await pipeline.goTo(dueAtMs);
    const before = (await api.log(trackingId)).request;
    const head = pipeline.database.get;
    let isStale = true;
    const stale = { state: 'scheduled', done: undefined };
    pipeline.database.get = async (key, options) => {
      const item = await head(key, options);
      if (!isStale || key.sk !== 'HEAD' || !item) return item;
      isStale = false;
      return { ...item, ...stale };
    };
    const { status } = await api.put(trackingId, { parameters: { noise: noise(2) } });
    pipeline.database.get = head;
    expect(status).toBe(400);
    expect((await api.log(trackingId)).request).toBe(before);
  });
});

describe('DELETE /sender/scheduler/{trackingId}', () => {
  it('sends nothing afterwards and shows the cancellation in the log', async () => {
    const dueAtMs = inOneHour();
    const trackingId = await api.sendAt(dueAtMs);
    expect(await api.cancel(trackingId)).toMatchObject({
      status: 200,
      json: { message: expect.any(String) },
    });
    expect(await api.log(trackingId)).toMatchObject({ schedule_deleted_at: iso(pipeline.clock.nowMs) });
    await pipeline.goTo(dueAtMs);
    await pipeline.goTo(dueAtMs + HOUR_MS);
    expect(api.texts(trackingId)).toEqual([]);
    expect(await api.log(trackingId)).not.toHaveProperty('sms_sent_at');
  });

  it('also cancels a notification that is past its time and not yet sent', async () => {
    const dueAtMs = inOneHour();
    const trackingId = await api.sendAt(dueAtMs);
    await pipeline.settle();
    pipeline.clock.nowMs = dueAtMs + 30_000;
    expect((await api.cancel(trackingId)).status).toBe(200);
    await pipeline.settle();
    expect(api.texts(trackingId)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { createTestAccount } from '../../support/app.ts';
import { api, inOneHour, iso, pipeline, useSchedules } from './account-setup.ts';
import { scheduling } from './setup.ts';

useSchedules();

describe('PUT and DELETE return SCHEDULE_RESOURCE_NOT_FOUND', () => {
  const gone: [string, () => Promise<string>][] = [
    ['an unknown tracking ID', async () => '019a0b6e-7c1e-7000-8000-2f5d0c9a1b11'],
    ['an over-long tracking ID', async () => 'x'.repeat(2048)],
    ['a tracking ID in another alphabet', async () => 'Ω≈ç√'],
    [
      "another account's",
      async () => scheduling(pipeline, await createTestAccount(pipeline)).sendAt(inOneHour()),
    ],
    ['one that was sent immediately', async () => (await api.send({})).json.trackingId],
    [
      'one whose moment came',
      async () => {
        const trackingId = await api.sendAt(pipeline.clock.nowMs + 1000);
        await pipeline.goTo(pipeline.clock.nowMs + 1000);
        return trackingId;
      },
    ],
  ];

  it.each(gone)('to %s', async (_, make) => {
    const trackingId = await make();
    for (const response of [await api.put(trackingId, { parameters: {} }), await api.cancel(trackingId)]) {
      expect(response).toMatchObject({
        status: 400,
        json: { error: { code: 'SCHEDULE_RESOURCE_NOT_FOUND' } },
      });
    }
  });

  it('returns SCHEDULE_RESOURCE_NOT_FOUND for the ID of an earlier rejection', async () => {
    const { json } = await api.put('unknown', { parameters: {} });
    expect((await api.cancel(json.trackingId)).status).toBe(400);
  });

  it('and keep a record under the tracking ID of the error body, which is not listed', async () => {
    const { json } = await api.put('unknown', { parameters: {} });
    const deleted = await api.cancel('unknown');
    for (const trackingId of [json.trackingId, deleted.json.trackingId]) {
      expect(await api.log(trackingId)).toMatchObject({
        failed_at: iso(pipeline.clock.nowMs),
        failed_code: 'SCHEDULE_RESOURCE_NOT_FOUND',
        failed_internal: expect.any(String),
      });
    }
    expect(await api.list()).toEqual([]);
  });
});

describe('an invalid schedule', () => {
  it.each([
    ['words', 'tomorrow'],
    ['an impossible day', '2026-02-30T10:00:00Z'],
    ['more than a year ahead', '2028-01-01T00:00:00Z'],
    ['an empty one', ''],
    ['an over-long one', '2'.repeat(2048)],
  ])('returns 400 INVALID_SCHEDULE_FORMAT: %s', async (_, schedule) => {
    const trackingId = await api.sendAt(inOneHour());
    for (const { status, json } of [await api.send({ schedule }), await api.put(trackingId, { schedule })]) {
      expect({ status, code: json.error?.code }).toEqual({ status: 400, code: 'INVALID_SCHEDULE_FORMAT' });
      expect(await api.log(json.trackingId)).toMatchObject({
        request: expect.stringContaining('"schedule"'),
        failed_at: iso(pipeline.clock.nowMs),
        failed_code: 'INVALID_SCHEDULE_FORMAT',
        failed_internal: expect.any(String),
      });
    }
    expect(await api.log(trackingId)).not.toHaveProperty('schedule_updated_at');
    expect((await api.list()).map((each: { trackingId: string }) => each.trackingId)).toEqual([trackingId]);
  });

  it('leaves no record in a dry run', async () => {
    const { json } = await api.send({ schedule: 'tomorrow' }, { dryRun: 'true' });
    expect(json.error.code).toBe('INVALID_SCHEDULE_FORMAT');
    expect(await api.log(json.trackingId)).toBeUndefined();
  });
});

it('returns 200 for a repeated cancel, and 400 for a change after it', async () => {
  const trackingId = await api.sendAt(inOneHour());
  const first = await api.cancel(trackingId);
  const cancelledAt = iso(pipeline.clock.nowMs);
  pipeline.clock.nowMs += 1000;
  expect(await api.cancel(trackingId)).toMatchObject({ status: 200, json: first.json });
  expect(await api.log(trackingId)).toMatchObject({ schedule_deleted_at: cancelledAt });
  expect((await api.put(trackingId, { parameters: {} })).json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
});

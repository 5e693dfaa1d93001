import { describe, expect, it } from 'vitest';
import { handler as savePreferences } from '../../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../../functions/types/update-type.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { recordOf } from '../../../support/workers.ts';

const pipeline = usePipeline();
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
/** The sandbox asks to wait before the second attempt. */
const RATE_LIMITED = '+15005550429';
const OTHER = '+15005551234';
const enabled = { enabled: true };

async function openAccount(number: string, channel = 'SMS') {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const options = { [channel]: { defaultDeliveryOption: 'instant', off: enabled, instant: enabled } };
  const type = { notificationId: 'alert', title: 'Alert', channels: [channel], options };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const save = async (body: object) => {
    const { status, json } = await call(saveUser, { key, path: { userId: 'ada' }, body });
    expect([status, json.error]).toEqual([200, undefined]);
  };
  await save({ number });
  const content = { sms: { message: 'Hello' }, call: { message: 'Hello' } };
  return {
    key,
    save,
    async accept(body: object = {}): Promise<string> {
      const { status, json } = await call(send, {
        key,
        body: { type: 'alert', to: { id: 'ada' }, ...content, ...body },
      });
      expect([status, json.error]).toEqual([200, undefined]);
      return json.trackingId;
    },
    log: (trackingId: string) => recordOf(account, trackingId),
    sent: () => pipeline.sentBy(account).map(({ to }: { to: unknown }) => String(to)),
    patchType: (body: object) => call(updateType, { key, path: { notificationId: 'alert' }, body }),
    prefer: (delivery: string) =>
      call(savePreferences, {
        key,
        path: { userId: 'ada' },
        body: [{ notificationId: 'alert', channel, delivery }],
      }),
  };
}
type Account = Awaited<ReturnType<typeof openAccount>>;

/** Accepts a message whose delivery begins only after `change`, as if it had waited on its queue. */
async function waited(change: (account: Account) => Promise<unknown>, channel = 'SMS') {
  const account = await openAccount(OTHER, channel);
  await pipeline.pause();
  const trackingId = await account.accept();
  pipeline.clock.nowMs += 20 * SECOND_MS;
  await change(account);
  pipeline.resume();
  await pipeline.settle();
  return { account, trackingId };
}

describe('before an attempt of a message that waited', () => {
  it.each(['SMS', 'CALL'])('a pause that began holds %s until its end', async (channel) => {
    const untilMs = pipeline.clock.nowMs + 5 * HOUR_MS;
    const { account, trackingId } = await waited((each) => each.save({ pausedUntil: iso(untilMs) }), channel);
    expect(account.sent()).toEqual([]);
    const log = await account.log(trackingId);
    const prefix = channel.toLowerCase();
    expect(Date.parse(log[`${prefix}_held_until`])).toBeGreaterThanOrEqual(untilMs);
    for (let hour = 0; hour < 24; hour += 1) await pipeline.goTo(pipeline.clock.nowMs + 0.25 * HOUR_MS);
    expect(account.sent()).toHaveLength(1);
    expect(await account.log(trackingId)).toHaveProperty(`${prefix}_sent_at`);
  });

  it('a pause that ends early releases it within 15 minutes', async () => {
    const { account } = await waited((each) =>
      each.save({ pausedUntil: iso(pipeline.clock.nowMs + 100 * HOUR_MS) }),
    );
    await account.save({ pausedUntil: null });
    await pipeline.goTo(pipeline.clock.nowMs + 0.25 * HOUR_MS);
    expect(account.sent()).toHaveLength(1);
  });

  it('quiet hours that began hold it, also without a wait', async () => {
    const { nowMs } = pipeline.clock;
    const at = (ms: number) => iso(ms).slice(11, 16);
    const quietHours = { from: at(nowMs - HOUR_MS), to: at(nowMs + HOUR_MS) };
    const account = await openAccount(OTHER);
    await account.accept();
    await account.save({ quietHours });
    await pipeline.settle();
    expect(account.sent()).toEqual([]);
    for (let hour = 0; hour < 6; hour += 1) await pipeline.goTo(pipeline.clock.nowMs + 0.25 * HOUR_MS);
    expect(account.sent()).toHaveLength(1);
  });

  it.each([
    ['the preference is off', (each: Account) => each.prefer('off'), 'IGNORE_BY_PREFERENCES'],
    ['the type is disabled', (each: Account) => each.patchType({ enabled: false }), undefined],
    ['the channel is removed', (each: Account) => each.patchType({ channels: ['EMAIL'] }), undefined],
  ])('it ends with its reason if %s', async (_, change, reason) => {
    const { account, trackingId } = await waited(change);
    expect(account.sent()).toEqual([]);
    const log = await account.log(trackingId);
    expect(log).toMatchObject({ sms_routing: 'IGNORE' });
    expect(log.sms_routing_reason).toBe(reason);
    expect(log.sms_failed_internal).toContain('SMS is not sent');
  });

  it('it goes to the number that the user has now', async () => {
    const { account } = await waited((each) => each.save({ number: '+15005554321' }));
    expect(account.sent()).toEqual(['+15005554321']);
  });

  it('nothing holds an urgent one', async () => {
    const account = await openAccount(OTHER);
    await account.accept({ urgent: true });
    pipeline.clock.nowMs += 20 * SECOND_MS;
    await account.save({ pausedUntil: iso(pipeline.clock.nowMs + 5 * HOUR_MS) });
    await pipeline.settle();
    expect(account.sent()).toEqual([OTHER]);
  });
});

it.each([
  ['a pause', (each: Account) => each.save({ pausedUntil: iso(pipeline.clock.nowMs + 5 * HOUR_MS) })],
  ['an opt-out', (each: Account) => each.prefer('off')],
])('makes no second attempt after %s', async (_, change) => {
  const account = await openAccount(RATE_LIMITED);
  await account.accept();
  await pipeline.settle();
  const before = account.sent().length;
  await change(account);
  await pipeline.goTo(pipeline.clock.nowMs + 30 * SECOND_MS);
  expect(account.sent()).toHaveLength(before);
});

import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = useApp();

const OPTIONS = { defaultDeliveryOption: 'instant', daily: { enabled: true, hour: '18:00' } };
const CONTENT = { email: { subject: 'Hi', html: 'Hi' }, sms: { message: 'Hi' }, inapp: { title: 'Hi' } };
const QUIET = { from: '09:00', to: '12:00' };

/** A user in Berlin, where it is 09:30, with a type of three channels. */
async function open(user: object = {}) {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const body = { notificationId: 'news', title: 'News', channels: ['EMAIL', 'SMS', 'INAPP_WEB'] };
  await call(createType, { key, body: { ...body, options: { EMAIL: OPTIONS } } });
  const contact = { email: 'ada@example.com', number: '+14155550123', timezone: 'Europe/Berlin' };
  await call(saveUser, { key, path: { userId: 'ada' }, body: { ...contact, ...user } });
  return {
    account,
    key,
    post: async (more: object = {}, extra: object = {}) => {
      const request = { type: 'news', to: { id: 'ada' }, ...CONTENT, ...more };
      return (await call(send, { key, body: request, ...extra })).json;
    },
  };
}

/** The `until` of each channel, and the reason. */
const waits = (json: { waiting?: { channel: string; reason: string; until?: string }[] }) =>
  Object.fromEntries((json.waiting ?? []).map(({ channel, reason, until }) => [channel, [reason, until]]));

describe('waiting in the response of POST /send', () => {
  it('is absent when every channel is sent now or not at all', async () => {
    const { post } = await open({ number: null });
    const json = await post();
    expect(json).toEqual({
      trackingId: json.trackingId,
      messages: [expect.stringContaining('SMS')],
      routing: expect.arrayContaining([{ channel: 'SMS', routing: 'IGNORE', reason: 'NO_ADDRESS' }]),
    });
    expect(json.waiting).toBeUndefined();
  });

  it('names the time of a schedule for every channel that would be sent', async () => {
    const { post } = await open({ number: null });
    const until = '2026-12-24T09:00:00.000Z';
    expect(waits(await post({ schedule: '2026-12-24T10:00:00' }))).toEqual({
      EMAIL: ['SCHEDULE', until],
      INAPP_WEB: ['SCHEDULE', until],
    });
  });

  it('names the next tick of a digest in the timezone of the user', async () => {
    const { key, post } = await open();
    const body = [{ notificationId: 'news', channel: 'EMAIL', delivery: 'daily' }];
    await call(savePreferences, { key, path: { userId: 'ada' }, body });
    const daily = ['BATCH', '2026-11-21T17:00:00.000Z'];
    expect(waits(await post())).toEqual({ EMAIL: daily });
  });

  it.each([
    ['QUIET_HOURS', { quietHours: QUIET }, /^2026-11-21T11:/],
    ['PAUSED', { pausedUntil: '2027-01-02T08:00:00.000Z' }, /^2027-01-02T08:/],
    ['PAUSED', { pausedUntil: '2027-01-02T08:00:00.000Z', quietHours: QUIET }, /^2027-01-02T/],
  ])('names %s for a user with %j', async (reason, user, until) => {
    const { post } = await open(user);
    const held = [reason, expect.stringMatching(until)];
    expect(waits(await post())).toEqual({ EMAIL: held, SMS: held });
    expect(waits(await post({ urgent: true }))).toEqual({});
  });

  it('names the time of each later step', async () => {
    const { post } = await open();
    const steps = [
      { channels: ['INAPP_WEB'] },
      { channels: ['EMAIL'], after: 'PT2H' },
      { channels: ['SMS'], after: 'P1D' },
    ];
    expect(waits(await post({ options: { steps } }))).toEqual({
      EMAIL: ['STEP', '2026-11-21T10:30:00.000Z'],
      SMS: ['STEP', '2026-11-22T10:30:00.000Z'],
    });
    expect(waits(await post({ options: { steps }, schedule: '2026-12-24T09:00:00Z' }))).toEqual({
      INAPP_WEB: ['SCHEDULE', '2026-12-24T09:00:00.000Z'],
      EMAIL: ['STEP', '2026-12-24T11:00:00.000Z'],
      SMS: ['STEP', '2026-12-25T11:00:00.000Z'],
    });
  });

  it('names the channels of a scheduled notification to a topic', async () => {
    const { key, post } = await open();
    await call(addTopicUsers, { key, path: { topicId: 'all' }, body: { userIds: ['ada'] } });
    const topic = { to: { topic: 'all' }, schedule: '2026-12-24T09:00:00Z' };
    const until = '2026-12-24T09:00:00.000Z';
    expect(waits(await post(topic))).toEqual({
      EMAIL: ['SCHEDULE', until],
      SMS: ['SCHEDULE', until],
      INAPP_WEB: ['SCHEDULE', until],
    });
    expect(waits(await post({ ...topic, forceChannels: ['SMS'] }))).toEqual({ SMS: ['SCHEDULE', until] });
    expect(await post({ to: { topic: 'all' } })).not.toHaveProperty('waiting');
  });

  it('is the same in a dry run, in POST /send/bulk, in POST /email and in the response to a duplicate', async () => {
    const { key, post } = await open({ quietHours: QUIET });
    const { waiting } = await post();
    expect(waiting).toHaveLength(2);
    expect((await post({}, { query: { dryRun: 'true' } })).waiting).toEqual(waiting);
    const entry = { type: 'news', to: { id: 'ada' }, ...CONTENT };
    const notifications = [entry, { ...entry, urgent: true }, entry];
    const headers = { 'idempotency-key': 'k' };
    for (const extra of [{}, { headers }, { headers }, { query: { dryRun: 'true' } }]) {
      const { json } = await call(sendBulk, { key, body: { notifications }, ...extra });
      expect(json.results.map((each: { waiting?: object }) => each.waiting)).toEqual([
        waiting,
        undefined,
        waiting,
      ]);
    }
    const keyed = { headers: { 'idempotency-key': 'single' } };
    const first = await post({}, keyed);
    app.clock.nowMs += 60_000;
    expect(await post({}, keyed)).toEqual(first);
    expect(first.waiting).toEqual(waiting);
    const direct = { type: 'direct', to: { id: 'ada', email: 'ada@example.com' }, subject: 's', html: 'h' };
    const { json } = await call(sendEmail, { key, body: direct });
    expect(waits(json)).toEqual({ EMAIL: ['QUIET_HOURS', expect.any(String)] });
    app.clock.nowMs -= 60_000;
  });
});

describe('a schedule in the past', () => {
  it('is sent now, and messages says so', async () => {
    const { account, post } = await open();
    const json = await post({ schedule: '2026-11-21T08:00:00Z' });
    expect(json.waiting).toBeUndefined();
    expect(json).toMatchObject({
      messages: [expect.stringMatching(/^The time in schedule has passed/)],
    });
    expect(await recordOf(account, json.trackingId)).toMatchObject({ email_routing: 'SEND' });
    const dry = await post({ schedule: '2020-01-01T00:00:00Z' }, { query: { dryRun: 'true' } });
    expect(dry.messages).toEqual(json.messages);
  });

  it("is judged in the account's timezone when neither the text nor the user has one", async () => {
    const { key, post } = await open({ timezone: null });
    await call(updateAccount, { key, body: { timezone: 'America/New_York' } });
    const until = '2026-11-21T09:00:00.000Z';
    expect(waits(await post({ schedule: '2026-11-21T04:00:00' }))).toMatchObject({
      EMAIL: ['SCHEDULE', until],
    });
  });
});

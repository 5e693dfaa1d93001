import { describe, expect, it } from 'vitest';
import { handler as listInapp } from '../../../functions/inapp/list-inapp.ts';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { cancel } from '../../../functions/sending/waiting/scheduled.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { useStarted } from '../../support/use-started.ts';
import { pipeline, STEPS, stepsAccount, useSteps } from './steps-setup.ts';

useSteps();
const account = useStarted(stepsAccount, 'test');

const MINUTE_MS = 60_000;

const passing = (minutes: number) => pipeline.goTo(pipeline.clock.nowMs + minutes * MINUTE_MS);

describe('steps', () => {
  it('send each channel at its time while nothing is seen or delivered', async () => {
    const account = await stepsAccount([...STEPS.slice(0, 2), { ...STEPS[2], when: 'always' }]);
    const startedAtMs = pipeline.clock.nowMs;
    const trackingId = await account.send();
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({
      inapp_routing: 'SEND',
      email_routing: 'SCHEDULE',
      email_due_at: new Date(startedAtMs + 30 * MINUTE_MS).toISOString(),
      sms_routing: 'SCHEDULE',
      sms_due_at: new Date(startedAtMs + 150 * MINUTE_MS).toISOString(),
    });
    await passing(29);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    await passing(1);
    expect(account.sent()).toEqual(['INAPP_WEB', 'EMAIL']);
    await passing(119);
    expect(account.sent()).toEqual(['INAPP_WEB', 'EMAIL']);
    await passing(1);
    expect(account.sent()).toEqual(['INAPP_WEB', 'EMAIL', 'SMS']);
    await passing(300);
    expect(account.sent()).toHaveLength(3);
    expect(await account.log(trackingId)).toMatchObject({
      email_routing: 'SEND',
      email_sent_at: new Date(startedAtMs + 30 * MINUTE_MS).toISOString(),
      sms_routing: 'SEND',
      sms_sent_at: new Date(startedAtMs + 150 * MINUTE_MS).toISOString(),
    });
  });

  it('end when an in-app item was seen in time or an earlier channel was delivered', async () => {
    const trackingId = await account.send();
    await passing(10);
    expect((await account.see(trackingId)).status).toBe(200);
    await passing(20);
    const skippedAt = new Date(pipeline.clock.nowMs).toISOString();
    expect(await account.log(trackingId)).toMatchObject({
      email_routing: 'SCHEDULE',
      email_skipped_at: skippedAt,
      email_skipped_reason: 'SEEN',
    });
    await passing(150);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({ sms_skipped_reason: 'DELIVERED' });
  });

  it('date an in-app item when it is sent: it is the newest, and can be marked, seen and snoozed', async () => {
    const steps = [
      { channels: ['EMAIL'] },
      { channels: ['INAPP_WEB'], after: 'PT30M', when: 'always' },
      { channels: ['SMS'], after: 'PT30M', when: 'unseen' },
    ];
    const account = await stepsAccount(steps);
    const { key } = account;
    const list = async () => (await call(listInapp, { key, query: { userId: 'ada' } })).json.notifications;
    const trackingId = await account.send({ inapp: { title: 'late' } });
    await passing(29);
    await account.send({ inapp: { title: 'early' }, options: { steps: [{ channels: ['INAPP_WEB'] }] } });
    await passing(1);
    const sentAt = new Date(pipeline.clock.nowMs).toISOString();
    expect(await list()).toMatchObject([{ title: 'late', date: sentAt, version: 1 }, { title: 'early' }]);
    expect((await account.see(trackingId)).json.notifications).toMatchObject([{ date: sentAt, version: 2 }]);
    await passing(30);
    expect(await account.log(trackingId)).toMatchObject({ sms_skipped_reason: 'SEEN' });
    const snoozedUntil = new Date(pipeline.clock.nowMs + MINUTE_MS).toISOString();
    const body = { trackingIds: [trackingId], snoozedUntil };
    const snoozed = await call(markInapp, { key, query: { userId: 'ada' }, body });
    expect(snoozed.json.notifications).toMatchObject([{ snoozedUntil, version: 3 }]);
    await passing(2);
    expect(await list()).toMatchObject([{ title: 'late', version: 4 }, { title: 'early' }]);
  });

  it('end with the condition undelivered once an earlier channel was delivered', async () => {
    const trackingId = await account.send();
    await passing(31);
    await passing(120);
    expect(account.sent()).toEqual(['INAPP_WEB', 'EMAIL']);
    expect(await account.log(trackingId)).toMatchObject({ sms_skipped_reason: 'DELIVERED' });
  });

  it('start immediately with the condition undelivered when every earlier channel failed', async () => {
    const steps = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT2H', when: 'undelivered' }];
    const account = await stepsAccount(steps, { email: 'bounce@sandbox.example.com' });
    const trackingId = await account.send({
      schedule: new Date(pipeline.clock.nowMs + MINUTE_MS).toISOString(),
      email: { subject: '{{ x }}', html: '{{ 1 | divided_by: user.attributes.none }}' },
      inapp: undefined,
    });
    await passing(1);
    await passing(1);
    expect(account.sent()).toEqual(['SMS']);
    expect(await account.log(trackingId)).toMatchObject({
      email_failed_at: expect.any(String),
      sms_routing: 'SEND',
    });
    await passing(180);
    expect(account.sent()).toEqual(['SMS']);
  });

  it.each(['+15005550486', '+15005550480', '+15005550487'])(
    'start immediately with the condition undelivered when the call to %s was not answered',
    async (number) => {
      const steps = [{ channels: ['CALL'] }, { channels: ['SMS'], after: 'PT2H', when: 'undelivered' }];
      const account = await stepsAccount(steps, { number }, ['CALL']);
      const trackingId = await account.send({ email: undefined, inapp: undefined });
      await passing(1);
      expect(account.sent()).toEqual(['CALL', 'SMS']);
      expect(await account.log(trackingId)).toMatchObject({ call_delivered_code: expect.any(String) });
    },
  );

  it.each([
    [{ call: { machineDetection: true } }, ['CALL', 'SMS']],
    [{ call: { machineDetection: false } }, ['CALL']],
  ])('start with %j after a call that a machine answered: %j', async (options, sent) => {
    const steps = [{ channels: ['CALL'] }, { channels: ['SMS'], after: 'PT2H', when: 'undelivered' }];
    const account = await stepsAccount(steps, { number: '+15005550485' }, ['CALL']);
    const trackingId = await account.send({ email: undefined, inapp: undefined, options });
    await passing(180);
    expect(account.sent()).toEqual(sent);
    const log = await account.log(trackingId);
    expect(log.call_delivered_code).toBe('COMPLETED');
    expect(log.call_answered_by).toBe(sent.length > 1 ? 'machine' : undefined);
  });

  it('end with the condition undelivered once the call was answered', async () => {
    const steps = [{ channels: ['CALL'] }, { channels: ['SMS'], after: 'PT2H', when: 'undelivered' }];
    const account = await stepsAccount(steps, {}, ['CALL']);
    const trackingId = await account.send({ email: undefined, inapp: undefined });
    await passing(180);
    expect(account.sent()).toEqual(['CALL']);
    expect(await account.log(trackingId)).toMatchObject({ sms_skipped_reason: 'DELIVERED' });
  });

  it.each(['before the second step', 'before the last step'])(
    'send nothing after a cancel %s',
    async (when) => {
      const account = await stepsAccount([...STEPS.slice(0, 2), { ...STEPS[2], when: 'always' }]);
      const trackingId = await account.send();
      if (when === 'before the last step') await passing(30);
      const sent = account.sent();
      await passing(5);
      expect((await account.cancel(trackingId)).status).toBe(200);
      expect((await account.cancel(trackingId)).status).toBe(200);
      await passing(300);
      expect(account.sent()).toEqual(sent);
      expect(await account.log(trackingId)).toMatchObject({
        sms_skipped_reason: 'CANCELED',
        sms_skipped_at: expect.any(String),
      });
    },
  );

  it('continue after a cancel that lasted until the last step was due', async () => {
    const account = await stepsAccount([
      { channels: ['INAPP_WEB'] },
      { channels: ['EMAIL'], after: 'PT30M' },
    ]);
    const trackingId = await account.send();
    const nowMs = pipeline.clock.nowMs;
    const dueAtMs = nowMs + 30 * MINUTE_MS;
    const times = [dueAtMs - 1, dueAtMs];
    const deps = {
      logs: resolve(logs),
      sendingRules: resolve(sendingRules),
      feedShards: 1,
      clock: { now: () => times.shift() ?? dueAtMs },
    };
    const { accountId } = account.account;
    const { environmentId } = account.environment;
    const caller = { kind: 'secret', accountId, environmentId, boundToEnvironment: false } as const;
    await expect(cancel(deps, caller, trackingId, nowMs)).rejects.toMatchObject({
      code: 'SCHEDULE_RESOURCE_NOT_FOUND',
    });
    await passing(31);
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
    expect((await account.cancel(trackingId)).status).toBe(400);
  });

  it('cannot be cancelled once nothing is waiting', async () => {
    const trackingId = await account.send();
    await passing(31);
    await passing(130);
    expect((await account.cancel(trackingId)).json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
  });

  it('send nothing to a deleted user', async () => {
    const trackingId = await account.send();
    pipeline.clock.nowMs += 1000;
    expect((await call(deleteUser, { key: account.key, path: { userId: 'ada' } })).status).toBe(200);
    await passing(31);
    await passing(180);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({
      inapp_routing: 'SEND',
      ...{ email_routing: 'IGNORE', email_skipped_reason: 'CANCELED' },
      ...{ sms_routing: 'IGNORE', sms_skipped_reason: 'CANCELED' },
    });
  });

  it.each([
    ['the preference', { email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_PREFERENCES' }],
    [
      'the type',
      {
        email_routing: 'IGNORE',
        email_failed_internal: 'EMAIL is not sent: the notification type is disabled.',
      },
    ],
  ])('apply %s at the time they are due', async (what, log) => {
    const trackingId = await account.send();
    const choice = { notificationId: 'alert', channel: 'EMAIL', delivery: 'off' };
    if (what === 'the type')
      await call(updateType, {
        key: account.key,
        path: { notificationId: 'alert' },
        body: { enabled: false },
      });
    else await call(savePreferences, { key: account.key, path: { userId: 'ada' }, body: [choice] });
    await passing(31);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject(log);
  });

  it('follow the request rather than the type', async () => {
    await account.send({
      options: { steps: [{ channels: ['SMS'] }, { channels: ['EMAIL'], after: 'PT1M' }] },
    });
    expect(account.sent().sort()).toEqual(['INAPP_WEB', 'SMS']);
    await passing(1);
    expect(account.sent().sort()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
  });

  it('begin when a scheduled notification is due', async () => {
    const dueAtMs = pipeline.clock.nowMs + 60 * MINUTE_MS;
    await account.send({ schedule: new Date(dueAtMs).toISOString() });
    await pipeline.goTo(dueAtMs);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    await pipeline.goTo(dueAtMs + 30 * MINUTE_MS);
    expect(account.sent()).toEqual(['INAPP_WEB', 'EMAIL']);
  });

  it('appear with their times in a dry run', async () => {
    const { json } = await account.request({}, { dryRun: 'true' });
    const planned = Object.fromEntries(json.routing.map((each: { channel: string }) => [each.channel, each]));
    expect(planned.INAPP_WEB).toMatchObject({ routing: 'SEND' });
    const at = (minutes: number) => new Date(pipeline.clock.nowMs + minutes * MINUTE_MS).toISOString();
    expect(planned.EMAIL).toMatchObject({ routing: 'SCHEDULE', dueAt: at(30) });
    expect(planned.SMS).toMatchObject({ routing: 'SCHEDULE', dueAt: at(150) });
  });
});

import { describe, expect, it } from 'vitest';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { cancel } from '../../../functions/sending/waiting/scheduled.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as deleteType } from '../../../functions/types/delete-type.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { readyDependencies, readyNotifications } from '../../../functions/workers/due/ready-notifications.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { type SendingRules, sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { environmentPk } from '../../../shared/database/keys/key.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { clock, resolve, resolveAll } from '../../../shared/runtime/dependency.ts';
import { call, START_MS, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { CREATED } from './full-body.ts';

const app = useApp();
const account = useAccount(app, 'test');

const DUE = '2026-11-21T09:00:00Z';
const MAIL = {
  type: 'news',
  to: { id: 'ada', email: 'ada@example.com' },
  email: { subject: 's', html: 'h' },
};
const sendBy = (account: TestAccount, body: object, more: object = {}) =>
  call(send, { key: account.secret.key, body, ...more });
const typesOf = async (account: TestAccount) => (await call(listTypes, { key: account.secret.key })).json;
async function makeDue(trackingId: string) {
  app.clock.nowMs = Date.parse(DUE);
  const [outcome] = await readyNotifications(
    resolveAll({ ...readyDependencies, clock }),
    [{ trackingId, heldBackUntilMs: 0 }],
    app.clock.nowMs,
  );
  app.clock.nowMs = START_MS;
  expect(outcome?.status).toBe('fulfilled');
}

describe('a rejected request', () => {
  it('changes neither user nor types when its idempotency key belongs to another request', async () => {
    const headers = { 'Idempotency-Key': 'k' };
    await sendBy(account, MAIL, { headers });
    const other = { ...MAIL, type: 'other', to: { id: 'ada', email: 'new@example.com' } };
    const { status, json } = await sendBy(account, other, { headers });
    expect([status, json.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await typesOf(account)).map(({ title }: { title: string }) => title)).toEqual(['news']);
    const user = await call(getUser, { key: account.secret.key, path: { userId: 'ada' } });
    expect(user.json.email).toBe('ada@example.com');
  });

  it.each(['b@d', '+1', 'ACME & Sons Inc'])('names sms.from when it is %s', async (from) => {
    const { status, json } = await sendBy(account, { ...MAIL, sms: { message: 'm', from } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('body.sms.from');
    expect(await app.database.get(profileKey(account.environment.environmentId, 'ada'))).toBeUndefined();
  });
});

describe('a notification type', () => {
  it('needs a channel to be created; without one, the response and the log give the reason', async () => {
    for (const more of [{}, { forceChannels: [] }]) {
      const { status, json } = await sendBy(account, { type: 'news', to: { id: 'ada' }, ...more });
      expect([status, json.messages]).toEqual([200, [expect.stringContaining('has no channel')]]);
      expect(await recordOf(account, json.trackingId)).toMatchObject({
        failed_code: 'MISSING_NOTIFICATION_TYPE',
        ignored: 'ALL_CHANNELS_IGNORED',
      });
    }
    const { environmentId } = account.environment;
    expect(await app.database.queryAll(environmentPk(environmentId), 'TYPE#')).toEqual([]);
  });

  it('stays deleted when its scheduled notification is changed or due, and nothing is sent', async () => {
    const { key } = account.secret;
    const scheduled = (await sendBy(account, { ...MAIL, schedule: DUE })).json.trackingId;
    const changed = (await sendBy(account, { ...MAIL, schedule: DUE })).json.trackingId;
    expect((await call(deleteType, { key, path: { notificationId: 'news' } })).status).toBe(200);
    const path = { trackingId: changed };
    expect(
      (await call(reschedule, { key, path, body: { type: 'news', sms: { message: 'm' } } })).status,
    ).toBe(200);
    expect(await typesOf(account)).toEqual([]);
    for (const trackingId of [scheduled, changed]) {
      await makeDue(trackingId);
      const record = await recordOf(account, trackingId);
      expect(record).toMatchObject({
        failed_code: 'MISSING_NOTIFICATION_TYPE',
        failed_internal: expect.stringContaining('no longer exists'),
      });
      expect(['OFF', 'IGNORE']).toContain(record.email_routing);
    }
    expect(await typesOf(account)).toEqual([]);
  });

  it('comes into being when a change to a scheduled notification names a new one', async () => {
    const { trackingId } = (await sendBy(account, { ...MAIL, schedule: DUE })).json;
    await call(reschedule, { key: account.secret.key, path: { trackingId }, body: { type: 'other' } });
    expect(await typesOf(account)).toHaveLength(2);
  });
});

describe('messages of a response', () => {
  it('explain how to enable a channel', async () => {
    await sendBy(account, MAIL);
    const { json } = await sendBy(account, { ...MAIL, sms: { message: 'm' } });
    expect(json.messages).toEqual([
      expect.stringMatching(/^SMS is not sent: .*PATCH \/types\/\{notificationId\}/),
    ]);
  });

  it('name an unmet condition, and the log shows that every channel is ruled out', async () => {
    const options = { email: { condition: 'total > 5' } };
    const { json } = await sendBy(account, { ...MAIL, options, parameters: { total: 3 } });
    expect(json.messages).toEqual([CREATED, 'EMAIL is not sent: options.email.condition is not met.']);
    expect(await recordOf(account, json.trackingId)).toMatchObject({
      email_routing: 'IGNORE',
      ignored: 'ALL_CHANNELS_IGNORED',
    });
    expect((await sendBy(account, { ...MAIL, options, parameters: { total: 7 } })).json.messages).toEqual([]);
  });

  it('explain that a scheduled request without an address is evaluated when it is due', async () => {
    const { json } = await sendBy(account, { ...MAIL, to: { id: 'eve' }, schedule: DUE });
    expect(json.messages).toEqual([CREATED, expect.stringMatching(/no email address.*evaluated again when/)]);
    expect((await recordOf(account, json.trackingId)).email_failed_code).toBeUndefined();
    await sendBy(account, { ...MAIL, to: { id: 'eve', email: 'eve@example.com' } });
    await makeDue(json.trackingId);
    expect(await recordOf(account, json.trackingId)).toMatchObject({ email_routing: 'SEND' });
  });
});

describe('throttling and deduplication state', () => {
  const scope = ['userId', 'notificationId'];
  const throttling = { max: 1, period: 1, unit: 'days', forever: true, scope };
  const addType = (account: TestAccount, rules: object) =>
    call(createType, {
      key: account.secret.key,
      body: { notificationId: 'news', title: 'News', channels: ['EMAIL'], ...rules },
    });

  it.each([
    ['throttling', { throttling }],
    ['deduplication', { deduplication: { duration: 0 } }],
  ])('ends with its user: %s', async (_, rules) => {
    await addType(account, rules);
    expect((await sendBy(account, MAIL)).json.messages).toHaveLength(0);
    expect((await sendBy(account, MAIL)).json.messages).toHaveLength(1);
    const path = { userId: 'ada' };
    expect((await call(deleteUser, { key: account.secret.key, path })).status).toBe(200);
    app.clock.nowMs = START_MS + 60_000;
    expect((await sendBy(account, MAIL)).json.messages).toHaveLength(0);
    app.clock.nowMs = START_MS;
  });

  it('applies a shortened window to notifications accepted before', async () => {
    await addType(account, { deduplication: { duration: 3600 } });
    await sendBy(account, MAIL);
    app.clock.nowMs = START_MS + 120_000;
    expect((await sendBy(account, MAIL)).json.messages).toHaveLength(1);
    const path = { notificationId: 'news' };
    await call(updateType, { key: account.secret.key, path, body: { deduplication: { duration: 60 } } });
    expect((await sendBy(account, MAIL)).json.messages).toHaveLength(0);
    app.clock.nowMs = START_MS;
  });
});

it('returns 200 for a cancel that was written although the database response was lost', async () => {
  const { trackingId } = (await sendBy(account, { ...MAIL, schedule: DUE })).json;
  const rules = resolve(sendingRules);
  let commits = 0;
  const commit: SendingRules['commit'] = async (...args) => {
    const outcome = await rules.commit(...args);
    commits += 1;
    // The SDK repeats a write without a response, and its condition then fails.
    return commits === 1 ? rules.commit(...args) : outcome;
  };
  const { accountId } = account.account;
  const { environmentId } = account.environment;
  const caller = { kind: 'secret', accountId, environmentId, boundToEnvironment: false } as const;
  const deps = {
    logs: resolve(logs),
    sendingRules: { ...rules, commit },
    feedShards: 1,
    clock: resolve(clock),
  };
  await cancel(deps, caller, trackingId, START_MS);
  expect((await recordOf(account, trackingId)).schedule_deleted_at).toBe('2026-11-21T08:30:00.000Z');
});

import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { digests } from '../../../shared/database/entities/sending/digests.ts';
import { createUserTraces } from '../../../shared/database/entities/users/user-traces.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { deleteExpired } from '../../support/expired-items.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useStarted } from '../../support/use-started.ts';
import { digestAccount, HOUR_MS, nextHour } from './setup.ts';

const pipeline = usePipeline();
const account = useStarted(() => digestAccount(pipeline), 'test');

/** Settles, then goes to the next full hour, when hourly buckets are flushed. */
async function flush(): Promise<number> {
  await pipeline.settle({ sweep: false });
  const atMs = nextHour(pipeline);
  await pipeline.goTo(atMs);
  return atMs;
}

describe('a digest', () => {
  it.each([
    ['at once', '2026-12-01T11:00:00.000Z', '2027-01-01T10:00:00.000Z'],
    ['later', '2027-03-01T11:00:00.000Z', '2027-04-01T10:00:00.000Z'],
  ])(
    'keeps the logs of its notifications for the full retention after a long month, sent %s',
    async (when, sent, flushed) => {
      const account = await digestAccount(pipeline, ['SMS'], 'monthly');
      if (when === 'at once') await pipeline.goTo(Date.parse(sent));
      const trackingId = await account.send('one', when === 'later' ? { schedule: sent } : {});
      await pipeline.settle();
      await pipeline.goTo(Date.parse(sent));
      await pipeline.goTo(Date.parse(flushed));
      await pipeline.goTo(Date.parse(flushed) + 29 * 24 * HOUR_MS);
      expect(await account.log(trackingId)).toMatchObject({ sms_routing: 'BATCH', sms_sent_at: flushed });
    },
  );

  it('combines contents into one message at the full hour, not before', async () => {
    for (const text of ['one', 'two', 'three']) {
      await account.send(text);
      pipeline.clock.nowMs += 1000;
    }
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline) - 1000);
    expect(account.sent()).toEqual([]);
    const atMs = await flush();
    expect(account.sent().map((each) => [each.message.message, each.atMs])).toEqual([
      ['one\ntwo\nthree', atMs],
    ]);
    await pipeline.goTo(atMs + 3 * HOUR_MS);
    expect(account.sent()).toHaveLength(1);
  });

  it("shows BATCH in each item's log, then the stages of the digest", async () => {
    const trackingIds = [await account.send('one'), await account.send('two')];
    await pipeline.settle();
    for (const trackingId of trackingIds) {
      const log = await account.log(trackingId);
      expect(log).toMatchObject({ sms_routing: 'BATCH' });
      expect(log).not.toHaveProperty('sms_sent_at');
    }
    const atMs = await flush();
    await pipeline.goTo(atMs + 60_000);
    for (const trackingId of trackingIds) {
      expect(await account.log(trackingId)).toMatchObject({
        trackingId,
        sms_routing: 'BATCH',
        sms_sent_at: new Date(atMs).toISOString(),
        sms_delivered_at: expect.any(String),
      });
    }
  });

  it('renders the template of its mode once, with _items', async () => {
    const content = { text: '{{ _items.size }}:{% for item in _items %} {{ item.text }}{% endfor %}' };
    await account.addTemplate('SMS', content, ['hourly']);
    for (const text of ['one', 'two']) {
      await account.send(text);
      pipeline.clock.nowMs += 1;
    }
    await flush();
    expect(account.sent().map((each) => each.message.message)).toEqual(['2: one two']);
  });

  it('carries the attachments of all emails in it', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    const attach = (filename: string) => ({
      options: { email: { attachments: [{ filename, url: `https://files.example.com/${filename}` }] } },
    });
    await account.send('one', attach('1.txt'));
    pipeline.clock.nowMs += 1;
    await account.send('two');
    pipeline.clock.nowMs += 1;
    await account.send('three', attach('3.txt'));
    await flush();
    const [sent, ...others] = account.sent();
    expect(others).toEqual([]);
    expect(sent?.message.attachments).toMatchObject([{ filename: '1.txt' }, { filename: '3.txt' }]);
    for (const text of ['one', 'two', 'three']) expect(sent?.message.html).toContain(`<p>${text}</p>`);
  });

  it('keeps each user, sub-notification and channel separate', async () => {
    const account = await digestAccount(pipeline, ['SMS', 'EMAIL']);
    await account.send('one');
    await account.send('two', { subNotificationId: 'thread' });
    await account.send('three', { to: { id: 'bob', number: '+15005551235', email: 'bob@example.com' } });
    await flush();
    const { nowMs } = pipeline.clock;
    const heads = await Promise.all(
      account.sent().map(({ trackingId }) => resolve(logs).findHead(trackingId, nowMs)),
    );
    expect(
      heads
        .map((head) => [head?.userId, head?.email, head?.number, head?.subNotificationId].join(' '))
        .sort(),
    ).toEqual([
      ...Array(2).fill('ada ada@example.com +15005551234 '),
      ...Array(2).fill('ada ada@example.com +15005551234 thread'),
      ...Array(2).fill('bob bob@example.com +15005551235 '),
    ]);
  });

  it('sends nothing for an hour without items', async () => {
    await account.send('one');
    await flush();
    await flush();
    await flush();
    expect(account.sent()).toHaveLength(1);
  });

  it('carries a scheduled notification that became due', async () => {
    const dueAtMs = nextHour(pipeline) + 60_000;
    const trackingId = await account.send('one', { schedule: new Date(dueAtMs).toISOString() });
    await flush();
    expect(account.sent()).toEqual([]);
    await pipeline.goTo(dueAtMs);
    expect(await account.log(trackingId)).toMatchObject({ sms_routing: 'BATCH' });
    await flush();
    expect(account.sent()).toHaveLength(1);
  });
});

describe('a waiting digest loses no item', () => {
  it.each(['instant', 'daily', 'weekly', 'monthly'])('when the preference becomes %s', async (delivery) => {
    await account.send('one');
    await pipeline.settle();
    await account.prefer('SMS', delivery);
    await account.send('two');
    await flush();
    const days = { instant: 0, daily: 2, weekly: 8, monthly: 32 }[delivery] ?? 0;
    if (days > 0) await pipeline.goTo(pipeline.clock.nowMs + days * 24 * HOUR_MS);
    expect(
      account
        .sent()
        .map((each) => each.message.message)
        .sort(),
    ).toEqual(['one', 'two']);
  });

  it('when the preference becomes instant and the only template is that of the digest', async () => {
    await account.addTemplate('SMS', { text: 'You have {{ _items.size }}' }, ['hourly']);
    await account.send('one', { sms: undefined });
    await pipeline.settle();
    await account.prefer('SMS', 'instant');
    await flush();
    expect(account.sent().map((each) => each.message.message)).toEqual(['You have 1']);
  });

  it('when the type no longer offers the delivery option', async () => {
    await account.send('one');
    await pipeline.settle();
    const options = { SMS: { defaultDeliveryOption: 'instant' } };
    const path = { notificationId: 'comment' };
    await call(updateType, { key: account.secret.key, path, body: { options } });
    await flush();
    expect(account.sent()).toHaveLength(1);
  });

  it("when the user's timezone changes", async () => {
    const account = await digestAccount(pipeline, ['SMS'], 'daily');
    await account.saveUser({ timezone: 'Asia/Kolkata' });
    await account.send('one');
    await pipeline.settle();
    await account.saveUser({ timezone: 'America/New_York' });
    await account.send('two');
    await pipeline.settle();
    for (let step = 0; step < 6; step += 1) await pipeline.goTo(pipeline.clock.nowMs + 5 * HOUR_MS);
    expect(
      account
        .sent()
        .map((each) => each.message.message)
        .sort(),
    ).toEqual(['one', 'two']);
  });

  it('keeps the other items when one cannot be rendered', async () => {
    await account.send('one');
    const broken = await account.send('broken', {
      sms: { message: '{{ 1 | divided_by: user.attributes.none }}' },
    });
    const three = await account.send('three');
    await flush();
    const text = account
      .sent()
      .map((each) => each.message.message)
      .join();
    expect(text).toContain('one');
    expect(text).toContain('three');
    expect(await account.log(three)).toMatchObject({ sms_sent_at: expect.any(String) });
    const left = await account.log(broken);
    expect(left).toMatchObject({ sms_failed_code: 'Unknown', sms_failed_at: expect.any(String) });
    expect(left).not.toHaveProperty('sms_sent_at');
    expect(left).not.toHaveProperty('sms_delivered_at');
  });
});

describe('a waiting digest is not sent after an opt-out', () => {
  it.each(['preference', 'type', 'channel'])('after %s', async (by) => {
    const trackingId = await account.send('one');
    await pipeline.settle();
    const patch = (body: object) =>
      call(updateType, { key: account.secret.key, path: { notificationId: 'comment' }, body });
    if (by === 'preference') await account.prefer('SMS', 'off');
    if (by === 'type') await patch({ enabled: false });
    if (by === 'channel') await patch({ channels: ['EMAIL'] });
    await flush();
    expect(account.sent()).toEqual([]);
    const log = await account.log(trackingId);
    expect(log).toMatchObject({ sms_routing: 'IGNORE', sms_failed_internal: expect.any(String) });
    expect(log).not.toHaveProperty('sms_sent_at');
  });
});

const DAY_MS = 86_400_000;

type Account = Awaited<ReturnType<typeof digestAccount>>;

/** The partitions of Ada's buckets, by her traces. */
async function bucketsOf({ environment: { environmentId } }: Account): Promise<string[]> {
  const pks = await createUserTraces(pipeline.database).list({ environmentId, userId: 'ada' });
  return pks.filter((pk) => pk.startsWith(DIGEST_PREFIX));
}

/** A digest that fell due while Ada had paused her notifications for a month. */
async function heldDigest() {
  const account = await digestAccount(pipeline);
  const pausedUntilMs = pipeline.clock.nowMs + 30 * DAY_MS;
  await account.saveUser({ pausedUntil: new Date(pausedUntilMs).toISOString() });
  await account.send('first');
  pipeline.clock.nowMs += 1;
  await account.send('second');
  await pipeline.settle();
  const dueAtMs = nextHour(pipeline);
  pipeline.clock.nowMs = dueAtMs - 1;
  await deleteExpired(pipeline);
  await pipeline.goTo(dueAtMs);
  const buckets = await bucketsOf(account);
  await pipeline.goTo(pausedUntilMs - 1);
  await deleteExpired(pipeline);
  return { account, buckets, pausedUntilMs };
}

it('sends a digest after a pause of a month', async () => {
  const { account, pausedUntilMs } = await heldDigest();
  expect(account.sent()).toEqual([]);
  await pipeline.goTo(pausedUntilMs + 15 * 60_000);
  expect(account.sent().map(({ message }) => message.message)).toEqual(['first\nsecond']);
});

it('finds a digest that waits for the end of a pause when its user is deleted', async () => {
  const { account, buckets, pausedUntilMs } = await heldDigest();
  const { key } = account.secret;
  expect((await call(deleteUser, { key, path: { userId: 'ada' } })).status).toBeLessThan(300);
  await pipeline.settle();
  for (const pk of buckets)
    expect(await pipeline.database.queryAll(pk, '', { consistent: true })).toEqual([]);
  await pipeline.goTo(pausedUntilMs + 15 * 60_000);
  expect(account.sent()).toEqual([]);
});

it('does not flush a bucket that has expired: the table of a restored backup may still have it', async () => {
  const trackingId = await account.send('old');
  await pipeline.settle({ sweep: false });
  const [pk = ''] = await bucketsOf(account);
  const flushAtMs = nextHour(pipeline);
  const isCollected = (atMs: number) => resolve(digests).isCollected(pk, trackingId, atMs);
  expect(await isCollected(flushAtMs + 14 * DAY_MS)).toBe(true);
  expect(await isCollected(flushAtMs + 16 * DAY_MS)).toBe(false);
  expect(await resolve(digests).closeDue(pk, flushAtMs + 16 * DAY_MS)).toBeUndefined();
  expect(await resolve(digests).closeDue(pk, flushAtMs + 14 * DAY_MS)).toMatchObject({ pk });
});

it.each([
  ['small', ''],
  ['large', Array.from({ length: 4000 }, (_, index) => Math.sin(index + 1).toString(36)).join('')],
])(
  'keeps the log and the content of a %s item whose digest is held for longer than its retention',
  async (_, noise) => {
    const pausedUntilMs = pipeline.clock.nowMs + 45 * DAY_MS;
    await account.saveUser({ pausedUntil: new Date(pausedUntilMs).toISOString() });
    const trackingId = await account.send('waited', { parameters: { text: 'waited', noise } });
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline));
    for (const name of pipeline.blobs.keys()) expect(name).not.toContain('/33d/');
    await pipeline.goTo(pausedUntilMs - 1);
    await deleteExpired(pipeline);
    await pipeline.goTo(pausedUntilMs + 15 * 60_000);
    expect(account.sent().map(({ message }) => message.message)).toEqual(['waited']);
    expect(await account.log(trackingId)).toMatchObject({
      sms_routing: 'BATCH',
      sms_sent_at: expect.any(String),
    });
  },
);

it.each(['instant', 'hourly'])(
  "evaluates the condition of an %s email with the account's locale",
  async (mode) => {
    const account = await digestAccount(pipeline, ['EMAIL'], mode);
    const { key } = account.secret;
    expect((await call(updateAccount, { key, body: { locale: 'de' } })).status).toBe(200);
    const conditions = ["user.locale == 'de'", "user.locale == 'en'", '{{ user.locale | no_such_thing }}'];
    const trackingIds: string[] = [];
    for (const condition of conditions.slice(0, 2))
      trackingIds.push(await account.send('text', { options: { email: { condition } } }));
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline));
    expect(account.sent()).toHaveLength(1);
    expect(await account.log(trackingIds[0] ?? '')).toHaveProperty('email_sent_at');
    const unmet = await account.log(trackingIds[1] ?? '');
    expect(unmet).toMatchObject({ email_routing: 'IGNORE' });
    expect(unmet).not.toHaveProperty('email_failed_code');
  },
);

it.each(['instant', 'hourly'])('ignores an %s email whose condition cannot be evaluated', async (mode) => {
  const account = await digestAccount(pipeline, ['EMAIL'], mode);
  const condition = '1 | divided_by: user.attributes.none';
  const schedule = new Date(pipeline.clock.nowMs + 60_000).toISOString();
  const trackingId = await account.send('text', { schedule, options: { email: { condition } } });
  await pipeline.goTo(pipeline.clock.nowMs + 60_000);
  await pipeline.goTo(nextHour(pipeline));
  expect(account.sent()).toEqual([]);
  const log = await account.log(trackingId);
  expect(log).toMatchObject({ email_routing: 'IGNORE' });
  expect(log).not.toHaveProperty('email_failed_code');
});

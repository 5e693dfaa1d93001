import { expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { digests } from '../../../shared/database/entities/sending/digests.ts';
import { createUserTraces } from '../../../shared/database/entities/users/user-traces.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { deleteExpired } from '../../support/expired-items.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { digestAccount, nextHour } from './setup.ts';

const pipeline = usePipeline();
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
  const account = await digestAccount(pipeline);
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
    const account = await digestAccount(pipeline);
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

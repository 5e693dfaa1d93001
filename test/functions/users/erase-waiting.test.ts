import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { texts } from '../../../shared/database/entities/incoming/texts.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { call } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { digestAccount, HOUR_MS, nextHour } from '../digests/setup.ts';
import { scheduling } from '../schedules/setup.ts';

const pipeline = usePipeline();
const account = useAccount(pipeline, 'test');

/** Every item of the table that contains the person's data, except items of logs, by its key. */
async function itemsNaming(name: string): Promise<string[]> {
  const found: string[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const page = await pipeline.documents.send(
      new ScanCommand({
        TableName: pipeline.tableName,
        ConsistentRead: true,
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    for (const item of page.Items ?? []) {
      // The erasure of the logs itself is still under way.
      const isLog = /^(LOG|ERASURE)#/.test(String(item.pk));
      if (!isLog && JSON.stringify(item).includes(name)) found.push(`${item.pk} / ${item.sk}`);
    }
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return found;
}

const erase = (key: string, userId: string) => call(deleteUser, { key, path: { userId } });
const person = () => {
  const id = `ada-${newId()}`;
  return { id, to: { id, number: '+15005551234' } };
};

it('cancels the scheduled notifications of the user, and their logs show it', async () => {
  const { key } = account.secret;
  const api = scheduling(pipeline, account);
  const [ada, bob] = [person(), person()];
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const theirs = await Promise.all([
    api.sendAt(dueAtMs, { to: ada.to }),
    api.sendAt(dueAtMs, { to: ada.to }),
  ]);
  const moved = await api.sendAt(dueAtMs, { to: bob.to });
  await api.put(moved, { to: ada.to });
  const other = await api.sendAt(dueAtMs, { to: ada.to });
  await api.put(other, { to: bob.to });
  await pipeline.settle();
  pipeline.clock.nowMs += 1000;
  const erasedAtMs = pipeline.clock.nowMs;
  expect((await erase(key, ada.id)).status).toBe(200);
  for (const trackingId of [...theirs, moved]) {
    expect(await api.log(trackingId)).toMatchObject({
      schedule_deleted_at: new Date(erasedAtMs).toISOString(),
    });
    expect((await api.cancel(trackingId)).status).toBe(200);
    const head = await pipeline.database.get({ pk: `LOG#${trackingId}`, sk: 'HEAD' });
    expect(head).not.toHaveProperty('duePk');
  }
  expect(await itemsNaming(ada.id)).toEqual([]);
  await pipeline.goTo(dueAtMs);
  expect([...theirs, moved].flatMap(api.texts)).toEqual([]);
  expect(api.texts(other)).toEqual(['Soon']);
});

it.each(['instant', 'hourly'])(
  'sends %s a notification that is rescheduled to the user after the deletion',
  async (mode) => {
    const account = await digestAccount(pipeline, ['SMS'], mode);
    const [ada, bob] = [person(), person()];
    const schedule = new Date(pipeline.clock.nowMs + HOUR_MS).toISOString();
    const trackingId = await account.send('Soon', { to: bob.to, schedule });
    await call(saveUser, { key: account.secret.key, path: { userId: ada.id }, body: {} });
    pipeline.clock.nowMs += 1000;
    expect((await erase(account.secret.key, ada.id)).status).toBe(200);
    pipeline.clock.nowMs += 1000;
    const api = scheduling(pipeline, account);
    expect((await api.put(trackingId, { to: ada.to })).status).toBe(200);
    await pipeline.goTo(Date.parse(schedule));
    if (mode === 'hourly') await pipeline.goTo(nextHour(pipeline));
    expect(account.sent().map(({ userId }) => userId)).toEqual([ada.id]);
  },
);

it('removes the waiting digest items of the user, and their logs show that they are not sent', async () => {
  const account = await digestAccount(pipeline, ['SMS', 'EMAIL']);
  const ada = person();
  const to = { ...ada.to, email: `${ada.id}@example.com` };
  const trackingIds = await Promise.all([1, 2, 3].map((each) => account.send(String(each), { to })));
  await pipeline.settle();
  expect((await itemsNaming(ada.id)).filter((key) => key.includes('/ ITEM#'))).toHaveLength(6);
  pipeline.clock.nowMs += 1000;
  expect((await erase(account.secret.key, ada.id)).status).toBe(200);
  expect(await itemsNaming(ada.id)).toEqual([]);
  for (const trackingId of trackingIds) {
    expect(await account.log(trackingId)).toMatchObject({
      ...{ sms_routing: 'IGNORE', sms_skipped_reason: 'CANCELED' },
      ...{ email_routing: 'IGNORE', email_skipped_reason: 'CANCELED' },
    });
  }
  await pipeline.goTo(nextHour(pipeline));
  expect(account.sent()).toEqual([]);
});

it('keeps digest items that were accepted after the deletion and sends them at their time', async () => {
  const account = await digestAccount(pipeline);
  const ada = person();
  await account.send('before', { to: ada.to });
  await pipeline.settle();
  pipeline.clock.nowMs += 1000;
  const { update } = pipeline.database;
  pipeline.database.update = async (...change) => {
    pipeline.database.update = update;
    pipeline.clock.nowMs += 1000;
    await account.send('after', { to: ada.to });
    await pipeline.settle({ sweep: false });
    return update(...change);
  };
  await erase(account.secret.key, ada.id);
  expect(pipeline.database.update).toBe(update);
  await call(saveUser, {
    key: account.secret.key,
    path: { userId: ada.id },
    body: { number: ada.to.number },
  });
  await pipeline.goTo(nextHour(pipeline) - 1000);
  expect(account.sent()).toEqual([]);
  await pipeline.goTo(nextHour(pipeline));
  expect(account.sent().map(({ message }) => message.message)).toEqual(['after']);
  expect((await erase(account.secret.key, ada.id)).status).toBe(200);
});

it('finds a digest again when the user is created and deleted again', async () => {
  const account = await digestAccount(pipeline);
  const ada = person();
  for (const text of ['first', 'second']) {
    await account.send(text, { to: ada.to });
    await pipeline.settle();
    pipeline.clock.nowMs += 1000;
    expect((await erase(account.secret.key, ada.id)).status).toBe(200);
    expect(await itemsNaming(ada.id)).toEqual([]);
    pipeline.clock.nowMs += 1000;
  }
});

it('leaves nothing waiting from notifications accepted during the deletion', async () => {
  const account = await digestAccount(pipeline);
  const api = scheduling(pipeline, account);
  const ada = person();
  const { key } = account.secret;
  await call(saveUser, { key, path: { userId: ada.id }, body: {} });
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const requests = Array.from({ length: 20 }, (_, each) => each);
  const [scheduled] = await Promise.all([
    Promise.all(requests.map(() => api.sendAt(dueAtMs, { to: ada.to }))),
    Promise.all(requests.map((each) => account.send(String(each), { to: ada.to }))),
    erase(key, ada.id),
  ]);
  await pipeline.settle();
  for (const trackingId of scheduled) expect(await api.log(trackingId)).toHaveProperty('schedule_deleted_at');
  const waiting = await itemsNaming(ada.id);
  expect(waiting.filter((each) => each.includes('/ ITEM#'))).toEqual([]);
});

it('cancels a scheduled notification when the user is deleted while it is being accepted', async () => {
  const api = scheduling(pipeline, account);
  const ada = person();
  const { environmentId } = account.environment;
  const { put } = pipeline.database;
  pipeline.database.put = async (item, options) => {
    pipeline.database.put = put;
    if (String(item.sk) === 'HEAD') {
      await resolve(erasureMarks).mark(environmentId, ada.id, pipeline.clock.nowMs, resolve(signer));
    } else pipeline.database.put = around;
    return put(item, options);
  };
  const around = pipeline.database.put;
  const trackingId = await api.sendAt(pipeline.clock.nowMs + HOUR_MS, { to: ada.to });
  expect(pipeline.database.put).toBe(put);
  expect(await api.log(trackingId)).toHaveProperty('schedule_deleted_at');
});

it("deletes the text message thread of the user, but not another user's with the same number", async () => {
  const api = scheduling(pipeline, account);
  const { environmentId } = account.environment;
  const [ada, bob] = [person(), person()];
  const pair = { serviceNumber: '+15005550006', number: '+15005559876' };
  const thread = (userId: string, atMs: number) => ({
    trackingId: newId(),
    accountId: account.account.accountId,
    environmentId,
    userId,
    notificationId: 'reminder',
    atMs,
  });
  const usersOf = async () => (await resolve(texts).listThreads(pair)).map(({ userId }) => userId);
  const nowMs = pipeline.clock.nowMs;
  for (const atMs of [nowMs, nowMs + 1]) await resolve(texts).storeSent(pair, thread(ada.id, atMs));
  expect(await usersOf()).toEqual([ada.id]);
  expect((await erase(account.secret.key, ada.id)).status).toBe(200);
  expect(await itemsNaming(ada.id)).toEqual([]);
  await resolve(texts).storeSent(pair, thread(ada.id, nowMs + 2));
  await resolve(texts).storeSent(pair, thread(bob.id, nowMs + 3));
  await api.send({ to: ada.to });
  expect((await erase(account.secret.key, ada.id)).status).toBe(200);
  expect(await usersOf()).toEqual([bob.id]);
});

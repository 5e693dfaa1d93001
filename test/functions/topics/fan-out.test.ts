import { describe, expect, it } from 'vitest';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { memberTrackingId } from '../../../functions/sending/waiting/members.ts';
import { handler as addUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as removeUsers } from '../../../functions/topics/remove-topic-users.ts';
import { handler as deliverInapp } from '../../../functions/workers/delivery/deliver-inapp.ts';
import { type FanOutDependencies, fanOutStep } from '../../../functions/workers/due/fan-out.ts';
import { readyDependencies } from '../../../functions/workers/due/ready-notifications.ts';
import { findLostMessages, lostDependencies } from '../../../functions/workers/redrive/lost.ts';
import { topics } from '../../../shared/database/entities/users/topics.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { clock, resolve, resolveAll } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { deliver, recordOf, withSettings } from '../../support/workers.ts';

const app = useApp();

const INAPP = { type: 'news', to: { topic: 'news' }, inapp: { title: 'News' } };
const EMAILS = { type: 'mail', to: { topic: 'news' }, email: { subject: 's', html: 'h' } };
const user = (index: number) => `user-${String(index).padStart(4, '0')}`;
const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => user(from + index));

/** An account whose topic has `count` members with these indexes: 0, 2, 4, …, so that others fit between them. */
async function accountWith(count: number) {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const { environmentId } = account.environment;
  const change = (handler: typeof addUsers, userIds: readonly string[]) =>
    call(handler, { key, path: { topicId: 'news' }, body: { userIds } });
  const add = (userIds: readonly string[]) => change(addUsers, userIds);
  const members = Array.from({ length: count }, (_, index) => user(2 * index));
  await resolve(topics).add(environmentId, 'news', members, app.clock.nowMs);
  return { account, key, members, add, remove: (ids: readonly string[]) => change(removeUsers, ids) };
}

const start = async (key: string, body: object = INAPP): Promise<string> =>
  (await call(send, { key, body })).json.trackingId;
const dependencies = (): FanOutDependencies => resolveAll({ ...readyDependencies, clock });

/** Runs the next step, if one is due. */
async function step(trackingId: string, deps = dependencies()): Promise<void> {
  const head = await deps.logs.findHead(trackingId, app.clock.nowMs);
  if (head) await fanOutStep(deps, head, 1);
}

/** Runs steps until nothing is left, as the due queue and its sweeper do. */
async function finish(trackingId: string): Promise<void> {
  for (let steps = 0; steps < 100; steps += 1) {
    const head = await dependencies().logs.findHead(trackingId, app.clock.nowMs);
    if (head?.state !== 'fanning') return;
    app.clock.nowMs = Math.max(app.clock.nowMs, head.fanOut?.dueAtMs ?? 0);
    await step(trackingId);
  }
}

/** The stored heads of the given users' notifications: when they were accepted. */
async function acceptedAt(trackingId: string, userIds: readonly string[]): Promise<Map<string, number>> {
  const items = await app.database.batchGet(userIds.map((id) => headKey(memberTrackingId(trackingId, id))));
  return new Map(items.flatMap((item, index) => (item ? [[userIds[index] ?? '', Number(item.at)]] : [])));
}

/**
 * Dependencies whose `count`-th write throws: before it is made, or after it. A process that dies takes its concurrent writes
 * along: `settled` waits for writes that would still be made here.
 */
function dyingAt(count: number, when: 'before' | 'after'): FanOutDependencies & { settled(): Promise<void> } {
  const deps = dependencies();
  const underWay: Promise<unknown>[] = [];
  let writes = 0;
  return {
    ...deps,
    async settled() {
      await Promise.allSettled(underWay);
    },
    sendingRules: {
      ...deps.sendingRules,
      async commit(...args) {
        writes += 1;
        if (writes > count || (writes === count && when === 'before')) throw new Error('killed');
        const write = deps.sendingRules.commit(...args);
        underWay.push(write);
        const outcome = await write;
        if (writes >= count) throw new Error('killed');
        return outcome;
      },
    },
  };
}

describe('a topic fan-out', () => {
  it('repeats nothing and skips nobody when it is killed between any two writes', async () => {
    const { account, key, members } = await accountWith(60);
    for (const when of ['before', 'after'] as const) {
      for (const count of [1, 25, 50, 51, 52, 62]) {
        const trackingId = await start(key);
        const dying = dyingAt(count, when);
        await expect(step(trackingId, dying)).rejects.toThrow('killed');
        await dying.settled();
        const before = await acceptedAt(trackingId, members);
        app.clock.nowMs += 60_000;
        await step(trackingId, dyingAt(3, 'after')).catch(() => undefined);
        app.clock.nowMs += 60_000;
        await finish(trackingId);
        const after = await acceptedAt(trackingId, members);
        expect([when, count, after.size]).toEqual([when, count, 60]);
        for (const [id, atMs] of before) expect(after.get(id)).toBe(atMs);
        const log = await recordOf(account, trackingId);
        expect(log).toMatchObject({ topic_members: 60, topic_accepted: 60, topic_state: 'fanned_out' });
        await step(trackingId);
        expect(await acceptedAt(trackingId, members)).toEqual(after);
      }
    }
  });

  it('counts each member once when two workers process it concurrently', async () => {
    const { account, key, members } = await accountWith(120);
    const trackingId = await start(key);
    await Promise.all([step(trackingId), step(trackingId), step(trackingId)]);
    await finish(trackingId);
    expect((await acceptedAt(trackingId, members)).size).toBe(120);
    expect(await recordOf(account, trackingId)).toMatchObject({ topic_members: 120, topic_accepted: 120 });
  });

  it('reaches every user who is a member from its beginning to its end, while others join and leave', async () => {
    const { key, members, add, remove } = await accountWith(120);
    const trackingId = await start(key, EMAILS);
    await step(trackingId, dyingAt(51, 'after')).catch(() => undefined);
    await add(
      users(0, 240)
        .filter((id) => !members.includes(id))
        .slice(0, 100),
    );
    await remove(members.slice(100, 110));
    const leaving = new Set(members.slice(100, 110));
    await finish(trackingId);
    const reached = await acceptedAt(trackingId, users(0, 240));
    for (const id of members) if (!leaving.has(id)) expect(reached.has(id)).toBe(true);
    for (const id of leaving) expect(reached.has(id)).toBe(false);
  });

  it('keeps to the speed of the providers and waits while messages are queued', async () => {
    const { account, key, members } = await accountWith(120);
    const { environmentId, account: owner } = {
      ...account,
      environmentId: account.environment.environmentId,
    };
    const scope = { accountId: owner.accountId, environmentId };
    for (const id of members) {
      await resolve(readyDependencies.users).merge(
        scope,
        id,
        { email: `${id}@example.com` },
        { nowMs: app.clock.nowMs },
      );
    }
    const trackingId = await start(key, EMAILS);
    const startMs = app.clock.nowMs;
    const stepAt = async (seconds: number, waiting = 0) => {
      app.clock.nowMs = startMs + seconds * 1000;
      const deps = dependencies();
      await step(trackingId, { ...deps, queues: { ...deps.queues, countWaiting: async () => waiting } });
      return (await recordOf(account, trackingId)).topic_members;
    };
    // 14 emails per second: half a second's emails at a time, and at most about a second's before a pause.
    expect([await stepAt(0), await stepAt(1), await stepAt(3)]).toEqual([17, 17, 31]);
    expect([await stepAt(4, 15), await stepAt(4.5), await stepAt(5)]).toEqual([31, 31, 45]);
    expect([await stepAt(8), await stepAt(12)]).toEqual([59, 73]);
    await withSettings({ EMAIL_PER_SECOND: '500' }, async () => {
      const fast = await start(key, EMAILS);
      await step(fast);
      expect(await recordOf(account, fast)).toMatchObject({ topic_members: 120 });
    });
  });

  it('resumes when its message is found lost', async () => {
    const { key } = await accountWith(1);
    const trackingId = await start(key);
    const lost = (nowMs: number) => findLostMessages(resolveAll(lostDependencies), trackingId, nowMs);
    expect(await lost(app.clock.nowMs)).toEqual([]);
    expect(await lost(app.clock.nowMs + 120_000)).toMatchObject([{ trackingId, queue: 'make-ready' }]);
  });
});

describe('a cancelled fan-out', () => {
  const cancel = (key: string, trackingId: string) => call(cancelScheduled, { key, path: { trackingId } });

  it('accepts no member after its response, and queued messages are not delivered', async () => {
    const { account, key, members } = await accountWith(120);
    const trackingId = await start(key, EMAILS);
    const dying = dyingAt(20, 'after');
    await withSettings({ EMAIL_PER_SECOND: '14' }, () => step(trackingId, dying).catch(() => undefined));
    await dying.settled();
    expect((await cancel(key, trackingId)).status).toBe(200);
    const reached = await acceptedAt(trackingId, members);
    expect(reached.size).toBeGreaterThan(0);
    app.clock.nowMs += 60_000;
    await step(trackingId);
    await finish(trackingId);
    expect(await acceptedAt(trackingId, members)).toEqual(reached);
    expect(await recordOf(account, trackingId)).toMatchObject({
      topic_state: 'cancelled',
      schedule_deleted_at: expect.any(String),
    });
    expect((await cancel(key, trackingId)).status).toBe(200);
  });

  it('withholds messages that are still queued', async () => {
    const { account, key, members } = await accountWith(60);
    const trackingId = await start(key);
    await step(trackingId, dyingAt(51, 'before')).catch(() => undefined);
    const [first = ''] = members;
    const delivered = memberTrackingId(trackingId, first);
    process.env.INAPP_PROVIDER = 'sandbox';
    expect(await deliver(deliverInapp, { trackingId: delivered, channel: 'INAPP_WEB' })).toEqual([]);
    expect((await cancel(key, trackingId)).status).toBe(200);
    const queued = memberTrackingId(trackingId, members[1] ?? '');
    expect(await deliver(deliverInapp, { trackingId: queued, channel: 'INAPP_WEB' })).toEqual([]);
    expect(await recordOf(account, delivered)).toMatchObject({ inapp_sent_at: expect.any(String) });
    const log = await recordOf(account, queued);
    expect(log).toMatchObject({ inapp_routing: 'IGNORE', inapp_skipped_reason: 'CANCELED' });
    expect(log).not.toHaveProperty('inapp_sent_at');
  });

  it('and a concurrent last step have exactly one winner', async () => {
    const { account, key, members } = await accountWith(10);
    const states = new Set<string>();
    for (let turns = 0; turns <= 8; turns += 1) {
      const trackingId = await start(key);
      const stepping = step(trackingId);
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      // The last one comes too late on any machine.
      if (turns === 8) await stepping;
      const [response] = await Promise.all([cancel(key, trackingId), stepping]);
      const { topic_state: state } = await recordOf(account, trackingId);
      expect([response.status, state]).toEqual(
        response.status === 200 ? [200, 'cancelled'] : [400, 'fanned_out'],
      );
      const reached = await acceptedAt(trackingId, members);
      if (state === 'fanned_out') expect(reached.size).toBe(10);
      await finish(trackingId);
      expect(await acceptedAt(trackingId, members)).toEqual(reached);
      states.add(state);
    }
    expect(states).toContain('fanned_out');
  });
});

import { expect, it } from 'vitest';
import { blobs } from '../../../shared/blobs/blobs.ts';
import { createLogs, logs } from '../../../shared/database/entities/logs/logs.ts';
import { createDigests, digests } from '../../../shared/database/entities/sending/digests.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { createPipeline } from '../../support/pipeline.ts';
import { until } from '../../support/until.ts';
import { later, use } from '../../support/use-started.ts';
import { digestAccount, nextHour } from './setup.ts';

const pipeline = later(createPipeline);

/** Past the flusher's lease and the visibility timeout of its message. */
const NEXT_TRY_MS = 400_000;

type Account = Awaited<ReturnType<typeof digestAccount>>;

const acceptAll = (account: Account, from: number, to: number) =>
  account.acceptAll(Array.from({ length: to - from }, (_, index) => String(from + index)));

/** The items of all messages that went out, in the order of their numbers. */
const carried = (account: Account) =>
  account
    .sent()
    .flatMap((each) => [...each.message.html.matchAll(/<p>(\d+)<\/p>/g)].map(([, number]) => Number(number)))
    .sort((left, right) => left - right);

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Checks the guarantees for any number of notifications collected concurrently. */
export function testConcurrency(count: number): void {
  use(pipeline);

  it('sends concurrent notifications in one message, each once', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    await acceptAll(account, 0, count);
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline));
    expect(account.sent()).toHaveLength(1);
    expect(carried(account)).toEqual(numbersTo(count));
  });

  it('sends each notification once that arrives while its bucket is flushed', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    await acceptAll(account, 0, count / 2);
    await pipeline.settle();
    const closing = Promise.withResolvers<void>();
    const real = createDigests(pipeline.database);
    replace(digests, () => ({
      ...real,
      async closeDue(pk, nowMs) {
        closing.resolve();
        return real.closeDue(pk, nowMs);
      },
    }));
    const [ahead, behind] = [(count * 3) / 4, count];
    const sending = acceptAll(account, count / 2, ahead);
    const flushing = pipeline.goTo(nextHour(pipeline));
    await closing.promise;
    await acceptAll(account, ahead, behind);
    await Promise.all([sending, flushing]);
    replace(digests, () => real);
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline));
    expect(carried(account)).toEqual(numbersTo(count));
  });

  it.each(['half way in its claims', 'between claims and head', 'between head and mark'])(
    'sends every item once when a flusher is killed %s',
    async (when) => {
      const account = await digestAccount(pipeline, ['EMAIL']);
      await acceptAll(account, 0, count);
      await pipeline.settle();
      const restore = killFlusher(when, count / 2);
      const killedAtMs = nextHour(pipeline);
      await pipeline.goTo(killedAtMs);
      expect(restore()).toBe(1);
      await pipeline.goTo(killedAtMs + NEXT_TRY_MS);
      await pipeline.goTo(nextHour(pipeline));
      expect(account.sent()).toHaveLength(1);
      expect(carried(account)).toEqual(numbersTo(count));
    },
  );

  it('sends an item with the next digest when it enters a bucket after its flusher listed it', async () => {
    const account = await digestAccount(pipeline, ['EMAIL']);
    await account.send('0');
    await pipeline.settle();
    const real = createDigests(pipeline.database);
    const late = { count: 0 };
    replace(digests, () => ({
      ...real,
      async listItems(pk) {
        const items = await real.listItems(pk);
        if (late.count === 0) {
          late.count += 1;
          const [first] = items;
          if (first) {
            // The clock is just before the flush, so that the collector chooses the bucket that is being flushed.
            pipeline.clock.nowMs -= 1000;
            await account.send('1');
            await until(
              async () => (await real.listItems(pk)).length > items.length,
              'the late item to be in the closed bucket',
            );
            pipeline.clock.nowMs += 1000;
          }
        }
        return items;
      },
    }));
    await pipeline.goTo(nextHour(pipeline));
    replace(digests, () => real);
    expect(late.count).toBe(1);
    await pipeline.goTo(nextHour(pipeline));
    expect(carried(account)).toEqual([0, 1]);
    expect(account.sent()).toHaveLength(2);
  });
}

/** Makes the next flusher throw once at the given point. The returned function ends that and returns how often it threw. */
function killFlusher(when: string, claimsBefore: number): () => number {
  const realLogs = createLogs(pipeline.database, () => resolve(blobs));
  const realDigests = createDigests(pipeline.database);
  let claims = 0;
  let kills = 0;
  const kill = () => {
    kills += 1;
    throw new Error('killed');
  };
  replace(logs, () => ({
    ...realLogs,
    async append(trackingId, owner, event, preview) {
      if (event.stage === 'digest') claims += 1;
      if (when === 'half way in its claims' && kills === 0 && claims > claimsBefore) kill();
      return realLogs.append(trackingId, owner, event, preview);
    },
    async accept(head, options) {
      if (when === 'between claims and head' && kills === 0 && head.digest) kill();
      return realLogs.accept(head, options);
    },
  }));
  replace(digests, () => ({
    ...realDigests,
    async markFlushed(pk) {
      if (when === 'between head and mark' && kills === 0) kill();
      return realDigests.markFlushed(pk);
    },
  }));
  return () => {
    replace(logs, () => realLogs);
    replace(digests, () => realDigests);
    return kills;
  };
}

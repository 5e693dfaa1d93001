import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { call } from '../../support/app.ts';
import { recordOf } from '../../support/workers.ts';
import { HOUR_MS, newAccount, pipeline, TO_NEWS, useTopics } from '../topics/topic-send-setup.ts';

useTopics();

const AUTHOR = 'ada-lovelace';
const LONG = Array.from({ length: 2000 }, (_, index) => Math.sin(index + 1).toString(36)).join('');

/** What the log's item and objects say, unpacked. */
async function storedOf(trackingId: string): Promise<string> {
  const item = await pipeline.database.get(headKey(trackingId));
  const objects = [...pipeline.blobs].filter(([name]) => name.includes(trackingId));
  const packed = [item?.req, ...objects.map(([, bytes]) => bytes)].filter(
    (each) => each instanceof Uint8Array,
  );
  return [JSON.stringify(item), ...packed.map((bytes) => inflateRawSync(bytes).toString())].join('\n');
}

it.each([
  ['sent', {}, false],
  ['sent with a large request', { parameters: { text: LONG } }, false],
  ['scheduled', { schedule: HOUR_MS }, false],
  ['being sent', {}, true],
  ['to nobody', { to: { topic: 'none', exclude: [AUTHOR] } }, false],
])(
  'a deleted user is not named by the log of a topic whose notification left them out: %s',
  async (_, over, isPaused) => {
    const { account, key, sent } = await newAccount([AUTHOR, 'bob', 'cyd']);
    const schedule = 'schedule' in over ? new Date(pipeline.clock.nowMs + HOUR_MS).toISOString() : undefined;
    const body = { ...TO_NEWS, to: { topic: 'news', exclude: [AUTHOR, 'bob'] }, ...over, schedule };
    if (isPaused) await pipeline.pause();
    const { trackingId } = (await call(send, { key, body })).json;
    const bulk = await call(sendBulk, { key, body: { notifications: [body] } });
    const ids = [trackingId, bulk.json.results[0].trackingId];
    if (!isPaused) await pipeline.settle();
    for (const id of ids) expect(await storedOf(id)).toContain(AUTHOR);

    await call(deleteUser, { key, path: { userId: AUTHOR } });
    for (const id of ids) {
      expect(await storedOf(id)).not.toContain(AUTHOR);
      const { request, ...record } = await recordOf(account, id);
      expect(JSON.stringify(record)).not.toContain(AUTHOR);
      expect(JSON.parse(request).email).toEqual(TO_NEWS.email);
    }
    if (isPaused) pipeline.resume();
    await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
    expect(new Set(sent().map(({ userId }) => userId))).toEqual(new Set('to' in over ? [] : ['cyd']));
  },
);

it('the log of a notification that left out another keeps its list', async () => {
  const { key } = await newAccount([AUTHOR, 'bob']);
  const body = { ...TO_NEWS, to: { topic: 'news', exclude: ['bob'] } };
  const { trackingId } = (await call(send, { key, body })).json;
  await pipeline.settle();
  const before = await pipeline.database.get(headKey(trackingId));
  await call(deleteUser, { key, path: { userId: AUTHOR } });
  expect(await pipeline.database.get(headKey(trackingId))).toEqual(before);
});

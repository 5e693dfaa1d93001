import { expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { deleteExpired } from '../../support/expired-items.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

it('sends what was accepted before a pause that is longer than the retention of its log', async () => {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const type = { notificationId: 'alert', title: 'Alert', channels: ['SMS'], retention: 1 };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const saveAda = (body: object) => call(saveUser, { key, path: { userId: 'ada' }, body });
  const heldUntilMs = pipeline.clock.nowMs + 30 * MINUTE_MS;
  await saveAda({ number: '+15005551234', pausedUntil: new Date(heldUntilMs).toISOString() });
  const body = { type: 'alert', to: { id: 'ada' }, sms: { message: 'Hello' } };
  const { trackingId } = (await call(send, { key, body })).json;
  await pipeline.settle();

  const pausedUntilMs = pipeline.clock.nowMs + 30 * DAY_MS;
  await saveAda({ pausedUntil: new Date(pausedUntilMs).toISOString() });
  await pipeline.goTo(heldUntilMs + 15 * MINUTE_MS);
  await pipeline.goTo(pausedUntilMs - 1);
  await deleteExpired(pipeline);
  expect(pipeline.sentBy(account)).toEqual([]);
  await pipeline.goTo(pausedUntilMs + 15 * MINUTE_MS);
  expect(pipeline.sentBy(account).map(({ channel }) => channel)).toEqual(['SMS']);
  expect(await recordOf(account, trackingId)).toMatchObject({
    sms_routing: 'SEND',
    sms_sent_at: expect.any(String),
  });
});

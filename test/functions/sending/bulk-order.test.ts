import { expect, it } from 'vitest';
import { handler as listInapp } from '../../../functions/inapp/list-inapp.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { call } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { digestAccount, nextHour } from '../digests/setup.ts';

const pipeline = usePipeline();
const COUNT = 20;
const order = Array.from({ length: COUNT }, (_, index) => String(index).padStart(2, '0'));

it('keeps the positions of a bulk request in digests, in-app items and the list of logs', async () => {
  const account = await digestAccount(pipeline);
  const { key } = account.secret;
  const path = { notificationId: 'comment' };
  const channels = ['SMS', 'INAPP_WEB'];
  expect((await call(updateType, { key, path, body: { channels } })).status).toBe(200);
  const notifications = order.map((text) => ({
    type: 'comment',
    to: { id: 'ada', number: '+15005551234' },
    parameters: { text },
    sms: { message: '{{ text }}' },
    inapp: { title: '{{ text }}' },
  }));
  const { json } = await call(sendBulk, { key, body: { notifications } });
  const trackingIds = json.results.map((each: { trackingId: string }) => each.trackingId);
  expect(trackingIds).toEqual(trackingIds.toSorted());
  await pipeline.settle();
  const listed = (await call(listLogs, { key })).json.messages;
  expect(listed.map((each: { trackingId: string }) => each.trackingId)).toEqual(trackingIds.toReversed());
  const inbox = await call(listInapp, { key, query: { userId: 'ada', count: '50' } });
  const titles = inbox.json.notifications.map((each: { title: string }) => each.title);
  expect(titles).toEqual(order.toReversed());
  await pipeline.goTo(nextHour(pipeline));
  const [digest] = account.sent().filter(({ message }) => message.message?.includes('\n'));
  expect(digest?.message.message.split('\n')).toEqual(order);
});

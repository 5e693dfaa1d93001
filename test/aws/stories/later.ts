import { expect } from 'vitest';
import { type Account, openAccount } from '../account.ts';
import type { World } from '../world.ts';
import { EMAIL } from './sending.ts';

const OPTION = { enabled: true };
const HOURLY = {
  defaultDeliveryOption: 'hourly',
  off: OPTION,
  instant: OPTION,
  hourly: OPTION,
  daily: OPTION,
  weekly: OPTION,
  monthly: OPTION,
};
const HOUR_MS = 3_600_000;
/** Past the next hour, the last step and the end of the quiet hours. */
const HOURS = 4;

/** What is collected, follows later or is held: nothing is sent before its time, everything after the clock has moved. */
export async function dueWork(world: World): Promise<void> {
  const account = await openAccount(world, 'due-work');
  const parts = [await collected(account), await stepped(account), await held(account)];
  await world.settle();
  for (const { trackingId, sent } of parts) expect(await account.log(trackingId)).not.toHaveProperty(sent);
  world.moveClock(HOURS);
  for (const { trackingId, sent } of parts) await account.logged(trackingId, sent);
  expect(
    world.providers.awsSms.inputs().filter(({ input }) => input.MessageBody === '3 comments'),
  ).toHaveLength(1);
}

type Waiting = { trackingId: string; sent: string };

/** Three items of a digest. */
async function collected(account: Account): Promise<Waiting> {
  await account.ask('POST', '/types', {
    notificationId: 'comment',
    title: 'Comment',
    channels: ['SMS'],
    options: { SMS: HOURLY },
  });
  await account.ask('POST', '/notifications/comment/SMS/templates', {
    templateId: 'digest',
    text: '{{ _items.size }} comments',
  });
  await account.ask('PATCH', '/notifications/comment/SMS/templates/default-selection', {
    templateId: 'digest',
    modes: ['hourly'],
  });
  const to = { id: 'ada', number: '+14155550123' };
  const ids = [];
  for (const note of ['a', 'b', 'c'])
    ids.push(await account.send({ type: 'comment', to, parameters: { note } }));
  return { trackingId: ids[2] ?? '', sent: 'sms_sent_at' };
}

/** An email an hour after an in-app notification that nobody has seen. */
async function stepped(account: Account): Promise<Waiting> {
  const trackingId = await account.send({
    type: 'approval',
    to: { id: 'bob', email: 'bob@example.com' },
    inapp: { title: 'Please approve' },
    email: EMAIL,
    options: { steps: [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT1H', when: 'unseen' }] },
  });
  await account.logged(trackingId, 'inapp_sent_at');
  return { trackingId, sent: 'email_sent_at' };
}

/** An email in quiet hours that end in an hour or two. */
async function held(account: Account): Promise<Waiting> {
  const clock = (offsetMs: number) => `${new Date(Date.now() + offsetMs).toISOString().slice(11, 13)}:00`;
  await account.ask('POST', '/users/eve', {
    email: 'eve@example.com',
    timezone: 'UTC',
    quietHours: { from: clock(-HOUR_MS), to: clock(2 * HOUR_MS) },
  });
  const trackingId = await account.send({ type: 'news', to: { id: 'eve' }, email: EMAIL });
  return { trackingId, sent: 'email_sent_at' };
}

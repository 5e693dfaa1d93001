import { expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { pushProvider } from '../../../../shared/providers/push/push.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { recordOf } from '../../../support/workers.ts';

const pipeline = usePipeline();
const HOUR_MS = 3_600_000;

const sub = (name: string) => ({
  sub: { endpoint: `https://push.example.com/${name}`, keys: { p256dh: 'BA', auth: 'AA' } },
});
const fcm = (token: string) => ({ type: 'FCM', token });
const PUSH = { mobile_push: { title: 'T', message: 'M' } };
const WEB_PUSH = { web_push: { title: 'T', message: 'M' } };

async function sendTo(user: object, content: object) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const { status } = await call(saveUser, { key, path: { userId: 'ada' }, body: user });
  expect(status).toBe(200);
  const { json } = await call(send, { key, body: { type: 'news', to: { id: 'ada' }, ...content } });
  await pipeline.settle();
  const log = () => recordOf(account, json.trackingId);
  return { account, key, log, sentTo: () => pipeline.sentBy(account).map(({ to }) => to) };
}

const passing = (ms: number) => pipeline.goTo(pipeline.clock.nowMs + ms);

it.each([
  [
    'PUSH',
    { pushTokens: [fcm('phone:1'), fcm('sandbox-timeout:1')] },
    PUSH,
    ['phone:1', 'sandbox-timeout:1'],
  ],
  [
    'WEB_PUSH',
    { webPushTokens: [sub('desk'), sub('sandbox-timeout')] },
    WEB_PUSH,
    [sub('desk').sub.endpoint, sub('sandbox-timeout').sub.endpoint],
  ],
])(
  '%s reaches the second device at the next attempt, and the first one once',
  async (_, user, content, names) => {
    const { sentTo, log } = await sendTo(user, content);
    expect(sentTo()).toEqual([names]);
    const first = await log();
    expect(first.mobile_push_sent_at ?? first.web_push_sent_at).toBeDefined();
    await passing(60_000);
    expect(sentTo()).toEqual([names, names.slice(1)]);
    await passing(HOUR_MS);
    expect(sentTo()).toHaveLength(2);
    const { mobile_push_sent_at, web_push_sent_at, ...after } = await log();
    expect([mobile_push_sent_at, web_push_sent_at]).toEqual([
      first.mobile_push_sent_at,
      first.web_push_sent_at,
    ]);
    expect(after.mobile_push_failed_token ?? after.web_push_failed_token).toBeUndefined();
  },
);

it('stops once the person turned the channel off or the device is gone', async () => {
  for (const change of [
    { pushTokens: [] },
    { pausedUntil: new Date(pipeline.clock.nowMs + HOUR_MS).toISOString() },
  ]) {
    const { key, sentTo } = await sendTo({ pushTokens: [fcm('x:2'), fcm('sandbox-timeout:2')] }, PUSH);
    await call(saveUser, { key, path: { userId: 'ada' }, body: change });
    await passing(60_000);
    expect(sentTo()).toHaveLength(1);
  }
});

it('tries the remaining devices only, as often as the channel allows, and then notes the failure: none is in flight while it waits', async () => {
  const asked: string[][] = [];
  const { changeVisibility, ...others } = resolve(queues);
  const inFlight: number[] = [];
  replace(queues, () => ({
    ...others,
    changeVisibility: async (queue, handle, seconds) => {
      if (queue === 'deliver-push') inFlight.push(seconds);
      return changeVisibility(queue, handle, seconds);
    },
  }));
  replace(pushProvider, () => ({
    name: 'scripted',
    deliver: async ({ tokens }): Promise<DeliveryOutcome<'PUSH'>> => {
      asked.push(tokens.map(({ token }) => token));
      const fields = { mobile_push_failed_token: 'c', mobile_push_failed_internal: '503' };
      if (asked.length > 2) return { kind: 'retry', code: 'UNKNOWN', internal: '503', fields };
      const left = tokens.slice(1).map(({ token }) => token);
      const sent = { mobile_push_sent_token: tokens[0]?.token };
      return { kind: 'sent', fields: sent, remaining: { tokens: left, fields } };
    },
  }));
  const { log } = await sendTo({ pushTokens: ['a', 'b', 'c'].map(fcm) }, PUSH);
  for (let times = 0; times < 12; times += 1) await passing(HOUR_MS / 4);
  expect(inFlight).toEqual([]);
  expect(asked).toEqual([['a', 'b', 'c'], ['b', 'c'], ...Array.from({ length: 8 }, () => ['c'])]);
  expect(await log()).toMatchObject({
    mobile_push_sent_token: 'a',
    mobile_push_failed_token: 'c',
    mobile_push_failed_internal: '503',
  });
  expect((await log()).mobile_push_failed_at).toBeUndefined();
});

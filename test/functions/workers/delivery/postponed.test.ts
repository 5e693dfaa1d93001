import { beforeEach, describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { handler as deliverWebPush } from '../../../../functions/workers/delivery/deliver-web-push.ts';
import { handler as makeReady } from '../../../../functions/workers/due/make-ready.ts';
import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../../../shared/messaging/queues-port.ts';
import { RECEIVES_MAX } from '../../../../shared/messaging/receives.ts';
import { webPushProvider } from '../../../../shared/providers/push/push.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { recordOf, sqsEvent, withSettings } from '../../../support/workers.ts';

const PUSH_QUEUE = 'deliver-web-push';
const failure = { code: 'UNKNOWN', internal: 'push service: it keeps failing' } as const;
const resting: DeliveryOutcome<'WEB_PUSH'> = { kind: 'postponed', afterSeconds: 300, failure };
const outage: DeliveryOutcome<'WEB_PUSH'> = { kind: 'retry', code: 'UNKNOWN', internal: 'HTTP 503' };

const app = useApp();
const account = useAccount(app);
let sent: (QueueMessage & { queue: string })[];
let calls: number[];
let waits: number[];
beforeEach(() => {
  sent = [];
  calls = [];
  waits = [];
  replace(queues, () => ({
    send: async (queue, messages) => {
      sent.push(...messages.map((message) => ({ ...message, queue })));
      return [];
    },
    changeVisibility: async (_queue, _handle, seconds) => {
      waits.push(seconds);
    },
    countWaiting: async () => 0,
  }));
});

function responses(next: () => DeliveryOutcome<'WEB_PUSH'>) {
  replace(webPushProvider, () => ({
    name: 'scripted',
    deliver: async ({ attempt }) => {
      const outcome = next();
      if (outcome.kind !== 'postponed') calls.push(attempt);
      return outcome;
    },
  }));
}

async function accepted(): Promise<string> {
  const sub = { endpoint: 'https://push.example/1', keys: { p256dh: 'BA', auth: 'AA' } };
  const webPushTokens = [{ sub }];
  const { key } = account.secret;
  await call(saveUser, { key, path: { userId: 'ada' }, body: { webPushTokens } });
  const body = { type: 'reminder', to: { id: 'ada' }, web_push: { title: 'T', message: 'M' } };
  return (await call(send, { key, body })).json.trackingId;
}

async function receive(body: unknown, attempt = 1) {
  const { batchItemFailures } = await deliverWebPush(sqsEvent({ body, attempt, id: 'm' }));
  return batchItemFailures.length;
}

/** Lets the postponed delivery come back as a new message, whose body is returned. */
async function comeBack(): Promise<{ body: unknown; id: string | undefined; waited: number | undefined }> {
  const [due] = sent.splice(0);
  expect(due).toMatchObject({ queue: 'make-ready' });
  app.clock.nowMs += (due?.delaySeconds ?? 0) * 1000;
  await makeReady(sqsEvent({ body: JSON.parse(due?.body ?? ''), attempt: 1, id: 'd' }));
  const [again] = sent.splice(0);
  // A long wait goes on as a copy.
  if (again?.queue === 'make-ready') {
    sent.push(again);
    return comeBack();
  }
  expect(again).toMatchObject({ queue: PUSH_QUEUE });
  return { body: JSON.parse(again?.body ?? ''), id: again?.deduplicationId, waited: due?.delaySeconds };
}

describe('a wait for which a provider asks', () => {
  it.each([
    [10, 1, undefined],
    [11, 0, 11],
    [60, 0, 60],
  ])(
    'of %i s keeps %i messages in flight, and is an attempt',
    async (afterSeconds, inFlight, delaySeconds) => {
      const trackingId = await accepted();
      responses(() => ({ ...outage, afterSeconds }));
      expect(await receive({ trackingId })).toBe(inFlight);
      expect(sent.map((message) => message.delaySeconds)).toEqual(delaySeconds ? [delaySeconds] : []);
      if (inFlight > 0) return;
      for (let attempt = 2; attempt <= 4; attempt += 1) await receive((await comeBack()).body);
      expect(calls).toEqual([1, 2, 3, 4]);
    },
  );
});

describe('a delivery that is postponed without a provider call', () => {
  it('uses up neither receives nor attempts, however often it is postponed', async () => {
    const trackingId = await accepted();
    let waits = 40;
    responses(() => (waits-- > 0 ? { kind: 'postponed', afterSeconds: 2 } : { kind: 'sent', fields: {} }));
    let body: unknown = { trackingId };
    const ids = new Set<unknown>();
    const delays: number[] = [];
    for (let round = 0; round < 40; round += 1) {
      expect(await receive(body)).toBe(0);
      const again = await comeBack();
      body = again.body;
      ids.add(again.id);
      delays.push(again.waited ?? 0);
    }
    expect(ids.size).toBe(40);
    expect([delays[0], Math.max(...delays)]).toEqual([2, expect.toSatisfy((longest) => longest <= 60)]);
    expect(await receive(body)).toBe(0);
    expect(calls).toEqual([1]);
    expect((await recordOf(account, trackingId)).web_push_sent_at).toBeDefined();
  });

  it('stops going around after 14 days: its receives count, until it is a dead letter', async () => {
    const trackingId = await accepted();
    responses(() => ({ kind: 'postponed', afterSeconds: 3600 }));
    await receive({ trackingId });
    const { body } = await comeBack();
    app.clock.nowMs += 14 * 86_400_000 - 3_601_000;
    expect([await receive(body), sent.length]).toEqual([0, 1]);
    sent = [];
    app.clock.nowMs += 3_601_000;
    expect([await receive(body), sent.length]).toEqual([1, 0]);
    // All receives fit into the 14 days that SQS keeps it.
    expect(Math.max(...waits) * RECEIVES_MAX).toBeLessThan(14 * 86_400);
  });

  it('keeps counting provider calls between postponements, including calls with a lost outcome', async () => {
    const trackingId = await accepted();
    const script = [outage, outage, resting, outage, resting];
    responses(() => script.shift() ?? { kind: 'sent', fields: {} });
    await receive({ trackingId }, 1);
    await receive({ trackingId }, 2);
    await receive({ trackingId }, 3);
    const first = await comeBack();
    expect(await receive(first.body, 1)).toBe(1);
    await receive(first.body, 2);
    const second = await comeBack();
    await receive(second.body, 1);
    expect(calls).toEqual([1, 2, 3, 4]);
    expect((await recordOf(account, trackingId)).web_push_sent_at).toBeDefined();
  });

  it('fails after an hour of unavailable hosts, with their failure instead of as a dead letter', async () => {
    const trackingId = await accepted();
    responses(() => resting);
    let body: unknown = { trackingId };
    let rounds = 0;
    for (; rounds < 20; rounds += 1) {
      await receive(body);
      if (sent.length === 0) break;
      body = (await comeBack()).body;
    }
    expect(rounds).toBe(12);
    expect(calls).toEqual([]);
    expect(await recordOf(account, trackingId)).toMatchObject({
      web_push_failed_code: 'UNKNOWN',
      web_push_failed_internal: failure.internal,
    });
  });

  it('waits on its own queue when the due queue does not accept it', async () => {
    const trackingId = await accepted();
    responses(() => resting);
    replace(queues, () => ({
      send: async () => [0],
      changeVisibility: async () => {},
      countWaiting: async () => 0,
    }));
    expect(await receive({ trackingId })).toBe(1);
  });

  it('waits when it was postponed before a restore, and resumes when postponed after it', async () => {
    const trackingId = await accepted();
    responses(() => resting);
    await receive({ trackingId });
    const RESTORED_UNTIL = new Date(app.clock.nowMs).toISOString();
    const [due] = sent.splice(0);
    app.clock.nowMs += (due?.delaySeconds ?? 0) * 1000;
    await withSettings({ RESTORED_UNTIL }, async () => {
      const { batchItemFailures } = await makeReady(sqsEvent({ body: due?.body ?? '' }));
      expect([batchItemFailures, sent]).toEqual([[], []]);
      await receive({ trackingId });
      await comeBack();
    });
  });
});

import { expect, it } from 'vitest';
import { turnMessage } from '../../../../functions/workers/delivery/waiting/postpone.ts';
import { shares } from '../../../../functions/workers/delivery/waiting/shares.ts';
import { handler as dispatch } from '../../../../functions/workers/dispatch/dispatch.ts';
import { handler as makeReady } from '../../../../functions/workers/due/make-ready.ts';
import { CHANNEL_QUEUES, DUE_QUEUE } from '../../../../shared/messaging/queue-names.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../../../shared/messaging/queues-port.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { useApp } from '../../../support/use-app.ts';
import { deliver, withSettings } from '../../../support/workers.ts';

const app = useApp();

const record = (index: number, accountId: string) => ({
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: String(index),
    NewImage: {
      ...{
        pk: { S: `LOG#${accountId}-${index}` },
        sk: { S: 'HEAD' },
        trackingId: { S: `${accountId}-${index}` },
      },
      ...{ a: { S: accountId }, e: { S: 'e' }, u: { S: 'u' }, n: { S: 'news' }, state: { S: 'accepted' } },
      ...{ at: { N: String(app.clock.nowMs) }, expiresAt: { N: '4000000000' } },
      routes: { M: { EMAIL: { M: { r: { S: 'SEND' } } } } },
    },
  },
});

it('a backlog of one account waits on the due queue until its turns, and another account passes it', async () => {
  const sent: (QueueMessage & { queue: string })[] = [];
  let waiting = 1000;
  replace(queues, () => ({
    send: async (queue, messages) => {
      sent.push(...messages.map((message) => ({ ...message, queue })));
      return [];
    },
    changeVisibility: async () => {},
    countWaiting: async () => waiting,
  }));
  const settings = { EMAIL_PROVIDER: 'ses', EMAIL_PER_SECOND: '10' };
  await withSettings(settings, async () => {
    const busy = Array.from({ length: 50 }, (_, index) => record(index, 'busy'));
    await dispatch({ Records: busy } as never);
    await dispatch({ Records: [record(0, 'single')] } as never);
    const direct = sent
      .filter(({ queue }) => queue === CHANNEL_QUEUES.EMAIL)
      .map(({ body }) => JSON.parse(body));
    expect(direct.map(({ trackingId }) => trackingId)).toEqual(['busy-0', 'single-0']);
    const later = sent.filter(({ queue }) => queue === DUE_QUEUE).map(({ body }) => JSON.parse(body));
    expect(later).toHaveLength(49);
    // A turn every 111 ms: nine tenths of the rate.
    expect(later.at(-1).dueAtMs - later[0].dueAtMs).toBeCloseTo(48 * 111, -2);
    sent.length = 0;
    const last = later.at(-1);
    app.clock.nowMs = last.dueAtMs;
    await deliver(makeReady, last);
    expect(sent.map(({ queue }) => queue)).toEqual([DUE_QUEUE]);
    waiting = 0;
    app.clock.nowMs += 5000;
    const again = JSON.parse(sent[0]?.body ?? '{}');
    await deliver(makeReady, { ...again, dueAtMs: app.clock.nowMs });
    expect(sent.at(-1)?.queue).toBe(CHANNEL_QUEUES.EMAIL);
    sent.length = 0;
    // Longer than the due queue keeps a message: passed on, not held in flight.
    await deliver(makeReady, { ...again, dueAtMs: app.clock.nowMs + 2_000_000 });
    expect(sent).toMatchObject([{ queue: DUE_QUEUE, delaySeconds: 900 }]);
  });
});

it('the sandbox has no scarce rate', async () => {
  const { resolve } = await import('../../../../shared/runtime/dependency.ts');
  const list = Array.from({ length: 50 }, () => ({ accountId: 'a', isUrgent: false }));
  await withSettings({ EMAIL_PROVIDER: 'sandbox' }, async () => {
    const turns = await resolve(shares).turnsOf({} as never, 'EMAIL', list, app.clock.nowMs);
    expect(new Set(turns)).toEqual(new Set([undefined]));
  });
});

it('keeps what a caller decided about a message that waits for its turn', () => {
  const ready = { trackingId: 't', channel: 'EMAIL', routing: 'SEND', isReleased: true } as const;
  const { message } = turnMessage(ready, app.clock.nowMs + 5000, app.clock.nowMs);
  expect(JSON.parse(message.body)).toMatchObject({ again: { trackingId: 't', isReleased: true } });
});

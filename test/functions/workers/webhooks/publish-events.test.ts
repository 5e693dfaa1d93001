import { beforeEach, expect, it } from 'vitest';
import { handler } from '../../../../functions/workers/webhooks/publish-events.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import type { EventItem } from '../../../../shared/database/entities/logs/log-items.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { eventBus } from '../../../../shared/messaging/event-bus.ts';
import type { BusEvent } from '../../../../shared/messaging/event-bus-port.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { useApp } from '../../../support/use-app.ts';
import { deliver, deliverMessages } from '../../../support/workers.ts';

let published: BusEvent[];
let refuses: (event: BusEvent) => boolean;
let waits: number[];
useApp();
beforeEach(() => {
  published = [];
  waits = [];
  refuses = () => false;
  replace(eventBus, () => ({
    async put(events) {
      const refused = events.flatMap((event, index) => (refuses(event) ? [index] : []));
      published.push(...events.filter((event) => !refuses(event)));
      return refused;
    },
  }));
  replace(queues, () => ({
    send: async (_queue, messages) => {
      waits.push(...messages.map(({ delaySeconds = 0 }) => delaySeconds));
      return [];
    },
    changeVisibility: async (_queue, _handle, seconds) => void waits.push(seconds),
    countWaiting: async () => 0,
  }));
});

function callOf(trackingId: string, over: Partial<EventItem> = {}) {
  const [call] = raisedCallsOf({
    kind: 'event',
    trackingId,
    accountId: 'account-1',
    environmentId: 'environment-1',
    userId: 'ada',
    notificationId: 'welcome',
    channel: 'EMAIL',
    stage: 'delivered',
    atMs: Date.UTC(2026, 10, 22, 10),
    fields: {},
    expiresAtSeconds: 4_000_000_000,
    ...over,
  } as EventItem);
  if (!call) throw new Error('the event raises no call');
  return call;
}

it('publishes the body of a webhook call, with the event as type and its owners as resources', async () => {
  const call = callOf('t1');
  expect(await deliver(handler, call)).toEqual([]);
  expect(published).toEqual([
    {
      detailType: 'EMAIL_DELIVERED',
      resources: ['account/account-1', 'environment/environment-1'],
      detail: call.body,
      atMs: Date.UTC(2026, 10, 22, 10),
    },
  ]);
});

it('publishes again only the events that the bus rejected, at growing intervals', async () => {
  refuses = ({ detail }) => JSON.parse(detail).trackingId === 't2';
  const calls = ['t1', 't2', 't3'].map((trackingId) => ({ body: callOf(trackingId), attempt: 1 }));
  expect(await deliverMessages(handler, ...calls)).toEqual(['m1']);
  expect(published.map(({ detail }) => JSON.parse(detail).trackingId)).toEqual(['t1', 't3']);
  await deliverMessages(handler, { body: callOf('t2'), attempt: 5 });
  await deliverMessages(handler, { body: callOf('t2'), attempt: 19 });
  expect(waits).toEqual([5, 80, 900]);
});

it('keeps every event while the bus is unavailable', async () => {
  replace(eventBus, () => ({ put: () => Promise.reject(new Error('no connection')) }));
  expect(await deliver(handler, callOf('t1'), callOf('t2'))).toEqual(['m0', 'm1']);
});

it('shortens the texts of an inbound message that EventBridge would reject', async () => {
  // A control character takes six bytes in JSON.
  const text = '\u0001'.repeat(20_000);
  const call = callOf('t1', {
    stage: 'inbound',
    message: { from: 'bob@example.com', bodyText: text, bodyHtml: text },
  } as Partial<EventItem>);
  expect(Buffer.byteLength(call.body)).toBeGreaterThan(256 * 1024);
  await deliver(handler, call);
  const [event] = published;
  expect(Buffer.byteLength(event?.detail ?? '')).toBeLessThan(256 * 1024);
  const { data, bodyText, from } = JSON.parse(event?.detail ?? '{}');
  expect([from, bodyText.length, data.bodyText]).toEqual(['bob@example.com', 8192, bodyText]);
});

it('fails alone when its content cannot be read', async () => {
  replace(logs, () => ({ findHead: () => Promise.reject(new Error('not available')) }) as never);
  const digest = { ...callOf('t2'), isDigest: true };
  expect(await deliver(handler, callOf('t1'), digest, callOf('t3'))).toEqual(['m1']);
  expect(published.map(({ detail }) => JSON.parse(detail).trackingId)).toEqual(['t1', 't3']);
});

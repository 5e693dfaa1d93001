import { expect } from 'vitest';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { createPipeline } from '../../support/pipeline.ts';
import { later, use } from '../../support/use-started.ts';
import { deliver, recordOf } from '../../support/workers.ts';

export const pipeline = later(createPipeline);

export const MINUTE_MS = 60_000;
const STEPS = [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT30M', when: 'always' }];
const CONTENT = { inapp: { title: 'Hello' }, email: { subject: 'Hello', html: '<p>Hello</p>' } };

export async function stepping(type: object = {}, user: object = {}) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const channels = ['INAPP_WEB', 'EMAIL', 'SMS'];
  const body = { notificationId: 'alert', title: 'Alert', channels, steps: STEPS, ...type };
  expect((await call(createType, { key, body })).status).toBe(200);
  const profile = { email: 'ada@example.com', number: '+15005551234', ...user };
  expect((await call(saveUser, { key, path: { userId: 'ada' }, body: profile })).status).toBe(200);
  const notification = { type: 'alert', to: { id: 'ada' }, ...CONTENT };
  return {
    async send(more: object = {}): Promise<string> {
      const { json } = await call(send, { key, body: { ...notification, ...more } });
      await pipeline.settle();
      return json.trackingId;
    },
    async sendTwo(): Promise<string[]> {
      const { json } = await call(sendBulk, { key, body: { notifications: [notification, notification] } });
      await pipeline.settle();
      return json.results.map(({ trackingId }: { trackingId: string }) => trackingId);
    },
    see: (trackingId: string) =>
      call(markInapp, { key, query: { userId: 'ada' }, body: { trackingIds: [trackingId], opened: true } }),
    log: (trackingId: string) => recordOf(account, trackingId),
    sent: (trackingId: string) =>
      pipeline.outbox
        .filter((each) => each.trackingId === trackingId && each.outcome === 'sent')
        .map(({ channel }) => channel),
    all: () => pipeline.sentBy(account).map(({ channel }) => channel),
  };
}

export const passing = (minutes: number) => pipeline.goTo(pipeline.clock.nowMs + minutes * MINUTE_MS);
/** Returns the message that the sweeper would enqueue for a notification, twice. */
export const dueTwice = (trackingId: string) => {
  const body = { pk: logPk(trackingId), dueAtMs: pipeline.clock.nowMs };
  return Promise.all([deliver(makeReady, body), deliver(makeReady, body)]);
};

/** Starts this set-up for the tests of a file. */
export function useStepPipeline(): void {
  use(pipeline);
}

import { expect } from 'vitest';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { createPipeline } from '../../support/pipeline.ts';
import { later, use } from '../../support/use-started.ts';
import { recordOf } from '../../support/workers.ts';

export const pipeline = later(createPipeline);
export const STEPS = [
  { channels: ['INAPP_WEB'] },
  { channels: ['EMAIL'], after: 'PT30M', when: 'unseen' },
  { channels: ['SMS'], after: 'PT2H', when: 'undelivered' },
];
const CONTENT = {
  inapp: { title: 'Hello' },
  email: { subject: 'Hello', html: '<p>Hello</p>' },
  sms: { message: 'Hello' },
  call: { message: 'Hello' },
};

export async function stepsAccount(steps: unknown = STEPS, to: object = {}, more: readonly string[] = []) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const channels = ['INAPP_WEB', 'EMAIL', 'SMS', ...more];
  const type = { notificationId: 'alert', title: 'Alert', channels, ...(steps ? { steps } : {}) };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const user = { id: 'ada', email: 'ada@example.com', number: '+15005551234', ...to };
  return {
    ...account,
    key,
    request: (body: object = {}, query: Record<string, string> = {}) =>
      call(send, { key, query, body: { type: 'alert', to: user, ...CONTENT, ...body } }),
    async send(body: object = {}): Promise<string> {
      const { status, json } = await this.request(body);
      expect([status, json.error]).toEqual([200, undefined]);
      await pipeline.settle();
      return json.trackingId;
    },
    log: (trackingId: string) => recordOf(account, trackingId),
    see: (trackingId: string) =>
      call(markInapp, {
        key,
        query: { userId: 'ada' },
        body: { trackingIds: [trackingId], opened: new Date(pipeline.clock.nowMs).toISOString() },
      }),
    cancel: (trackingId: string) => call(cancelScheduled, { key, path: { trackingId } }),
    sent: () => pipeline.sentBy(account).map(({ channel }) => channel),
  };
}

/** Starts this set-up for the tests of a file. */
export function useSteps(): void {
  use(pipeline);
}

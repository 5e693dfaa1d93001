import { handler as send } from '../../../../functions/sending/send.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, type TestAccount } from '../../../support/app.ts';
import type { Pipeline } from '../../../support/pipeline.ts';

export const MINUTE_MS = 60_000;

export const iso = (ms: number) => new Date(ms).toISOString();

/** Helpers for tests of redrive on a pipeline. */
export function redriving(pipeline: Pipeline) {
  return {
    /**
     * Happens, and runs but for the sweeper, while messages are lost on their way to the queue, or to every queue, as
     * when the stream's record is lost.
     */
    async whileLost<T>(happening: () => Promise<T>, queue?: string): Promise<T> {
      const real = resolve(queues);
      replace(queues, () => ({
        ...real,
        send: async (to, messages) => (queue === undefined || queue === to ? [] : real.send(to, messages)),
      }));
      try {
        const result = await happening();
        await pipeline.settle({ sweep: false });
        return result;
      } finally {
        replace(queues, () => real);
      }
    },
    async sendSms({ secret }: TestAccount, body: object = {}): Promise<string> {
      const sms = { type: 'news', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Hello' } };
      const { status, json } = await call(send, { key: secret.key, body: { ...sms, ...body } });
      if (status !== 200) throw new Error(`the send was refused: ${JSON.stringify(json)}`);
      return json.trackingId;
    },
    /** Everything accepted in the last `minutes` minutes. */
    last: (minutes: number) => ({
      from: iso(pipeline.clock.nowMs - minutes * MINUTE_MS),
      to: iso(pipeline.clock.nowMs + 1),
    }),
    sentOf: (trackingId: string) => pipeline.outbox.filter((each) => each.trackingId === trackingId),
    /** Moves the clock without running anything; after ten minutes, queues no longer drop duplicates. */
    later(minutes: number): void {
      pipeline.clock.nowMs += minutes * MINUTE_MS;
    },
  };
}

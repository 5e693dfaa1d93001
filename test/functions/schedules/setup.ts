import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { call, type TestAccount } from '../../support/app.ts';
import type { Pipeline } from '../../support/pipeline.ts';

/** What a test sends unless it says otherwise: one text message. */
export const SMS = { type: 'reminder', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Soon' } };

/** Calls of one account, by its secret key. */
export function scheduling(pipeline: Pipeline, account: TestAccount) {
  const { key } = account.secret;
  return {
    send: (body: object, query: Record<string, string> = {}) =>
      call(send, { key, query, body: { ...SMS, ...body } }),
    async sendAt(dueAtMs: number, body: object = {}): Promise<string> {
      const schedule = new Date(dueAtMs).toISOString();
      const { status, json } = await call(send, { key, body: { ...SMS, ...body, schedule } });
      if (status !== 200) throw new Error(`the notification was not accepted: ${JSON.stringify(json)}`);
      return json.trackingId;
    },
    put: (trackingId: string, body: object) => call(reschedule, { key, path: { trackingId }, body }),
    cancel: (trackingId: string) => call(cancelScheduled, { key, path: { trackingId } }),
    async log(trackingId: string) {
      return (await call(getLogs, { key, path: { trackingIds: trackingId } })).json.logs[0];
    },
    async list() {
      return (await call(listLogs, { key })).json.messages;
    },
    /** The texts of the text messages that went out for a notification. */
    texts: (trackingId: string) =>
      pipeline.outbox
        .filter((each) => each.trackingId === trackingId)
        .map(({ message }) => (message as { message: string }).message),
    sentAtMs: (trackingId: string) =>
      pipeline.outbox.filter((each) => each.trackingId === trackingId).map(({ atMs }) => atMs),
  };
}

import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { inLanes } from '../../support/lanes.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

/** The default request of a test: one text message. */
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
    /** Accepts one notification for each time: the first by the endpoint, the others as copies of what it stored. */
    async acceptAll([firstAtMs = 0, ...times]: readonly number[], body: object = {}): Promise<string[]> {
      const { nowMs } = pipeline.clock;
      const first = await this.sendAt(firstAtMs, body);
      const head = await resolve(logs).findHead(first, nowMs);
      if (!head) throw new Error('the first notification is not stored');
      const copies = await inLanes(times, async (scheduledForMs) => {
        const trackingId = newTrackingId(nowMs);
        await resolve(logs).accept({ ...head, trackingId, scheduledForMs }, { feedShards: 1, ...head });
        return trackingId;
      });
      return [first, ...copies];
    },
    put: (trackingId: string, body: object) => call(reschedule, { key, path: { trackingId }, body }),
    cancel: (trackingId: string) => call(cancelScheduled, { key, path: { trackingId } }),
    log: (trackingId: string) => recordOf(account, trackingId),
    /** The ids of the notification types, in order. */
    async types(): Promise<string[]> {
      const { json } = await call(listTypes, { key });
      return json.map((type: { notificationId: string }) => type.notificationId).sort();
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

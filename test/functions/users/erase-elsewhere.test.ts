import { beforeAll, describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { carriers } from '../../../shared/database/entities/usage/carriers.ts';
import { webhookCallKey } from '../../../shared/database/keys/environment.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import { carrierKey } from '../../../shared/database/keys/phone.ts';
import type { GuardedResponse } from '../../../shared/http-client/guarded-client.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { guardedClient } from '../../../shared/providers/clients/http-clients.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { WEBHOOK_EVENTS } from '../../../shared/schemas/logs/webhook.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { deliverCalls, dispatchItem, takeMessages } from '../workers/webhooks/receiver.ts';

const NUMBER = '+12025550123';
const FORMER_NUMBER = '+12025550124';
const WEEK_MS = 7 * 86_400_000;

const app = useApp();
const account = useAccount(app, 'test');
/** Bodies of the requests that the webhook's receiver got; it fails each of them. */
let received: string[];
beforeAll(() => {
  received = [];
  replace(guardedClient, () => ({
    async request({ body }): Promise<GuardedResponse> {
      received.push(String(body));
      return {
        ...{ kind: 'response', status: 500, headers: {}, body: Buffer.alloc(0) },
        ...{ truncated: false, durationMs: 1 },
      };
    },
  }));
});

const eraseAda = ({ secret }: TestAccount) => call(deleteUser, { key: secret.key, path: { userId: 'ada' } });

describe('the erasure of a user', () => {
  it("deletes the carrier lookups of their numbers, including former numbers, and nobody else's", async () => {
    const { key } = account.secret;
    for (const number of [FORMER_NUMBER, NUMBER]) {
      await call(saveUser, { key, path: { userId: 'ada' }, body: { number } });
      await call(send, { key, body: { type: 't', to: { id: 'ada' }, sms: { message: 'M' } } });
    }
    const other = '+12025550125';
    for (const number of [NUMBER, FORMER_NUMBER, other]) {
      await resolve(carriers).put(number, { name: 'Carrier' }, app.clock.nowMs + WEEK_MS);
    }
    app.clock.nowMs += WEEK_MS;
    await eraseAda(account);
    const left = [NUMBER, FORMER_NUMBER, other].map((number) => app.database.get(carrierKey(number)));
    expect((await Promise.all(left)).map((item) => item !== undefined)).toEqual([false, false, true]);
  });

  /** An email that failed at acceptance, and the message that makes the webhook's call about it. */
  async function failedEmail(account: TestAccount): Promise<{ trackingId: string; calls: QueueMessage[] }> {
    const { key } = account.secret;
    await call(saveWebhook, { key, body: { webhook: 'https://hooks.example.com/', events: WEBHOOK_EVENTS } });
    await call(saveUser, { key, path: { userId: 'ada' }, body: { email: 'ada@example.com' } });
    const body = { type: 't', to: { id: 'ada' }, email: { subject: 'S' } };
    const { trackingId } = (await call(send, { key, body })).json;
    takeMessages(app);
    return { trackingId, calls: await dispatchItem(app, headKey(trackingId)) };
  }

  it('deletes webhook calls that wait in the table for their next attempt', async () => {
    let { calls } = await failedEmail(account);
    const { id } = JSON.parse(calls[0]?.body ?? '{}');
    for (let attempt = 1; calls.length > 0; attempt += 1) {
      expect(attempt).toBeLessThan(10);
      calls = await deliverCalls(app, calls);
    }
    expect(JSON.stringify(await app.database.get(webhookCallKey(id)))).toContain('ada');
    app.clock.nowMs += WEEK_MS;
    await eraseAda(account);
    expect(await app.database.get(webhookCallKey(id))).toBeUndefined();
  });

  it('drops webhook calls that wait in the queue and raises no new ones', async () => {
    const { trackingId, calls } = await failedEmail(account);
    const retries = await deliverCalls(app, calls);
    expect(retries).toHaveLength(3);
    app.clock.nowMs += WEEK_MS;
    await eraseAda(account);
    received.length = 0;
    expect(await deliverCalls(app, retries)).toEqual([]);
    expect(await dispatchItem(app, headKey(trackingId), 'MODIFY')).toEqual([]);
    expect(received).toEqual([]);
  });
});

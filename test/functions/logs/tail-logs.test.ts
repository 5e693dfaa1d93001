import { describe, expect, it } from 'vitest';
import { handler as tailLogs } from '../../../functions/logs/tail-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { call, createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

async function sendAt(account: TestAccount, atMs: number): Promise<string> {
  app.clock.nowMs = atMs;
  const body = { type: 't', to: { id: 'ada' }, inapp: { title: 'T' } };
  return (await call(send, { key: account.secret.key, body })).json.trackingId;
}

describe('GET /logs/tail', () => {
  it('returns complete records of the last hundred notifications, newest first', async () => {
    const account = await createTestAccount(app);
    expect((await call(tailLogs, { key: account.secret.key })).json).toEqual({ logs: [] });
    const ids: string[] = [];
    for (let index = 0; index < 103; index += 1) ids.unshift(await sendAt(account, START_MS + index * 10));
    const { status, json } = await call(tailLogs, { key: account.secret.key });
    expect(status).toBe(200);
    expect(json.logs.map((log: { trackingId: string }) => log.trackingId)).toEqual(ids.slice(0, 100));
    expect(json.logs[0]).toMatchObject({ type: 't', user_id: 'ada', inapp_routing: 'SEND' });
  });
});

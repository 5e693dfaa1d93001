import { describe, expect, it } from 'vitest';
import { handler as listCalls } from '../../../../functions/webhooks/list-webhook-calls.ts';
import { handler as resendCall } from '../../../../functions/webhooks/resend-webhook-call.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as testWebhook } from '../../../../functions/webhooks/test-event-webhook.ts';
import { webhookHistory } from '../../../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../../../shared/database/entities/webhooks/webhooks.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import type { MadeCall } from '../../../../shared/schemas/logs/webhook.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useStarted } from '../../../support/use-started.ts';
import { accountWithWebhook, app, attemptsOf, opened, receiver, useWebhooks } from './call-setup.ts';
import { deliverCalls, takeMessages } from './receiver.ts';

useWebhooks();
const account = useStarted(async () => (await accountWithWebhook()).account, 'test');

const DAY_MS = 86_400_000;

const list = async ({ secret }: TestAccount, query: Record<string, string> = {}) =>
  call(listCalls, { key: secret.key, query });
const callsOf = async (account: TestAccount, query?: Record<string, string>): Promise<MadeCall[]> =>
  (await list(account, query)).json.calls;
const resend = ({ secret }: TestAccount, callId: string) =>
  call(resendCall, { key: secret.key, path: { callId } });

/** An event whose call got these statuses; returns the messages that result. */
async function called(account: TestAccount, ...statuses: number[]) {
  receiver.replies.push(...statuses.map((status) => ({ status })));
  const { trackingId, messages } = await opened(account);
  let next = messages;
  for (const _ of statuses) next = await deliverCalls(app, next);
  return { trackingId, next };
}

describe('GET /webhooks/calls', () => {
  it('lists each call with its attempts and its outcome, newest first', async () => {
    const first = await called(account, 500, 503, 200);
    app.clock.nowMs += 1000;
    const second = await called(account, 500);
    app.clock.nowMs += 1000;
    const third = await called(account, 410);
    const calls = await callsOf(account);
    expect(calls.map(({ trackingId, outcome }) => [trackingId, outcome])).toEqual([
      [third.trackingId, 'failed'],
      [second.trackingId, 'waiting'],
      [first.trackingId, 'delivered'],
    ]);
    expect(calls[2]).toMatchObject({
      eventType: 'EMAIL_OPEN',
      webhookMessageId: receiver.received[0]?.headers['webhook-id'],
      at: new Date(app.clock.nowMs - 2000).toISOString(),
      attempts: [
        { attempt: 1, status: 500 },
        { attempt: 2, status: 503 },
        { attempt: 3, status: 200 },
      ],
    });
    expect((await attemptsOf(account)).map(({ status }: { status: number }) => status).sort()).toEqual([
      200, 410, 500, 500, 503,
    ]);
  });

  it('filters by event, outcome and time, with a cursor of these filters only', async () => {
    const startMs = app.clock.nowMs;
    await called(account, 200);
    await call(testWebhook, { key: account.secret.key, body: { eventType: 'SMS_FAILED' } });
    receiver.replies.push({ status: 500 });
    app.clock.nowMs += 60_000;
    await deliverCalls(app, takeMessages(app));
    const outcomes = async (query: Record<string, string>) =>
      (await callsOf(account, query)).map(({ eventType, outcome }) => `${eventType} ${outcome}`);
    expect(await outcomes({})).toEqual(['SMS_FAILED failed', 'EMAIL_OPEN delivered']);
    expect(await outcomes({ event: 'SMS_FAILED' })).toEqual(['SMS_FAILED failed']);
    expect(await outcomes({ outcome: 'delivered' })).toEqual(['EMAIL_OPEN delivered']);
    expect(await outcomes({ outcome: 'failed', event: 'EMAIL_OPEN' })).toEqual([]);
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(await outcomes({ from: iso(startMs + 1) })).toEqual(['SMS_FAILED failed']);
    expect(await outcomes({ to: iso(startMs) })).toEqual(['EMAIL_OPEN delivered']);
    const { json } = await list(account, { limit: '1' });
    const other = await list(account, { limit: '1', cursor: json.nextCursor, outcome: 'failed' });
    expect([other.status, other.json.error?.code]).toEqual([400, 'INVALID_CURSOR']);
    const second = await list(account, { limit: '1', cursor: json.nextCursor });
    expect(second.json.calls).toHaveLength(1);
    expect(second.json).not.toHaveProperty('nextCursor');
  });

  it.each([1, 7, 100])('pages through all partitions in pages of %d without a gap', async (limit) => {
    const webhook = await resolve(webhooks).find({ ...account.environment });
    if (!webhook) throw new Error('no webhook');
    const ids = Array.from({ length: 60 }, (_, index) => `msg_${String(index).padStart(3, '0')}`);
    for (const [index, id] of ids.entries()) {
      // Some at the same time.
      const nowMs = app.clock.nowMs + Math.floor(index / 3) * 10;
      const attempt = { attempt: 1, status: 200, ms: 1, at: new Date(nowMs).toISOString() };
      const recorded = { id, eventType: 'EMAIL_OPEN' } as const;
      await resolve(webhookHistory).record(webhook, recorded, { attempt, outcome: 'delivered', nowMs });
    }
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await list(account, { limit: String(limit), ...(cursor ? { cursor } : {}) });
      found.push(...json.calls.map((each: MadeCall) => each.webhookMessageId));
      cursor = json.nextCursor;
    } while (cursor);
    expect(found).toEqual(ids.toReversed());
  });

  it.each([
    ['event', 'NOTHING'],
    ['outcome', 'lost'],
    ['from', 'yesterday'],
    ['to', '2027-02-30'],
  ])('rejects %s=%s', async (name, value) => {
    const { status, json } = await list(account, { [name]: value });
    expect([status, json.error.code, json.error.errors[0].path]).toEqual([
      400,
      'INVALID_REQUEST',
      `query.${name}`,
    ]);
    const reversed = await list(account, { from: '2027-02-02', to: '2027-02-01' });
    expect(reversed.json.error.errors[0].path).toBe('query.to');
  });

  it('belongs to the environment: others see nothing, and one without a webhook has none', async () => {
    await called(account, 200);
    const stranger = await accountWithWebhook();
    expect(await callsOf(stranger.account)).toEqual([]);
    const [made] = await callsOf(account);
    const theirs = await resend(stranger.account, made?.callId ?? '');
    expect(theirs.json.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await list(await createTestAccount(app))).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('keeps a call for 30 days, in one item', async () => {
    await called(account, 500, 200);
    const [made] = await callsOf(account);
    const webhook = await resolve(webhooks).find({ ...account.environment });
    const items = await Promise.all(
      Array.from({ length: 16 }, (_, shard) =>
        app.database.queryAll(`WEBHOOKATTEMPTS#${webhook?.environmentId}#${webhook?.webhookId}#${shard}`, ''),
      ),
    );
    expect(items.flat()).toHaveLength(1);
    const expiresAtMs = Number(items.flat()[0]?.expiresAt) * 1000;
    expect(expiresAtMs - Date.parse(made?.at ?? '')).toBeGreaterThanOrEqual(30 * DAY_MS);
  });
});

describe('POST /webhooks/calls/{callId}/resend', () => {
  it('sends the same event with the same ID, and records a further attempt', async () => {
    const { trackingId } = await called(account, 410);
    await call(saveWebhook, {
      key: account.secret.key,
      body: { webhook: receiver.url, events: ['EMAIL_OPEN'] },
    });
    app.clock.nowMs += DAY_MS;
    const [made] = await callsOf(account);
    const { status, json } = await resend(account, made?.callId ?? '');
    expect([status, json]).toEqual([
      200,
      { webhookMessageId: made?.webhookMessageId, eventType: 'EMAIL_OPEN' },
    ]);
    expect(await deliverCalls(app, takeMessages(app))).toEqual([]);
    const [before, after] = receiver.received;
    expect(after?.body).toBe(before?.body);
    expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(await callsOf(account)).toMatchObject([
      {
        ...{ callId: made?.callId, trackingId, at: made?.at, outcome: 'delivered' },
        attempts: [
          { attempt: 1, status: 410 },
          { attempt: 11, status: 200 },
        ],
      },
    ]);
  });

  it('has no effect while an earlier one waits, and one again after it was made', async () => {
    await called(account, 500);
    const [made] = await callsOf(account);
    const responses = await Promise.all([1, 2, 3].map(() => resend(account, made?.callId ?? '')));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const messages = takeMessages(app);
    expect(messages).toHaveLength(1);
    receiver.replies.push({ status: 500 });
    await deliverCalls(app, messages);
    await resend(account, made?.callId ?? '');
    expect(takeMessages(app).map(({ body }) => JSON.parse(body).attempt)).toEqual([12]);
  });

  it('repeated under the same idempotency key has its effect once, also after the attempt was made', async () => {
    await called(account, 500);
    const [made] = await callsOf(account);
    const ask = (key: string) =>
      call(resendCall, {
        key: account.secret.key,
        path: { callId: made?.callId ?? '' },
        headers: { 'idempotency-key': key },
      });
    const first = await ask('k1');
    receiver.replies.push({ status: 500 });
    await deliverCalls(app, takeMessages(app));
    const again = await ask('k1');
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(again.response.headers['idempotent-replayed']).toBe('true');
    expect(takeMessages(app)).toEqual([]);
    expect((await ask('k2')).response.headers['idempotent-replayed']).toBeUndefined();
    expect(takeMessages(app)).toHaveLength(1);
  });

  it('is sent by a repetition when the process died before its message, and called once', async () => {
    await called(account, 500);
    const [made] = await callsOf(account);
    const ask = () =>
      call(resendCall, {
        key: account.secret.key,
        path: { callId: made?.callId ?? '' },
        headers: { 'idempotency-key': 'dies' },
      });
    const real = resolve(queues);
    replace(queues, () => ({ ...real, send: async () => Promise.reject(new Error('the process dies')) }));
    expect((await ask()).status).toBe(500);
    replace(queues, () => real);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const count = receiver.received.length;
    const messages = takeMessages(app);
    expect(messages).toHaveLength(2);
    for (const message of messages) await deliverCalls(app, [message]);
    expect(receiver.received).toHaveLength(count + 1);
  });

  it('leaves a delivered call delivered when the further attempt fails, or is not made', async () => {
    await called(account, 200);
    const [made] = await callsOf(account);
    await resend(account, made?.callId ?? '');
    receiver.replies.push({ status: 500 });
    await deliverCalls(app, takeMessages(app));
    await resend(account, made?.callId ?? '');
    await call(saveWebhook, {
      key: account.secret.key,
      body: { webhook: receiver.url, events: ['SMS_FAILED'] },
    });
    await deliverCalls(app, takeMessages(app));
    expect(await callsOf(account)).toMatchObject([
      { outcome: 'delivered', attempts: [{ status: 200 }, { status: 500 }] },
    ]);
  });

  it('makes no planned attempt of a call that has arrived since, and plans none itself', async () => {
    const { next } = await called(account, 500);
    const [made] = await callsOf(account);
    await resend(account, made?.callId ?? '');
    expect(await deliverCalls(app, takeMessages(app))).toEqual([]);
    const count = receiver.received.length;
    expect(await deliverCalls(app, next)).toEqual([]);
    expect(receiver.received).toHaveLength(count);
    expect(await callsOf(account)).toMatchObject([{ outcome: 'delivered' }]);
  });

  it.each([
    ['a webhook that is off', 410, undefined, 'INVALID_REQUEST'],
    ['an event that it no longer wants', 500, ['SMS_FAILED'], 'INVALID_REQUEST'],
  ])('is rejected for %s', async (_, status, events, code) => {
    await called(account, status);
    if (events) await call(saveWebhook, { key: account.secret.key, body: { webhook: receiver.url, events } });
    const [made] = await callsOf(account);
    expect((await resend(account, made?.callId ?? '')).json.error.code).toBe(code);
    expect(takeMessages(app)).toEqual([]);
  });

  it.each(['x', 'mi8d1a80.msg_unknown', 'mi8d1a80', '~', 'zzzzzzzzz.msg_x'])(
    'is RESOURCE_NOT_FOUND or INVALID_REQUEST for %s',
    async (callId) => {
      const { status, json } = await resend(account, callId);
      expect([status, json.error.code]).toEqual([
        400,
        expect.stringMatching(/^(RESOURCE_NOT_FOUND|INVALID_REQUEST)$/),
      ]);
    },
  );

  it('is rejected for a sample, and for an event whose log has expired', async () => {
    await call(testWebhook, { key: account.secret.key, body: {} });
    await deliverCalls(app, takeMessages(app));
    const [sample] = await callsOf(account);
    expect((await resend(account, sample?.callId ?? '')).json.error.code).toBe('INVALID_REQUEST');
    await called(account, 500);
    const [made] = await callsOf(account);
    app.clock.nowMs += 31 * DAY_MS;
    expect((await resend(account, made?.callId ?? '')).json.error.code).toBe('INVALID_REQUEST');
    app.clock.nowMs -= 31 * DAY_MS;
  });
});

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sender } from '../../../functions/sending/sender.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler as dispatch } from '../../../functions/workers/dispatch/dispatch.ts';
import { idempotencyKeys } from '../../../shared/database/entities/sending/idempotency-keys.ts';
import type { Key } from '../../../shared/database/keys/key.ts';
import { headKey } from '../../../shared/database/keys/log.ts';
import type { Item } from '../../../shared/database/table.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { replace, resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, START_MS } from '../../support/app.ts';
import { deleteExpired } from '../../support/expired-items.ts';
import { atMost } from '../../support/throttling.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { MINIMAL_BODY } from './full-body.ts';

const DAY_MS = 24 * 3_600_000;

const app = useApp();
const account = useAccount(app, 'test');
beforeEach(() => {
  app.clock.nowMs = START_MS;
});

const sendWith = (key: string, body: object = MINIMAL_BODY, handler = send, sendBy = account) =>
  call(handler, { key: sendBy.secret.key, body, headers: { 'Idempotency-Key': key } });
/** Deletes the item, as TTL does later. */
async function expire(key: Key): Promise<void> {
  const condition = 'expiresAt <= :now';
  await app.database.delete(key, { condition, values: { ':now': Math.floor(app.clock.nowMs / 1000) } });
}
const countOfLogs = async () => (await call(listLogs, { key: account.secret.key })).json.messages.length;

describe('Idempotency-Key', () => {
  it.each([
    ['a type without rules', {}],
    ['deduplication', { deduplication: { duration: 3600 } }],
    ['throttling', { throttling: atMost(1, 'days') }],
  ])('creates one notification and one response from ten concurrent sends with %s', async (_, rules) => {
    const type = { notificationId: 'welcome', title: 'W', channels: ['EMAIL'], ...rules };
    expect((await call(createType, { key: account.secret.key, body: type })).status).toBe(200);
    const responses = await Promise.all(Array.from({ length: 10 }, () => sendWith('order-1')));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(responses[0]?.json.messages).toEqual([]);
    for (const { json } of responses) expect(json).toEqual(responses[0]?.json);
    expect(await countOfLogs()).toBe(1);
  });

  it('creates one notification from ten concurrent first uses of a type', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => sendWith('order-1')));
    expect(new Set(responses.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(await countOfLogs()).toBe(1);
  });

  it('returns the stored response to a duplicate, with its reasons, whatever the order of the fields', async () => {
    const body = { ...MINIMAL_BODY, sms: { message: 'm' }, parameters: { a: 1, b: { c: 2, d: 3 } } };
    const first = await sendWith('order-1', body);
    expect(first.json.messages).toHaveLength(2);
    app.clock.nowMs += 60_000;
    const turned = { parameters: { b: { d: 3, c: 2 }, a: 1 }, sms: { message: 'm' }, ...MINIMAL_BODY };
    expect((await sendWith('order-1', turned)).json).toEqual(first.json);
    expect((await sendWith('order-1', body, sender)).json).toEqual(first.json);
    expect(await countOfLogs()).toBe(1);
  });

  it('returns 400 for the same key with another body, and does not send it', async () => {
    await sendWith('order-1');
    const { status, json } = await sendWith('order-1', { ...MINIMAL_BODY, to: { id: 'bob' } });
    expect([status, json.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await countOfLogs()).toBe(1);
  });

  it('accepts exactly one of two concurrent bodies with the same key', async () => {
    const bodies = [MINIMAL_BODY, { ...MINIMAL_BODY, to: { id: 'bob' } }];
    const responses = await Promise.all(bodies.map((body) => sendWith('order-1', body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await countOfLogs()).toBe(1);
  });

  it.each([false, true])(
    'stores the contact data of the accepted request only, in bulk: %s',
    async (isBulk) => {
      for (let round = 0; round < 10; round += 1) {
        const key = `order-${round}`;
        const emails = Array.from({ length: 4 }, (_, index) => `ada${index}@example.com`);
        const bodies = emails.map((email) => ({
          ...MINIMAL_BODY,
          type: `t${email}`,
          to: { id: key, email },
        }));
        const responses = await Promise.all(
          bodies.map(async (body) => {
            if (!isBulk) return (await sendWith(key, body)).status;
            const { json } = await sendWith(key, { notifications: [body] }, sendBulk);
            return json.results[0].error ? 400 : 200;
          }),
        );
        expect(responses.toSorted()).toEqual([200, 400, 400, 400]);
        const user = await call(getUser, { key: account.secret.key, path: { userId: key } });
        expect(user.json.email).toBe(emails[responses.indexOf(200)]);
      }
    },
  );

  it('identifies one notification for 24 hours, then another one for the next 24 hours', async () => {
    const first = (await sendWith('order-1')).json.trackingId;
    app.clock.nowMs = START_MS + DAY_MS - 1;
    await deleteExpired(app);
    expect((await sendWith('order-1')).json.trackingId).toBe(first);
    expect((await sendWith('order-1', { ...MINIMAL_BODY, type: 'other' })).json.error.code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    app.clock.nowMs = START_MS + DAY_MS;
    const other = { ...MINIMAL_BODY, to: { id: 'bob' } };
    const second = (await sendWith('order-1', other)).json.trackingId;
    expect(second).not.toBe(first);
    app.clock.nowMs += DAY_MS - 1;
    expect((await sendWith('order-1', other)).json.trackingId).toBe(second);
    expect((await sendWith('order-1')).json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await countOfLogs()).toBe(2);
  });

  it('is claimed for 24 hours, also where nothing else of the request was stored', async () => {
    const claim = (requestHash: string) => {
      const { nowMs } = app.clock;
      const claimed = { accountId: account.account.accountId, trackingId: 'first', requestHash };
      return resolve(idempotencyKeys).claim(claimed, { nowMs, sinceMs: nowMs - DAY_MS });
    };
    expect(await claim('one')).toBe(true);
    app.clock.nowMs += DAY_MS - 1;
    await deleteExpired(app);
    expect(await claim('other')).toBe(false);
  });

  it('still identifies the second notification when the log of the first one expires', async () => {
    await call(updateAccount, { key: account.secret.key, body: { retentionInDays: 1 } });
    const first = (await sendWith('order-1')).json.trackingId;
    app.clock.nowMs += DAY_MS - 1;
    await sendWith('order-1');
    app.clock.nowMs += 1;
    const second = (await sendWith('order-1')).json.trackingId;
    app.clock.nowMs += DAY_MS - 1;
    await expire(headKey(first));
    expect((await sendWith('order-1')).json.trackingId).toBe(second);
    const path = { trackingIds: `${first},${second}` };
    const shown = (await call(getLogs, { key: account.secret.key, path })).json.logs;
    expect(shown.map(({ trackingId }: { trackingId: string }) => trackingId)).toEqual([second]);
  });

  it('does not send the first notification again when the second one replaces it', async () => {
    const first = (await sendWith('order-1')).json.trackingId;
    const sentFor = async (item: Item | undefined) => {
      const sent: string[] = [];
      replace(queues, () => ({
        send: async (queue) => {
          sent.push(queue);
          return [];
        },
        changeVisibility: async () => {},
        countWaiting: async () => 0,
      }));
      const dynamodb = { SequenceNumber: '1', NewImage: marshall(item ?? {}) };
      await dispatch({ Records: [{ eventName: 'MODIFY', dynamodb }] } as DynamoDBStreamEvent);
      return sent;
    };
    expect(await sentFor(await app.database.get(headKey(first)))).toEqual(['deliver-email']);
    app.clock.nowMs += 29.5 * DAY_MS;
    expect((await sendWith('order-1')).json.trackingId).not.toBe(first);
    expect(await sentFor(await app.database.get(headKey(first), { consistent: true }))).toEqual([]);
  });

  it('keeps accounts separate', async () => {
    const other = await createTestAccount(app);
    const [mine, theirs] = [await sendWith('order-1'), await sendWith('order-1', MINIMAL_BODY, send, other)];
    expect(theirs.status).toBe(200);
    expect(theirs.json.trackingId).not.toBe(mine.json.trackingId);
  });

  it('accepts 255 characters, and an empty key is ignored', async () => {
    expect((await sendWith('k'.repeat(255))).status).toBe(200);
    const { status, json } = await sendWith('k'.repeat(256));
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    const [one, two] = [await sendWith(''), await sendWith('')];
    expect(one.json.trackingId).not.toBe(two.json.trackingId);
  });

  it('creates one notification from concurrent scheduled sends', async () => {
    const body = { ...MINIMAL_BODY, schedule: '2026-11-22T00:00:00Z' };
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendWith('order-1', body)));
    expect(new Set(responses.map(({ json }) => json.trackingId)).size).toBe(1);
    expect(await countOfLogs()).toBe(1);
  });
});

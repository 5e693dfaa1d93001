import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as deliverCall } from '../../../../functions/workers/delivery/deliver-call.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { accounts } from '../../../../shared/database/entities/accounts/accounts.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { users } from '../../../../shared/database/entities/users/users.ts';
import { retryKey } from '../../../../shared/database/keys/log.ts';
import { TRIES_MAX } from '../../../../shared/domain/timing/retry.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { callProvider } from '../../../../shared/providers/phone/phone.ts';
import { ConfigError } from '../../../../shared/runtime/config.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { deliverMessages, recordOf, type TestMessage } from '../../../support/workers.ts';
import { accepted, account, app, provider, receive, useDelivering, waited } from './deliver-setup.ts';

useDelivering();

const unavailable = async (): Promise<never> => {
  throw new Error('unavailable');
};
const outage = { kind: 'retry', code: 'Unknown', internal: 'HTTP 503' } as const;

describe('a delivery worker', () => {
  it('waits longer before each retry, between half and all of the full delay', async () => {
    const trackingId = await accepted();
    replace(callProvider, () => provider<'CALL'>(...Array.from({ length: 3 }, () => outage)).provider);
    for (const attempt of [1, 2, 3]) {
      expect(await receive(deliverCall, attempt, trackingId)).toEqual([`m-${trackingId}`]);
    }
    expect(waited.map(({ queue, handle }) => [queue, handle])).toEqual(
      Array.from({ length: 3 }, () => ['deliver-call', `r-${trackingId}`]),
    );
    for (const [index, fullSeconds] of [3, 6, 12].entries()) {
      expect(waited[index]?.seconds).toBeGreaterThanOrEqual(fullSeconds / 2);
      expect(waited[index]?.seconds).toBeLessThanOrEqual(fullSeconds);
    }
    expect((await recordOf(account, trackingId)).call_failed_at).toBeUndefined();
  });

  it('waits as long as the provider asks, in flight for seconds, otherwise on the due queue or in the table', async () => {
    const asked = [9, 55, 77, 1000, 3600];
    const trackingIds = await Promise.all(asked.map(() => accepted()));
    const scripted = asked.map((afterSeconds) => ({ ...outage, afterSeconds }));
    replace(callProvider, () => provider<'CALL'>(...scripted).provider);
    const left: number[] = [];
    for (const trackingId of trackingIds) left.push((await receive(deliverCall, 1, trackingId)).length);
    expect(left).toEqual([1, 0, 0, 0, 0]);
    expect(waited.map(({ seconds }) => seconds)).toEqual([9]);
    const stored = trackingIds.map((trackingId) => app.database.get(retryKey(trackingId, 'CALL')));
    const waits = (await Promise.all(stored)).map(
      (item) => item && (Number(item.dueAtMs) - app.clock.nowMs) / 1000,
    );
    expect(waits).toEqual([undefined, undefined, 77, 1000, 3600]);
  });

  it('sends on a retry, and the log shows no failure', async () => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>(outage);
    replace(callProvider, () => scripted.provider);
    await receive(deliverCall, 1, trackingId);
    app.clock.nowMs += 3000;
    expect(await receive(deliverCall, 2, trackingId)).toEqual([]);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const record = await recordOf(account, trackingId);
    expect(record.call_sent_at).toBe(new Date(app.clock.nowMs).toISOString());
    expect(record.call_failed_at).toBeUndefined();
  });

  it('appends one event when the provider reports sent and delivered in one response', async () => {
    const trackingId = await accepted();
    const delivered = { call_delivered_code: 'COMPLETED' } as const;
    replace(callProvider, () => provider<'CALL'>({ kind: 'sent', fields: {}, delivered }).provider);
    await receive(deliverCall, 1, trackingId);
    const items = await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#', { consistent: true });
    expect(items.map(({ sk }) => sk)).toEqual(['EVENT#call#sent']);
    const at = new Date(app.clock.nowMs).toISOString();
    expect(await recordOf(account, trackingId)).toMatchObject({
      call_sent_at: at,
      call_delivered_at: at,
      ...delivered,
    });
  });

  it('records the last failure with its code, text and fields after the last attempt', async () => {
    const trackingId = await accepted();
    const last = {
      code: '30008',
      internal: 'busy carrier',
      fields: { call_sent_from: '+12025550100' },
    } as const;
    const outages = Array.from({ length: TRIES_MAX.CALL - 1 }, () => outage);
    const scripted = provider<'CALL'>(...outages, { ...outage, ...last });
    replace(callProvider, () => scripted.provider);
    let message: TestMessage = { body: { trackingId }, attempt: 1 };
    for (let attempt = 1; attempt < TRIES_MAX.CALL; attempt += 1) {
      const isLeft = (await deliverMessages(deliverCall, message)).length === 1;
      const stored = await app.database.get(retryKey(trackingId, 'CALL'), { consistent: true });
      if (isLeft) message = { ...message, attempt: (message.attempt ?? 1) + 1 };
      else message = { body: stored?.delivery, attempt: 1 };
    }
    expect((await recordOf(account, trackingId)).call_failed_at).toBeUndefined();
    expect(await deliverMessages(deliverCall, message)).toEqual([]);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: TRIES_MAX.CALL }, (_, index) => index + 1),
    );
    expect(await recordOf(account, trackingId)).toMatchObject({
      call_failed_code: '30008',
      call_failed_internal: 'busy carrier',
      call_sent_from: '+12025550100',
    });
  });

  it("stops retrying earlier when the provider's response allows fewer attempts", async () => {
    const trackingId = await accepted();
    const doubtful = { ...outage, triesMax: 2 };
    replace(callProvider, () => provider<'CALL'>(doubtful, doubtful).provider);
    expect(await receive(deliverCall, 1, trackingId)).toHaveLength(1);
    expect(await receive(deliverCall, 2, trackingId)).toEqual([]);
    expect((await recordOf(account, trackingId)).call_failed_code).toBe('Unknown');
  });

  it('counts calls to the provider, not receives of the message', async () => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>(outage);
    replace(callProvider, () => scripted.provider);
    expect(await receive(deliverCall, TRIES_MAX.CALL + 5, trackingId)).toHaveLength(1);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual([2]);
    expect((await recordOf(account, trackingId)).call_failed_at).toBeUndefined();
  });

  it('calls the provider on a second receive only after the attempt is stored', async () => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>();
    replace(callProvider, () => scripted.provider);
    const real = resolve(logs);
    const append = async () => {
      throw new Error('the table takes no writes');
    };
    replace(logs, () => ({ ...real, append }));
    try {
      for (const receives of [1, 2, 3, 4])
        expect(await receive(deliverCall, receives, trackingId)).toHaveLength(1);
    } finally {
      replace(logs, () => real);
    }
    expect(scripted.deliveries).toHaveLength(1);
    expect(await receive(deliverCall, 5, trackingId)).toEqual([]);
    expect(scripted.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect((await recordOf(account, trackingId)).call_sent_at).toBeDefined();
  });

  it.each([
    ['the user', () => replace(users, () => ({ ...resolve(users), find: unavailable })), users],
    [
      'the account',
      () => replace(accounts, () => ({ ...resolve(accounts), findRecent: unavailable })),
      accounts,
    ],
    [
      'the provider’s settings',
      () => replace(callProvider, () => ({ name: 'broken', deliver: unavailable })),
      undefined,
    ],
  ])('keeps a message as long as %s cannot be read, and never fails it', async (_, breakIt, broken) => {
    const trackingId = await accepted();
    const real = broken && resolve<unknown>(broken);
    replace(callProvider, () => provider<'CALL'>().provider);
    breakIt();
    try {
      for (let receives = 1; receives <= TRIES_MAX.CALL + 2; receives += 1)
        expect(await receive(deliverCall, receives, trackingId)).toEqual([`m-${trackingId}`]);
    } finally {
      if (broken) replace<unknown>(broken, () => real);
    }
    expect((await recordOf(account, trackingId)).call_failed_at).toBeUndefined();
    replace(callProvider, () => provider<'CALL'>().provider);
    expect(await receive(deliverCall, 20, trackingId)).toEqual([]);
    expect((await recordOf(account, trackingId)).call_sent_at).toBeDefined();
  });

  it('keeps every message of a batch when a setting is missing, even without a provider', async () => {
    const trackingId = await accepted();
    replace(callProvider, () => {
      throw new ConfigError('CALL_PROVIDER must be one of aws, twilio, telnyx, sandbox');
    });
    for (let receives = 1; receives <= TRIES_MAX.CALL + 2; receives += 1)
      expect(await receive(deliverCall, receives, trackingId)).toEqual([`m-${trackingId}`]);
    expect((await recordOf(account, trackingId)).call_failed_at).toBeUndefined();
  });

  it('returns only the messages of a batch that need a retry', async () => {
    const [first, second, third] = [await accepted(), await accepted(), await accepted()];
    const responses: Record<string, DeliveryOutcome<'CALL'>> = {
      [first]: { kind: 'rejected', code: '21211', internal: 'bad' },
      [second]: outage,
      [third]: { kind: 'sent', fields: {} },
    };
    replace(callProvider, () => ({
      name: 'scripted',
      deliver: async ({ trackingId }) => responses[trackingId] ?? outage,
    }));
    const messages = [first, second, third].map((trackingId) => ({ body: { trackingId } }));
    expect(await deliverMessages(deliverCall, { body: 'not JSON' }, ...messages)).toEqual(['m0', 'm2']);
    expect((await recordOf(account, first)).call_failed_code).toBe('21211');
    expect((await recordOf(account, third)).call_sent_at).toBeDefined();
  });

  it.each([
    ['sent', { kind: 'sent', fields: {} }],
    ['failed', { kind: 'rejected', code: '21211', internal: 'bad' }],
  ] as const)('calls no provider for a redelivered message that was %s', async (_, outcome) => {
    const trackingId = await accepted();
    const scripted = provider<'CALL'>(outcome);
    replace(callProvider, () => scripted.provider);
    await receive(deliverCall, 1, trackingId);
    expect(await receive(deliverCall, 2, trackingId)).toEqual([]);
    expect(scripted.deliveries).toHaveLength(1);
  });

  it('calls the provider once for content that is too large for the log, which shows its beginning', async () => {
    const message = createHash('shake256', { outputLength: 600_000 }).update('seed').digest('base64');
    const trackingId = await accepted({
      type: 'long',
      to: { id: 'ada', email: 'ada@example.com' },
      email: { subject: 's', html: '{{ text }}' },
      parameters: { text: message },
    });
    const scripted = provider<'EMAIL'>();
    replace(emailProvider, () => scripted.provider);
    expect(await receive(deliverEmail, 1, trackingId)).toEqual([]);
    expect(await receive(deliverEmail, 2, trackingId)).toEqual([]);
    expect(scripted.deliveries).toHaveLength(1);
    const { email_preview: preview } = await recordOf(account, trackingId);
    const { html = '' } = scripted.deliveries[0] ?? {};
    expect([html.startsWith(preview), html.includes(message), preview.length]).toEqual([
      true,
      true,
      256 * 1024,
    ]);
  });

  it('drops a message of an unknown notification', async () => {
    const scripted = provider<'CALL'>();
    replace(callProvider, () => scripted.provider);
    expect(await receive(deliverCall, 1, '01a1fe53-4ea1-74b5-927c-000000000000')).toEqual([]);
    expect(scripted.deliveries).toEqual([]);
  });
});

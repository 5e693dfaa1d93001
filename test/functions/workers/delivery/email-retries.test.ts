import { describe, expect, it } from 'vitest';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { handler as makeReady } from '../../../../functions/workers/due/make-ready.ts';
import type { DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import { deliveryRetries } from '../../../../shared/database/entities/sending/delivery-retries.ts';
import { dueItems } from '../../../../shared/database/entities/sending/due-items.ts';
import { queues } from '../../../../shared/messaging/queues.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call } from '../../../support/app.ts';
import { recordOf, sqsEvent } from '../../../support/workers.ts';
import { accepted, account, app, useDelivering } from './deliver-setup.ts';

useDelivering();

const GREYLISTED = {
  kind: 'retry',
  code: 'TRANSIENT_GENERAL_BOUNCE',
  internal: 'EENVELOPE RCPT TO 451 4.7.1 greylisted, come back later',
  fields: { email_failed_recipient: 'ada@example.com' },
} as const satisfies DeliveryOutcome<'EMAIL'>;
const EMAIL = {
  type: 'receipt',
  to: { id: 'ada', email: 'ada@example.com' },
  email: { subject: 's', html: 'h' },
};

/** Delivers an email until it has its outcome, each time when it is due: the seconds of each wait, and where it waited. */
async function untilOver(trackingId: string, next: () => DeliveryOutcome<'EMAIL'>) {
  const waits: { seconds: number; place: string }[] = [];
  const shown: unknown[] = [];
  const seen: number[] = [];
  const sent: string[] = [];
  let seconds = 0;
  replace(emailProvider, () => ({
    name: 'scripted',
    deliver: async ({ attempt }) => {
      seen.push(attempt);
      return next();
    },
  }));
  replace(queues, () => ({
    send: async (_, messages) => {
      sent.push(...messages.map(({ body }) => body));
      return [];
    },
    changeVisibility: async (_, __, after) => {
      seconds = after;
    },
    countWaiting: async () => 0,
  }));
  let body: unknown = { trackingId };
  for (let receives = 1; waits.length < 100; receives += 1) {
    seconds = 0;
    await deliverEmail(sqsEvent({ body, attempt: receives }));
    shown.push((await recordOf(account, trackingId)).email_next_try_at);
    if (seconds > 0) {
      waits.push({ seconds, place: 'queue' });
      app.clock.nowMs += seconds * 1000;
      continue;
    }
    const dueAtMs = await resolve(dueItems).nextDueAtMs(app.clock.nowMs - 1);
    if (dueAtMs === undefined) break;
    waits.push({ seconds: (dueAtMs - app.clock.nowMs) / 1000, place: 'table' });
    app.clock.nowMs = dueAtMs;
    const due = { body: { pk: `RETRY#${trackingId}#EMAIL`, dueAtMs } };
    await makeReady(sqsEvent(due, due));
    expect(new Set(sent)).toHaveLength(1);
    body = JSON.parse(sent.splice(0)[0] ?? '');
    receives = 0;
  }
  return { waits, shown, seen };
}

describe('an email that fails temporarily', () => {
  it('is tried for a day, with waits that grow to an hour, which the log shows', async () => {
    const trackingId = await accepted(EMAIL);
    const startedAtMs = app.clock.nowMs;
    const { waits, shown, seen } = await untilOver(trackingId, () => GREYLISTED);
    expect(app.clock.nowMs - startedAtMs).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(app.clock.nowMs - startedAtMs).toBeLessThan(24.1 * 3_600_000);
    expect(Math.max(...waits.map(({ seconds }) => seconds))).toBeLessThanOrEqual(3600);
    expect(waits.filter(({ seconds }) => seconds > 900).every(({ place }) => place === 'table')).toBe(true);
    expect(waits.filter(({ place }) => place === 'table').length).toBeGreaterThan(20);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    expect(shown.slice(0, -1).every((each) => typeof each === 'string')).toBe(true);
    expect(await recordOf(account, trackingId)).toMatchObject({
      email_failed_code: 'TRANSIENT_GENERAL_BOUNCE',
      email_failed_recipient: 'ada@example.com',
    });
    expect(await recordOf(account, trackingId)).not.toHaveProperty('email_next_try_at');
  });

  it('is sent once its server takes it, hours later', async () => {
    const trackingId = await accepted(EMAIL);
    const openAtMs = app.clock.nowMs + 5 * 3_600_000;
    await untilOver(trackingId, () =>
      app.clock.nowMs < openAtMs ? GREYLISTED : { kind: 'sent', fields: { email_sent_message_id: 'm' } },
    );
    const record = await recordOf(account, trackingId);
    expect(record).toMatchObject({ email_sent_message_id: 'm' });
    for (const name of ['email_failed_at', 'email_failed_internal', 'email_next_try_at'])
      expect(record).not.toHaveProperty(name);
  });

  it('is tried five times in all where it may have been accepted, however often it was not before', async () => {
    const doubtful = {
      kind: 'retry',
      code: 'UNDETERMINED_BOUNCE',
      internal: 'HTTP 500',
      triesMax: 5,
    } as const;
    let tries = 0;
    const trackingId = await accepted(EMAIL);
    const { seen } = await untilOver(trackingId, () => {
      tries += 1;
      return tries <= 8 || tries === 10 ? GREYLISTED : doubtful;
    });
    expect(seen).toHaveLength(8 + 5 + 1);
    expect(await recordOf(account, trackingId)).toMatchObject({ email_failed_code: 'UNDETERMINED_BOUNCE' });
  });

  it.each([
    ['the request', { options: { email: { retryHours: 0 } } }, 0],
    ['the request, with part of an hour', { options: { email: { retryHours: 0.5 } } }, 0.5],
    ['the type', { type: 'login-code' }, 1],
    ['the request before the type', { type: 'login-code', options: { email: { retryHours: 3 } } }, 3],
  ])('is tried for as long as %s says', async (_, more, hours) => {
    const { key } = account.secret;
    const type = { notificationId: 'login-code', title: 'Code', channels: ['EMAIL'] };
    await call(createType, { key, body: { ...type, options: { email: { retryHours: 1 } } } });
    const trackingId = await accepted({ ...EMAIL, ...more });
    const startedAtMs = app.clock.nowMs;
    await untilOver(trackingId, () => GREYLISTED);
    expect((app.clock.nowMs - startedAtMs) / 3_600_000).toBeCloseTo(hours, 1);
  });

  it('waits in the table also if its message comes again, so that it can still be cancelled', async () => {
    const trackingId = await accepted(EMAIL);
    let tries = 0;
    replace(emailProvider, () => ({
      name: 'scripted',
      deliver: async () => {
        tries += 1;
        return { ...GREYLISTED, afterSeconds: 3600 };
      },
    }));
    await deliverEmail(sqsEvent({ body: { trackingId } }));
    app.clock.nowMs += 10 * 60_000;
    await deliverEmail(sqsEvent({ body: { trackingId }, attempt: 2 }));
    expect(tries).toBe(1);
    const waiting = await resolve(deliveryRetries).find(`RETRY#${trackingId}#EMAIL`);
    expect(waiting?.delivery.postponed.times).toBe(1);
    if (waiting) await resolve(deliveryRetries).end(waiting);
    expect(await recordOf(account, trackingId)).not.toHaveProperty('email_sent_at');
  });
});

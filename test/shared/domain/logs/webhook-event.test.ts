import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLogField } from '../../../../shared/domain/logs/log-record.ts';
import {
  shortBody,
  userEventBody,
  webhookBody,
  webhookCallId,
  webhookEventOf,
  withHeadFields,
} from '../../../../shared/domain/logs/webhook-event.ts';
import { WEBHOOK_ATTEMPTS_MAX, webhookDelaySeconds } from '../../../../shared/domain/logs/webhook-retry.ts';
import { CHANNELS, LOG_PREFIX } from '../../../../shared/schemas/channel.ts';
import { STAGES } from '../../../../shared/schemas/logs/stage.ts';
import { isUserEvent, WEBHOOK_EVENTS } from '../../../../shared/schemas/logs/webhook.ts';

it('shows the response to the webhook call of every event in the log, on every channel', () => {
  const raised = [undefined, ...CHANNELS].flatMap((channel) =>
    STAGES.flatMap((stage) => {
      // Only an email has copies.
      if (stage === 'copy_failed' && channel !== 'EMAIL') return [];
      const event = webhookEventOf(channel, stage);
      return event
        ? [{ event, field: `${channel ? `${LOG_PREFIX[channel]}_` : ''}${stage}_webhook_res` }]
        : [];
    }),
  );
  expect(new Set(raised.map(({ event }) => event))).toEqual(
    new Set(WEBHOOK_EVENTS.filter((event) => !isUserEvent(event))),
  );
  expect(raised.filter(({ field }) => !isLogField(field))).toEqual([]);
});

describe('the body of an event', () => {
  const facts = {
    ...{ eventType: 'EMAIL_INBOUND' as const, channel: 'EMAIL' as const, userId: 'ada', notificationId: 'n' },
    ...{ trackingId: 't', topic: 'news' },
  };
  const at = { id: 'msg_1', atMs: 0 };
  const HEAD = { id: 'msg_1', type: 'EMAIL_INBOUND', timestamp: '1970-01-01T00:00:00.000Z' };

  it('has its fields at the top level and as data', () => {
    expect(JSON.parse(webhookBody(facts, at))).toEqual({ ...HEAD, ...facts, data: facts });
    const user = { eventType: 'USER_DELETED' as never, userId: 'ada' };
    expect(JSON.parse(userEventBody(user, 'msg_1', 0))).toEqual({
      ...HEAD,
      type: 'USER_DELETED',
      ...user,
      data: user,
    });
  });

  it('has the time and the cut texts of an inbound message', () => {
    const texts = {
      bodyText: 'a'.repeat(20_000),
      bodyHtml: 'b'.repeat(20_000),
      strippedText: 'c'.repeat(20_000),
    };
    const [timestamp, receivedAt] = ['2026-11-21T08:30:00.000Z', '2026-11-21T08:31:00.000Z'];
    const message = { eventType: 'x', trackingId: 'other', timestamp, subject: 's', ...texts } as never;
    const body = JSON.parse(webhookBody({ ...facts, inbound: { message, receivedAt } }, at));
    const cut = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, text.slice(0, 16_384)]),
    );
    const data = { ...facts, subject: 's', ...cut, receivedAt };
    expect(body).toEqual({ ...HEAD, timestamp, ...data, data });
  });

  it('gets fields of the head at both places', () => {
    const fields = { trackingIds: ['a'], metadata: { order: '7' } };
    const body = JSON.parse(withHeadFields(webhookBody(facts, at), fields));
    expect(body).toEqual({ ...HEAD, ...facts, ...fields, data: { ...facts, ...fields } });
    expect(JSON.parse(withHeadFields('{"data":"x"}', fields))).toEqual({ ...fields, data: fields });
  });

  it('is halved until it fits, and stays what it is otherwise', () => {
    const body = webhookBody(
      { ...facts, inbound: { message: { bodyText: 'a'.repeat(9000) }, receivedAt: '' } },
      at,
    );
    expect(shortBody(body, Buffer.byteLength(body))).toBe(body);
    const short = shortBody(body, 10_000);
    expect(JSON.parse(short).bodyText).toBe('a'.repeat(4096));
    expect(JSON.parse(short)).toEqual({
      ...JSON.parse(body),
      bodyText: 'a'.repeat(4096),
      data: expect.anything(),
    });
    expect(JSON.parse(short).data).toEqual({ ...JSON.parse(body).data, bodyText: 'a'.repeat(4096) });
    expect(JSON.parse(shortBody(body, 1)).bodyText.length).toBeLessThan(3);
  });

  it('has an id that only the same event has', () => {
    const idOf = (...parts: [string, string, Parameters<typeof webhookCallId>[2]]) => webhookCallId(...parts);
    const ids = [
      idOf('e', 't', { stage: 'sent' }),
      idOf('f', 't', { stage: 'sent' }),
      idOf('e', 'u', { stage: 'sent' }),
      idOf('e', 't', { stage: 'sent', prefix: 'sms' }),
      idOf('e', 't', { stage: 'sent', seq: '1' }),
      idOf('e', 't', { stage: 'failed' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(idOf('e', 't', { stage: 'sent', prefix: '', seq: undefined })).toBe(ids[0]);
    expect(ids[0]).toMatch(/^msg_/);
  });
});

const PLANNED = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('keeps every delay within 20 % of the schedule', () => {
  expect(WEBHOOK_ATTEMPTS_MAX).toBe(10);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), random, (attempt, drawn) => {
      const planned = PLANNED[attempt - 1] ?? Number.NaN;
      const seconds = webhookDelaySeconds(attempt, undefined, drawn);
      expect(seconds).toBeGreaterThanOrEqual(planned * 0.8);
      expect(seconds).toBeLessThanOrEqual(Math.ceil(planned * 1.2));
    }),
  );
});

it('never calls earlier than the receiver asked, up to a day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.nat({ max: 10_000_000 }),
      random,
      (attempt, asked, drawn) => {
        const seconds = webhookDelaySeconds(attempt, asked, drawn);
        expect(seconds).toBeGreaterThanOrEqual(Math.min(asked, 86_400));
        expect(seconds).toBeLessThanOrEqual(Math.ceil(86_400 * 1.2));
      },
    ),
  );
});

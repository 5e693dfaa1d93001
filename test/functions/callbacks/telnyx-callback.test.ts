import { describe, expect, it } from 'vitest';
import { handler as telnyx } from '../../../functions/callbacks/receive-telnyx-callback.ts';
import { call } from '../../support/app.ts';
import { buildTelnyxEvent, buildTelnyxMessage, createTelnyxSigner } from '../../support/fakes/telnyx.ts';
import { useAccount } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { accepted } from '../workers/receipts/accepted.ts';
import { app, eventsOf, reportersOf, telnyxRequest, useCallbacks } from './callbacks-setup.ts';

useCallbacks();
const account = useAccount(app, 'test');

describe('POST /callbacks/telnyx/{channel}', () => {
  const finalized = (status: string, errors: object[] = []) =>
    buildTelnyxEvent('message.finalized', buildTelnyxMessage({ to: [{ status }], errors }));

  it('records the outcome of a text message once', async () => {
    const tags = await accepted(account);
    const request = await telnyxRequest(tags, finalized('delivered'));
    const first = await call(telnyx, request);
    expect([first.status, first.json]).toEqual([200, { received: true }]);
    expect((await call(telnyx, request)).status).toBe(200);
    expect(await recordOf(account, tags.trackingId)).toMatchObject({
      sms_delivered_at: '2026-11-20T10:00:00.000Z',
      sms_sent_cost: 0.0051,
    });
    expect(await eventsOf(tags.trackingId)).toEqual([
      expect.stringMatching(/^EVENT#sms#cost#/),
      'EVENT#sms#delivered',
    ]);
    expect(await reportersOf(tags.trackingId)).toEqual(['telnyx']);
  });

  it('adds data to the sent stage without creating one', async () => {
    const tags = await accepted(account);
    const body = buildTelnyxEvent('message.sent', buildTelnyxMessage());
    await call(telnyx, await telnyxRequest(tags, body));
    const record = await recordOf(account, tags.trackingId);
    expect(record).toMatchObject({ sms_sent_parts: 1 });
    expect(record).not.toHaveProperty('sms_sent_at');
  });

  it('records the failure code', async () => {
    const tags = await accepted(account);
    await call(telnyx, await telnyxRequest(tags, finalized('delivery_failed', [{ code: '40001' }])));
    expect(await recordOf(account, tags.trackingId)).toMatchObject({ sms_failed_code: '40001' });
  });

  it('returns 401 for wrong, missing and old signatures and stores nothing', async () => {
    const tags = await accepted(account);
    const right = await telnyxRequest(tags, finalized('delivered'));
    const requests = [
      { ...right, headers: {} },
      { ...right, rawBody: `${right.rawBody} ` },
      { ...right, rawBody: '' },
      { ...right, headers: createTelnyxSigner().signCallback(right.rawBody, app.clock.nowMs / 1000) },
      await telnyxRequest(tags, right.rawBody, app.clock.nowMs - 301_000),
    ];
    for (const request of requests) {
      const { status, json } = await call(telnyx, request);
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    delete process.env.TELNYX_PUBLIC_KEY;
    expect((await call(telnyx, right)).status).toBe(401);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });

  it.each<[string, (query: Record<string, string>, own: string) => Record<string, string>]>([
    ['of another notification, without a signature', ({ signature: _, ...query }) => query],
    ["with another notification's signature", (query, own) => ({ ...query, signature: own })],
  ])('ignores a call status that is replayed with the query %s', async (_, changed) => {
    const [own, other] = [await accepted(account), await accepted(account)];
    const body = 'CallSid=CA1&CallStatus=completed';
    const request = await telnyxRequest(own, body, app.clock.nowMs, 'call');
    const { query } = await telnyxRequest(other, body, app.clock.nowMs, 'call');
    const replayed = { ...request, query: changed(query, request.query.signature) };
    expect((await call(telnyx, replayed)).status).toBe(200);
    expect(await eventsOf(other.trackingId)).toEqual([]);
    expect((await call(telnyx, request)).status).toBe(200);
    expect(await eventsOf(own.trackingId)).toEqual(['EVENT#call#delivered']);
  });

  it('ignores callbacks that are unknown or not events', async () => {
    const tags = await accepted(account);
    const bodies = ['{}', 'null', 'no JSON', buildTelnyxEvent('call.initiated', {})];
    for (const body of bodies) expect((await call(telnyx, await telnyxRequest(tags, body))).status).toBe(200);
    const unknown = await telnyxRequest({ ...tags, trackingId: 'unknown' }, finalized('delivered'));
    expect((await call(telnyx, unknown)).status).toBe(200);
    expect(await eventsOf(tags.trackingId)).toEqual([]);
  });
});

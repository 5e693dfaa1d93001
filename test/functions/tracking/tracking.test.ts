import { describe, expect, it } from 'vitest';
import { handler as trackClick } from '../../../functions/tracking/track-click.ts';
import { handler as trackOpen } from '../../../functions/tracking/track-open.ts';
import { raisedCallsOf } from '../../../functions/workers/webhooks/raised-calls.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { isVisited } from '../../../shared/domain/routing/steps.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { type TrackedLink, writeClickToken, writeOpenToken } from '../../../shared/tokens/tracking-token.ts';
import { call, httpEvent, START_MS } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { accepted } from '../workers/receipts/accepted.ts';
import { insertedEvents } from '../workers/receipts/inserted-events.ts';

const app = useApp();
const account = useAccount(app, 'test');

const LINK = 'https://shop.example.com/o/1?a=ü&b="2"';
const VISITOR = { user_agent: 'test-agent/1.0', ip: '203.0.113.7' };

async function open(trackingId: string) {
  return call(trackOpen, { path: { token: await writeOpenToken(resolve(signer), trackingId) } });
}

async function click(trackingId: string, over: Partial<TrackedLink> = {}) {
  const tracked = { trackingId, link: LINK, tags: {}, ...over };
  return call(trackClick, { path: { token: await writeClickToken(resolve(signer), tracked) } });
}

const eventsOf = async (trackingId: string) =>
  (await app.database.queryAll(logPk(trackingId), 'EVENT#')).map(({ sk }) => String(sk).split('#')[2]);

describe('HEAD', () => {
  it('records neither an open nor a click, which GET does afterwards', async () => {
    const { trackingId } = await accepted(account);
    const tokens = [
      [trackOpen, await writeOpenToken(resolve(signer), trackingId), 200],
      [trackClick, await writeClickToken(resolve(signer), { trackingId, link: LINK, tags: {} }), 200],
    ] as const;
    for (const [handler, token, status] of tokens) {
      const event = httpEvent({ path: { token } });
      event.requestContext.http.method = 'HEAD';
      expect((await handler(event as never)).statusCode).toBe(status);
    }
    expect(await eventsOf(trackingId)).toEqual([]);
    await open(trackingId);
    expect(await eventsOf(trackingId)).toEqual(['opened']);
  });
});

describe('clicks that no person makes', () => {
  it.each([
    ['a click within two seconds after the delivery', 1900, true],
    ['a click later', 2100, false],
  ])('%s', async (_, afterMs, isMachine) => {
    const { trackingId } = await accepted(account);
    const owner = ownerOf((await resolve(logs).findHead(trackingId, app.clock.nowMs)) as never);
    const delivered = { channel: 'EMAIL', stage: 'delivered', atMs: app.clock.nowMs, fields: {} } as const;
    await resolve(logs).append(trackingId, owner, delivered);
    app.clock.nowMs += afterMs;
    await click(trackingId);
    expect((await eventsOf(trackingId)).includes('clicked_machine')).toBe(isMachine);
  });

  it('those on several links within a second count for none of them', async () => {
    const { trackingId } = await accepted(account);
    await click(trackingId);
    const seen = async () => isVisited(await resolve(logs).listEvents(trackingId, 'EMAIL'));
    expect(await seen()).toBe(true);
    app.clock.nowMs += 900;
    await click(trackingId, { link: 'https://shop.example.com/2' });
    expect(await eventsOf(trackingId)).toEqual(['clicked', 'clicked_machine']);
    expect(await seen()).toBe(false);
    app.clock.nowMs += 5000;
    await click(trackingId, { link: 'https://shop.example.com/3' });
    expect(await seen()).toBe(true);
  });
});

describe('GET /track/open/{token}', () => {
  it('returns an image without caching and records the first open', async () => {
    const { trackingId } = await accepted(account);
    const { status, response } = await open(trackingId);
    expect(status).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'image/gif', 'cache-control': 'no-store' });
    expect(response.isBase64Encoded).toBe(true);
    const image = Buffer.from(response.body, 'base64');
    expect([image.toString('latin1', 0, 6), image.readUInt16LE(6), image.readUInt16LE(8)]).toEqual([
      'GIF89a',
      1,
      1,
    ]);
    const first = await recordOf(account, trackingId);
    expect(first).toMatchObject({
      email_opened_at: new Date(app.clock.nowMs).toISOString(),
      email_opened_user_agent: VISITOR.user_agent,
      email_opened_ip: VISITOR.ip,
    });
    app.clock.nowMs += 60_000;
    expect((await open(trackingId)).status).toBe(200);
    expect(await recordOf(account, trackingId)).toEqual(first);
    expect(await eventsOf(trackingId)).toEqual(['opened']);
  });
});

describe('GET /track/click/{token}', () => {
  it('redirects to the link and records its first click', async () => {
    const { trackingId } = await accepted(account);
    const tags = { place: ['footer'] };
    const { status, response } = await click(trackingId, { tags });
    expect([status, response.body]).toEqual([302, '']);
    expect(response.headers).toMatchObject({
      location: 'https://shop.example.com/o/1?a=%C3%BC&b=%222%22',
      'cache-control': 'no-store',
    });
    const first = await recordOf(account, trackingId);
    expect(first).toMatchObject({
      email_clicked_at: new Date(app.clock.nowMs).toISOString(),
      email_clicked_user_agent: VISITOR.user_agent,
      email_clicked_ip: VISITOR.ip,
      email_clicked_link: LINK,
      email_clicked_link_tags: JSON.stringify(tags),
    });
    app.clock.nowMs += 60_000;
    expect((await click(trackingId, { tags })).status).toBe(302);
    expect(await eventsOf(trackingId)).toEqual(['clicked']);
    expect((await click(trackingId, { link: 'https://shop.example.com/' })).status).toBe(302);
    expect(await eventsOf(trackingId)).toEqual(['clicked', 'clicked']);
    expect(await recordOf(account, trackingId)).toEqual(first);
  });

  it('records no tags for a link without tags', async () => {
    const { trackingId } = await accepted(account);
    await click(trackingId);
    expect(await recordOf(account, trackingId)).not.toHaveProperty('email_clicked_link_tags');
  });
});

it('responds as usual for messages whose log has expired, and records nothing', async () => {
  const { trackingId } = await accepted(account);
  app.clock.nowMs += 400 * 86_400_000;
  for (const gone of [trackingId, newTrackingId(START_MS)]) {
    expect((await open(gone)).status).toBe(200);
    expect((await click(gone)).status).toBe(302);
    expect(await eventsOf(gone)).toEqual([]);
  }
});

it('redirects and returns the pixel when the log cannot be written', async () => {
  const { trackingId } = await accepted(account);
  const stored = resolve(logs);
  const findSentHead = stored.findSentHead;
  stored.findSentHead = async () => {
    throw new Error('the table is down');
  };
  try {
    expect((await open(trackingId)).status).toBe(200);
    expect((await click(trackingId)).status).toBe(302);
  } finally {
    stored.findSentHead = findSentHead;
  }
});

it('reports the first open and the first click on each link to webhooks', async () => {
  const { trackingId } = await accepted(account);
  for (const visit of [open, click, open, click]) await visit(trackingId);
  await click(trackingId, { link: 'https://shop.example.com/', tags: { place: ['top'] } });
  const calls = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
  const raised = calls.map(({ eventType, body }) => ({ eventType, ...JSON.parse(body) }));
  expect(raised).toHaveLength(3);
  const named = { channel: 'EMAIL', userId: 'ada', notificationId: 'welcome', trackingId };
  expect(raised).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ eventType: 'EMAIL_OPEN', ...named }),
      expect.objectContaining({ eventType: 'EMAIL_CLICK', ...named, clickedLink: LINK }),
      expect.objectContaining({
        clickedLink: 'https://shop.example.com/',
        clickedLinkTags: '{"place":["top"]}',
      }),
    ]),
  );
});

describe('a tracking token that this service did not sign', () => {
  it.each([
    ['has another link', (token: string) => withLink(token, 'https://evil.example')],
    ['has another signature', (token: string) => `${token.slice(0, -4)}AAAA`],
    ['has no signature', (token: string) => token.split('.')[0] ?? ''],
    ['has more parts', (token: string) => `${token}.x`],
    ['is not a token', () => 'x'],
  ])('fails when it %s', async (_, tamper) => {
    const trackingId = newTrackingId(START_MS);
    const tracked = { trackingId, link: LINK, tags: {} };
    const click = tamper(await writeClickToken(resolve(signer), tracked));
    const open = tamper(await writeOpenToken(resolve(signer), trackingId));
    for (const [handler, token] of [
      [trackClick, click],
      [trackOpen, open],
    ] as const) {
      const { status, json, response } = await call(handler, { path: { token } });
      expect([status, json.error.code, response.headers.location]).toEqual([
        400,
        'INVALID_REQUEST',
        undefined,
      ]);
    }
  });

  it('fails at the endpoint of the other kind', async () => {
    const trackingId = newTrackingId(START_MS);
    const open = await writeOpenToken(resolve(signer), JSON.stringify([trackingId, LINK, {}]));
    expect((await call(trackClick, { path: { token: open } })).status).toBe(400);
    const click = await writeClickToken(resolve(signer), { trackingId, link: LINK, tags: {} });
    expect((await call(trackOpen, { path: { token: click } })).status).toBe(400);
  });
});

function withLink(token: string, link: string): string {
  const payload = Buffer.from(JSON.stringify([newTrackingId(START_MS), link, {}])).toString('base64url');
  return `${payload}.${token.split('.')[1]}`;
}

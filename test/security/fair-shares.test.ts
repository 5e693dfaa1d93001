import { beforeEach, describe, expect, it } from 'vitest';
import { bucket } from '../../shared/blobs/blobs.ts';
import type { DeliveryOutcome, EmailDelivery, WebPushDelivery } from '../../shared/channels/channel.ts';
import { fetchInTime } from '../../shared/channels/email/content/attachments.ts';
import { createWebPushProvider } from '../../shared/channels/web-push/web-push.ts';
import { generateVapidPair } from '../../shared/encryption/vapid.ts';
import { createFairClient } from '../../shared/http-client/fair-client.ts';
import type {
  GuardedClient,
  GuardedRequest,
  GuardedResponse,
} from '../../shared/http-client/guarded-client.ts';
import { guardedClient } from '../../shared/providers/clients/http-clients.ts';
import { ownShare } from '../../shared/providers/order/own-share.ts';
import { mediaCopier } from '../../shared/providers/phone/phone.ts';
import { replace, resolve } from '../../shared/runtime/dependency.ts';
import { startPushService } from '../support/fakes/push-service.ts';
import { withSettings } from '../support/workers.ts';

const OK: GuardedResponse = {
  kind: 'response',
  status: 200,
  headers: {},
  body: Buffer.from('file'),
  truncated: false,
  durationMs: 1,
};

/** Requests to slow hosts hang until `end`; all others return immediately. */
let hanging: { request: GuardedRequest; end: (response: GuardedResponse) => void }[];
let asked: string[];
beforeEach(() => {
  hanging = [];
  asked = [];
});
const guarded: GuardedClient = {
  request(request) {
    asked.push(request.url);
    if (!request.url.includes('slow')) return Promise.resolve(OK);
    const { promise, resolve } = Promise.withResolvers<GuardedResponse>();
    hanging.push({ request, end: resolve });
    return promise;
  },
};
async function endAll(response: GuardedResponse) {
  while (hanging.length > 0) {
    for (const { end } of hanging.splice(0)) end(response);
    await new Promise(setImmediate);
  }
}
const turn = () => new Promise(setImmediate);

const vapid = { ...generateVapidPair(), subject: 'mailto:ops@example.com' };
const service = await startPushService();
await service.close();
const { sub: keys } = service.subscribe(vapid.publicKey);

function webPush(now = () => 0) {
  const provider = createWebPushProvider({ guarded: createFairClient(guarded, { now }), now });
  return (accountId: string, hosts: readonly string[], overrides: Partial<WebPushDelivery> = {}) =>
    provider.deliver({
      trackingId: 't',
      accountId,
      environmentId: 'e',
      notificationId: 'n',
      userId: 'u',
      attempt: 1,
      subscriptions: hosts.map((host, index) => ({
        sub: { ...keys, endpoint: `https://${host}/${index}` },
      })),
      title: 'T',
      message: 'M',
      vapid,
      ...overrides,
    });
}
const slowHosts = (count: number, of = 'a') =>
  Array.from({ length: count }, (_, index) => `slow${of}${index}.example`);

describe('web push of an account whose hosts hang', () => {
  it('occupies few places, and returns everything else to the queue without a call', async () => {
    const deliver = webPush();
    const started = Array.from({ length: 1000 }, (_, user) => deliver('slow', slowHosts(100, `${user}-`)));
    await turn();
    expect(asked.length).toBeLessThanOrEqual(100);
    const other = await deliver('other', ['push.example']);
    expect(other.kind).toBe('sent');
    await endAll({ kind: 'timeout' });
    const kinds = Object.groupBy(await Promise.all(started), ({ kind }) => kind);
    expect(kinds.postponed?.length).toBeGreaterThanOrEqual(990);
    expect(asked.length).toBeLessThanOrEqual(111);
  });

  it("leaves places for the account's responding hosts and for other hosts when a known one hangs", async () => {
    const deliver = webPush();
    await deliver('slow', ['push.example']);
    const started = Array.from({ length: 50 }, (_, user) => deliver('slow', slowHosts(1, `${user}-`)));
    expect((await deliver('slow', ['push.example'])).kind).toBe('sent');
    await endAll({ kind: 'timeout' });
    await Promise.all(started);
  });

  it('limits requests in progress at a host that responded before', async () => {
    const deliver = webPush();
    const first = deliver('busy', ['slow-later.example']);
    await turn();
    await endAll(OK);
    expect((await first).kind).toBe('sent');
    const burst = Array.from({ length: 500 }, () => deliver('busy', ['slow-later.example']));
    await turn();
    expect(hanging).toHaveLength(100);
    await endAll(OK);
    const kinds = Object.groupBy(await Promise.all(burst), ({ kind }) => kind);
    expect([kinds.sent?.length, kinds.postponed?.length]).toEqual([100, 400]);
    const later = deliver('busy', ['slow-later.example']);
    await turn();
    await endAll(OK);
    expect((await later).kind).toBe('sent');
  });

  it('counts as an attempt when one endpoint was called, and not when all were postponed', async () => {
    const clock = { nowMs: 0 };
    const deliver = webPush(() => clock.nowMs);
    for (let round = 0; round < 2; round += 1) {
      const failing = deliver('slow', ['slow.example']);
      await turn();
      await endAll({ kind: 'timeout' });
      expect((await failing).kind).toBe('retry');
    }
    const resting = await deliver('slow', ['slow.example']);
    expect(resting).toMatchObject({
      kind: 'postponed',
      afterSeconds: 15,
      failure: { code: 'UNKNOWN', internal: 'push service: it keeps failing' },
    });
    expect((await deliver('slow', ['slow.example', 'push.example'])).kind).toBe('sent');
  });
});

it("does not delay another account's email or use up its retries when attachments hang", async () => {
  const fair = createFairClient(guarded, { atOnceMax: 3, now: () => 0 });
  const email = (accountId: string, host: string) =>
    fetchInTime(
      fair,
      {
        accountId,
        attachments: [{ filename: 'a.txt', url: `https://${host}/a` }],
        attempt: 1,
      } as EmailDelivery,
      10_000,
    );
  const started = Array.from({ length: 60 }, () => email('slow', 'slow.example'));
  await turn();
  expect(hanging).toHaveLength(3);
  expect(await email('other', 'files.example')).toMatchObject({ ok: true });
  await endAll({ kind: 'timeout' });
  const ends = (await Promise.all(started)).map((each) => (each.ok ? 'ok' : each.failure.kind));
  expect(ends.filter((kind) => kind === 'postponed')).toHaveLength(57);
});

it("copies another account's media while hanging media wait on the queue", async () => {
  replace(guardedClient, () => guarded);
  replace(bucket, () => ({ put: async () => {} }) as never);
  await withSettings({ BLOB_BUCKET: 'files' }, async () => {
    const copy = resolve(mediaCopier);
    const started = Array.from({ length: 60 }, (_, index) => copy(`https://slow.example/${index}`, 'slow'));
    await turn();
    expect(hanging).toHaveLength(10);
    expect(await copy('https://files.example/a', 'other')).toMatchObject({ s3Url: expect.any(String) });
    await endAll({ kind: 'timeout' });
    const ends = await Promise.all(started);
    expect(ends.filter((end) => 'waitSeconds' in end)).toHaveLength(50);
    expect(await copy('https://slow.example/later', 'slow')).toEqual({
      failed: 'its host keeps failing',
      temporary: true,
    });
    expect(hanging).toEqual([]);
  });
});

it("limits deliveries through an account's hanging mail server, then pauses them", async () => {
  let nowMs = 0;
  const down: DeliveryOutcome<'EMAIL'> = { kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'timeout' };
  const waiting: PromiseWithResolvers<DeliveryOutcome<'EMAIL'>>[] = [];
  const deliver = async () => {
    const gate = Promise.withResolvers<DeliveryOutcome<'EMAIL'>>();
    waiting.push(gate);
    return gate.promise;
  };
  const own = ownShare({ name: 'smtp:mine', deliver }, () => nowMs);
  const started = Array.from({ length: 60 }, () => own.deliver({} as EmailDelivery));
  await turn();
  expect(waiting).toHaveLength(3);
  nowMs += 15_000;
  for (const { resolve: end } of waiting) end(down);
  const kinds = Object.groupBy(await Promise.all(started), ({ kind }) => kind);
  expect([kinds.retry?.length, kinds.postponed?.length]).toEqual([3, 57]);
  expect(await own.deliver({} as EmailDelivery)).toMatchObject({
    ...{ kind: 'retry', notAccepted: 'unreachable', afterSeconds: 30 },
  });
  expect(waiting).toHaveLength(3);
  nowMs += 30_000;
  const later = own.deliver({} as EmailDelivery);
  waiting.at(-1)?.resolve({ kind: 'sent', fields: {} });
  expect((await later).kind).toBe('sent');
});

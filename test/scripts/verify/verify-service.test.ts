import { describe, expect, it } from 'vitest';
import { listEnvironmentsRoute } from '../../../functions/environments/routes.ts';
import { getUserRoute } from '../../../functions/users/routes.ts';
import { getEventWebhookRoute, testEventWebhookRoute } from '../../../functions/webhooks/routes.ts';
import { readParameters } from '../../../infra/aws/parameters/parameters.ts';
import type { OpenSocket } from '../../../scripts/verify/channels.ts';
import type { Deployed } from '../../../scripts/verify/deployed.ts';
import { type Row, tableOf } from '../../../scripts/verify/rows.ts';
import { createService, type Log, type Service } from '../../../scripts/verify/service.ts';
import { verifyService } from '../../../scripts/verify/verify-service.ts';
import { userHashOf } from '../../../shared/http/access/user-hash.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { startHttpFake } from '../../support/fakes/http-fake.ts';

const AT = '2026-11-25T10:00:00.000Z';
const DEPLOYED: Deployed = {
  baseUrl: 'https://api.test',
  webSocketUrl: 'wss://ws.test/live',
  userPoolId: 'pool',
  channels: CHANNELS,
  settings: {
    EMAIL_PROVIDER: 'ses',
    SMS_PROVIDER: 'aws',
    PHONE_ORIGINATION_IDENTITY: 'phone-1',
    EMAIL_RECEIPTS: 'all',
  },
  parameters: readParameters({}),
};
const sentEmail = { email_routing: 'SEND', email_sent_at: AT };

/** What AWS documents for each address of SES's simulator and for the number of End User Messaging's. */
const LOGS: Record<string, Log> = {
  'success@simulator.amazonses.com': { ...sentEmail, email_delivered_at: AT },
  'ooto@simulator.amazonses.com': {
    ...sentEmail,
    email_delivered_at: AT,
    email_delivered_internal: '{"bounceType":"Transient"}',
  },
  'bounce@simulator.amazonses.com': {
    ...sentEmail,
    email_failed_at: AT,
    email_failed_code: 'PERMANENT_GENERAL_BOUNCE',
  },
  'complaint@simulator.amazonses.com': {
    ...sentEmail,
    email_delivered_at: AT,
    email_failed_at: AT,
    email_failed_code: 'ABUSE_COMPLAINT',
  },
  'suppressionlist@simulator.amazonses.com': {
    ...sentEmail,
    email_failed_at: AT,
    email_failed_code: 'PERMANENT_SUPPRESSED_BOUNCE',
  },
  '+14254147755': { sms_routing: 'SEND', sms_sent_at: AT, sms_delivered_at: AT },
};

/** Responses of the routes, with a test's changes. */
const [ENVIRONMENT] = listEnvironmentsRoute.example.response.environments;
const USER = getUserRoute.example.response;
const TESTED = testEventWebhookRoute.example.response;
const WEBHOOK = getEventWebhookRoute.example.response;
const [ATTEMPT] = WEBHOOK.attempts;

type Responses = {
  logs?: Record<string, Log>;
  attempts?: { status: number; error?: string }[];
  /** How often API Gateway decodes a path before the service does. */
  finds?: (path: string) => string | undefined;
  cancels?: number;
};

/** The service as it is deployed, with what it sends to sockets. */
function fakeService({ logs = {}, attempts = [{ status: 405 }], finds, cancels = 200 }: Responses = {}) {
  const requests: string[] = [];
  let push = (_: string) => {};
  const sent = new Map<string, { type: string; to: { email?: string; number?: string } }>();
  const decoded = finds ?? decodedOnce;
  const service: Service = {
    async ask(method, path, body) {
      requests.push(`${method} ${path.split('/').slice(0, 3).join('/')}`);
      if (path === '/environments')
        return ok({ environments: [{ ...ENVIRONMENT, clientId: 'env', clientSecret: 'secret' }] });
      if (path.startsWith('/users/'))
        return ok({ ...USER, id: decoded(path.slice('/users/'.length)) ?? 'other' });
      if (method === 'DELETE') return { status: cancels, body: {} };
      if (path === '/webhooks/events/test') return ok({ ...TESTED, webhookMessageId: 'msg-1' });
      if (method === 'GET')
        return ok({
          ...WEBHOOK,
          attempts: attempts.map((each) => ({ ...ATTEMPT, webhookMessageId: 'msg-1', ...each })),
        });
      return ok(body);
    },
    async send(body) {
      const request = body as { type: string; to: { email?: string }; inapp?: { title: string } };
      const trackingId = `t-${sent.size}`;
      sent.set(trackingId, request);
      if (request.inapp?.title === 'Verification') push(JSON.stringify({ payload: [request.inapp] }));
      return trackingId;
    },
    async logged(trackingId) {
      const to = sent.get(trackingId)?.to;
      const address = to?.email ?? to?.number ?? '';
      return logs[address] ?? LOGS[address] ?? {};
    },
  };
  return { service, requests, sent, onPush: (to: (text: string) => void) => (push = to) };
}
const ok = (body: unknown) => ({ status: 200, body });

/** `~` and base64url, or percent-encoded and decoded once. */
function decodedOnce(text: string): string {
  return text.startsWith('~') ? Buffer.from(text.slice(1), 'base64url').toString() : decodeURIComponent(text);
}

/** A socket that API Gateway opens, or not. `response`: what it sends for a ping. */
function sockets(onPush: (to: (text: string) => void) => void, { isRefused = false, response = '' } = {}) {
  const urls: string[] = [];
  const pings: string[] = [];
  const openSocket: OpenSocket = (url) => {
    urls.push(url);
    const socket: ReturnType<OpenSocket> = {
      onopen: null,
      onmessage: null,
      onerror: null,
      send(text) {
        pings.push(text);
        if (response) socket.onmessage?.({ data: response });
      },
      close: () => {},
    };
    onPush((data) => socket.onmessage?.({ data }));
    queueMicrotask(() => (isRefused ? socket.onerror?.() : socket.onopen?.()));
    return socket;
  };
  return { openSocket, urls, pings };
}

async function verify(
  responses: Responses = {},
  deployed: Partial<Deployed> = {},
  socket = {},
): Promise<Row[]> {
  const { service, onPush } = fakeService(responses);
  const { openSocket } = sockets(onPush, socket);
  const means = { openSocket, pause: async () => {}, nowMs: () => Date.parse(AT) };
  return verifyService(service, { ...DEPLOYED, ...deployed }, means);
}
const stateOf = (rows: readonly Row[], part: string) => rows.find((row) => row.part === part);
const failedIn = (rows: readonly Row[]) =>
  rows.filter(({ state }) => state === 'failed').map(({ part }) => part);

describe('npm run verify', () => {
  it('finds that everything works, and names what it cannot try', async () => {
    const rows = await verify();
    expect(failedIn(rows)).toEqual([]);
    expect(rows.filter(({ state }) => state === 'works').map(({ part }) => part)).toEqual([
      'email: delivered',
      'email: out of the office',
      'email: bounced',
      'email: complained',
      'email: is suppressed',
      'text messages',
      'in-app messages',
      'webhooks',
      'schedules',
      'IDs in paths',
    ]);
    expect(rows.filter(({ state }) => state === 'not configured').map(({ part }) => part)).toEqual([
      'calls',
      'mobile push',
      'web push',
      'chat',
    ]);
  });

  it('opens the WebSocket as the user in secure mode, and pings', async () => {
    const { service, onPush } = fakeService();
    const { openSocket, urls, pings } = sockets(onPush);
    await verifyService(service, DEPLOYED, { openSocket, pause: async () => {}, nowMs: Date.now });
    const query = new URL(urls[0] ?? '').searchParams;
    expect([query.get('userId'), query.get('envId'), query.get('userIdHash')]).toEqual([
      'inbox',
      'env',
      userHashOf('secret', 'inbox'),
    ]);
    expect(pings).toEqual(['ping']);
  });

  it.each([
    [
      'a bounce of which SES reports nothing',
      { logs: { 'bounce@simulator.amazonses.com': sentEmail } },
      'email: bounced',
      /event destination/,
    ],
    [
      'no delivery receipt',
      { logs: { 'success@simulator.amazonses.com': sentEmail } },
      'email: delivered',
      /event destination/,
    ],
    [
      'no verified sender',
      {
        logs: {
          'success@simulator.amazonses.com': { email_failed_at: AT, email_failed_code: 'UNVERIFIED_SENDER' },
        },
      },
      'email: delivered',
      /Send real email/,
    ],
    [
      'an email that is not sent',
      { logs: { 'complaint@simulator.amazonses.com': {} } },
      'email: complained',
      /oldest-message/,
    ],
    [
      'an email that is withheld',
      { logs: { 'success@simulator.amazonses.com': { email_routing: 'IGNORE' } } },
      'email: delivered',
      /logs/,
    ],
    [
      'a text message that is withheld',
      { logs: { '+14254147755': { sms_routing: 'OFF', sms_routing_reason: 'CHANNEL_NOT_OF_TYPE' } } },
      'text messages',
      /logs/,
    ],
    [
      'a text message that fails',
      { logs: { '+14254147755': { sms_failed_at: AT, sms_failed_code: '21612' } } },
      'text messages',
      /delivery-log/,
    ],
    [
      'a webhook that cannot be called',
      { attempts: [{ status: 0, error: 'refused' }] },
      'webhooks',
      /call-webhooks/,
    ],
    ['a webhook that is never called', { attempts: [] }, 'webhooks', /call-webhooks/],
    ['a schedule that cannot be cancelled', { cancels: 500 }, 'schedules', /api-errors/],
    ['a path that leads to another user', { finds: () => 'somebody else' }, 'IDs in paths', /IDs of/],
  ] as const)('reports %s, with the fix', async (_, responses, part, fix) => {
    const rows = await verify(responses as Responses);
    expect(failedIn(rows)).toEqual([part]);
    expect(stateOf(rows, part)?.fix).toMatch(fix);
  });

  it.each([
    ['is refused', { isRefused: true }],
    ['answers a ping with an error', { response: '{"message": "Internal server error"}' }],
  ])('reports a WebSocket that %s', async (_, socket) => {
    expect(failedIn(await verify({}, {}, socket))).toEqual(['in-app messages']);
  });

  it('says how API Gateway decodes paths, and relies on neither', async () => {
    const finds = (text: string) =>
      text.startsWith('~') ? decodedOnce(text) : decodeURIComponent(decodedOnce(text));
    const rows = await verify({ finds });
    expect(stateOf(rows, 'IDs in paths')).toMatchObject({
      state: 'works',
      detail: expect.stringContaining('differently'),
    });
  });

  it('tries only what is configured', async () => {
    const only = await verify(
      {},
      { channels: ['EMAIL'], settings: { ...DEPLOYED.settings, EMAIL_PROVIDER: 'smtp' } },
    );
    expect(only.filter(({ part }) => part.startsWith('email'))).toEqual([
      expect.objectContaining({ part: 'email: sent', state: 'works' }),
    ]);
    for (const part of ['text messages', 'in-app messages'])
      expect(stateOf(only, part)?.state).toBe('not configured');
    const twilio = { ...DEPLOYED.settings, SMS_PROVIDER: 'twilio,aws' };
    expect(stateOf(await verify({}, { settings: twilio }), 'text messages')?.state).toBe('not configured');
    const noNumber = { ...DEPLOYED.settings, PHONE_ORIGINATION_IDENTITY: '' };
    expect(stateOf(await verify({}, { settings: noNumber }), 'text messages')?.state).toBe('not configured');
    const failures = await verify({}, { settings: { ...DEPLOYED.settings, EMAIL_RECEIPTS: 'failures' } });
    expect(failures[0]).toMatchObject({ part: 'email: sent', state: 'works' });
  });

  it('uses each type for one part: a type has the channels of its first use', async () => {
    const { service, sent, onPush } = fakeService();
    const means = { openSocket: sockets(onPush).openSocket, pause: async () => {}, nowMs: Date.now };
    await verifyService(service, DEPLOYED, means);
    const channels = Map.groupBy(sent.values(), ({ type }) => type);
    const contents = ['email', 'sms', 'inapp'] as const;
    for (const [type, requests] of channels) {
      const used = requests.map((request) => contents.filter((each) => each in request).join());
      expect([type, new Set(used).size]).toEqual([type, 1]);
    }
    expect(channels.size).toBeGreaterThan(2);
  });

  it('goes on when a part throws', async () => {
    const { service, onPush } = fakeService();
    const send: Service['send'] = async () => {
      throw new Error('POST send: status 503');
    };
    const means = { openSocket: sockets(onPush).openSocket, pause: async () => {}, nowMs: Date.now };
    const rows = await verifyService({ ...service, send }, DEPLOYED, means);
    expect(failedIn(rows)).toEqual(['email', 'text messages', 'in-app messages', 'schedules']);
    expect(stateOf(rows, 'email')?.detail).toBe('POST send: status 503');
  });
});

describe('the table of a verification', () => {
  it('shows what failed last, with its fix', () => {
    const rows: Row[] = [
      { part: 'alarms', state: 'failed', detail: 'On: a.', fix: 'Read the runbook.' },
      { part: 'email', state: 'works', detail: 'delivered' },
      { part: 'calls', state: 'not configured', detail: 'Call your own.' },
    ];
    expect(tableOf(rows)).toBe(
      [
        'email   works           delivered',
        'calls   not configured  Call your own.',
        'alarms  failed          On: a.',
        '                        Fix: Read the runbook.',
      ].join('\n'),
    );
  });
});

describe('the service of a verification', () => {
  it('waits for the log, and gives up with what it has', async () => {
    let reads = 0;
    const fake = await startHttpFake(({ path, headers }) => {
      if (headers.authorization !== 'Bearer nds_sk_1') return { status: 401, body: {} };
      if (path === '/send') return { status: 200, body: { trackingId: 't-1' } };
      reads += 1;
      return { status: 200, body: { logs: [reads > 1 ? { email_sent_at: AT } : {}] } };
    });
    try {
      const service = createService({ baseUrl: fake.url, secretKey: 'nds_sk_1', waitMs: 5000, pauseMs: 1 });
      const trackingId = await service.send({ type: 'verification' });
      expect(await service.logged(trackingId, (log) => log.email_sent_at !== undefined)).toEqual({
        email_sent_at: AT,
      });
      const hasty = createService({ baseUrl: fake.url, secretKey: 'nds_sk_1', waitMs: 0, pauseMs: 1 });
      expect(await hasty.logged(trackingId, () => false)).toEqual({ email_sent_at: AT });
      const stranger = createService({ baseUrl: fake.url, secretKey: 'wrong', waitMs: 0, pauseMs: 1 });
      await expect(stranger.send({})).rejects.toThrow('POST send: status 401');
    } finally {
      await fake.close();
    }
  });
});

import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import packageJson from '../../client/package.json' with { type: 'json' };
import { createClient } from '../../client/src/client.ts';
import { ConnectionError, ServiceError } from '../../client/src/errors.ts';
import { OPERATIONS } from '../../client/src/generated/operations.ts';
import { userHash } from '../../client/src/user-hash.ts';
import { verifyWebhook, WebhookVerificationError } from '../../client/src/webhooks.ts';
import { ROUTES } from '../../functions/routes.ts';
import { readPathValue } from '../../shared/http/endpoint/path-value.ts';
import { decodedPath } from '../../shared/http/rows/routing.ts';
import { Webhook } from '../support/webhook.ts';
import { startDouble } from './service-double.ts';

const OK = { status: 200, body: { trackingId: 't', messages: [] } };
const BODY = { type: 'welcome', to: { id: 'ada' } };
const stops: (() => void)[] = [];

async function clientOn(...replies: Parameters<typeof startDouble>) {
  const double = await startDouble(...replies);
  stops.push(double.stop);
  const client = createClient({ baseUrl: double.baseUrl, key: 'nds_sk_test', retriesMax: 2 });
  return { client, received: double.received, baseUrl: double.baseUrl };
}

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe("the client's operations", () => {
  it('cover every route that returns JSON to a program', () => {
    const covered = new Set(Object.values(OPERATIONS).map(([method, path]) => `${method} ${path}`));
    const missing = ROUTES.filter(({ method, path }) => !covered.has(`${method} ${path}`)).map(
      ({ id }) => id,
    );
    expect(missing.sort()).toMatchInlineSnapshot(`
      [
        "confirmEmail",
        "downloadExport",
        "getAttachment",
        "getErrorsPage",
        "getOpenapi",
        "getOriginal",
        "receivePaymentEvent",
        "receiveTelnyxCallback",
        "receiveTwilioCallback",
        "savePreferencesPage",
        "sender",
        "showConfirmEmail",
        "showPreferencesPage",
        "showUnsubscribe",
        "trackClick",
        "trackOpen",
        "unsubscribe",
      ]
    `);
  });
});

describe('a client call', () => {
  it('sends the key, the encoded path and the body', async () => {
    const { client, received } = await clientOn({ status: 200, body: { id: 'a/b' } });
    await client.users.save('a/b ü', { email: 'ada@example.com' });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/users/~YS9iIMO8',
        body: '{"email":"ada@example.com"}',
        headers: { authorization: 'Bearer nds_sk_test', 'content-type': 'application/json' },
      },
    ]);
  });

  it.each([
    ['Ada_1.b-c', 'Ada_1.b-c'],
    ['ada@example.com', '~YWRhQGV4YW1wbGUuY29t'],
    ['50% off?', '~NTAlIG9mZj8'],
    ['%41', '~JTQx'],
    ['a..b', 'a..b'],
    ['~YQ', '~fllR'],
    ['ü😀', '~w7zwn5iA'],
    ['a,b', '~YSxi'],
  ])('writes the ID %j as %s, which no decoding changes', async (userId, segment) => {
    const { client, received } = await clientOn({ status: 200, body: { id: userId } });
    await client.users.get(userId);
    expect(received[0]?.url).toBe(`/users/${segment}`);
    expect(decodedPath(`/users/${segment}`)).toEqual({
      matched: `/users/${segment}`,
      raw: `/users/${segment}`,
    });
    expect(readPathValue(segment)).toBe(userId);
  });

  it('separates several tracking IDs by commas', async () => {
    const { client, received } = await clientOn(
      { status: 200, body: { logs: [] } },
      { status: 200, body: { logs: [] } },
    );
    await client.logs.get(['a', 'c']);
    await client.logs.get(['a b', 'c']);
    expect(received.map(({ url }) => url)).toEqual([
      '/logs/a,c',
      `/logs/~${Buffer.from('a b,c').toString('base64url')}`,
    ]);
  });

  it('sends the user ID from a browser', async () => {
    const { baseUrl, received } = await clientOn({ status: 200, body: { notifications: [] } });
    const browser = createClient({ baseUrl, key: 'nds_pk_test', user: { id: 'ada', hash: 'abc=' } });
    await browser.inapp.list();
    expect(received[0]?.headers).toMatchObject({ 'x-user-id': 'ada', 'x-user-hash': 'abc=' });
  });

  it.each(['José', '李雷 😀', 'ada '])(
    'sends user ID and idempotency key %s, which no header can have',
    async (text) => {
      const { baseUrl, received } = await clientOn({ status: 200, body: { notifications: [] } });
      const browser = createClient({ baseUrl, key: 'nds_pk_test', user: { id: text } });
      await browser.inapp.list({ count: 5 });
      await browser.users.get(text);
      await browser.send(BODY, { idempotencyKey: text });
      const [list, user, sent] = received;
      expect(list?.url).toBe(`/user/inapp?${new URLSearchParams({ userId: text, count: '5' })}`);
      expect(user?.url).toMatch(/^\/users\/~[\w-]+$/);
      expect(sent?.headers['idempotency-key']).toMatch(/^(%[0-9A-F]{2}|[ -~])+$/);
      for (const { headers } of received) expect(headers).not.toHaveProperty('x-user-id');
    },
  );

  it.each([
    ['a number that JSON lacks', { n: 10n }, {}],
    ['a header with other characters', {}, { headers: { 'x-name': 'José 李' } }],
  ])('rejects %s at once, and not as a failure of the network', async (_, parameters, options) => {
    const { client, received } = await clientOn(OK);
    await expect(client.send({ ...BODY, parameters }, options)).rejects.toThrow(TypeError);
    expect(received).toEqual([]);
  });

  it('rejects a missing path parameter before sending anything', async () => {
    const { client, received } = await clientOn(OK);
    expect(() => client.users.get('')).toThrow(TypeError);
    expect(received).toEqual([]);
  });

  it('returns undefined for 204', async () => {
    const { client } = await clientOn({ status: 204 });
    expect(await client.pushSettings.deleteApnConfig()).toBeUndefined();
  });

  it('reports an error body as a ServiceError', async () => {
    const body = {
      trackingId: 'r1',
      error: { code: 'MISSING_RECIPIENT', message: 'No recipient.', fix: 'Name one.' },
    };
    const { client, received } = await clientOn({ status: 400, body });
    const error = await client.send(BODY).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      status: 400,
      code: 'MISSING_RECIPIENT',
      fix: 'Name one.',
      trackingId: 'r1',
    });
    expect(received).toHaveLength(1);
  });

  it.each(['.', '..'])('rejects the path parameter %s, which a URL drops', async (id) => {
    const { client, received } = await clientOn(OK);
    expect(() => client.users.delete(id)).toThrow(`userId must not be ${id}`);
    expect(received).toEqual([]);
  });

  it('reports a page of another server, whatever its status', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, text: '<h1>Welcome</h1>' };
    const { client, received } = await clientOn(page);
    const error = await client.send(BODY).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 200, code: 'HTTP_200', fix: 'Check baseUrl.' });
    expect(received).toHaveLength(1);
    const proxy = await clientOn({ ...page, status: 502, text: '<h1>Bad gateway</h1>' }, OK);
    expect(await proxy.client.send(BODY)).toEqual(OK.body);
  });

  it('reports any other error response by its status', async () => {
    const { client } = await clientOn({ status: 404, body: { message: 'Not Found' } });
    await expect(client.users.get('ada')).rejects.toMatchObject({ status: 404, code: 'HTTP_404' });
  });
});

describe('retries', () => {
  it('repeat a send under the same idempotency key', async () => {
    const { client, received } = await clientOn({ status: 500 }, 'cut', OK);
    expect(await client.send(BODY)).toEqual(OK.body);
    const keys = new Set(received.map(({ headers }) => headers['idempotency-key']));
    expect([received.length, keys.size]).toEqual([3, 1]);
  });

  it('end with the last error', async () => {
    const { client, received } = await clientOn({ status: 503 });
    await expect(client.send(BODY)).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(3);
  });

  it.each([
    ['seconds', '2', 2_000],
    ['fractions of a second', '1.5', 1_500],
    ['a date', new Date(3_000).toUTCString(), 3_000],
    ['a time too long to wait', '86400', 60_000],
  ])('wait as long as Retry-After specifies in %s', async (_what, retryAfter, ms) => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const replies = [
      () => new Response('', { status: 429, headers: { 'retry-after': retryAfter } }),
      () => Response.json(OK.body),
    ];
    const fetch = vi.fn(async () => (replies.shift() ?? Response.error)());
    const client = createClient({ baseUrl: 'https://api.example.com', key: 'k', fetch });
    const call = client.send(BODY);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual(OK.body);
  });

  it('end when the caller aborts before or during the pause', async () => {
    const busy = () => new Response('', { status: 429, headers: { 'retry-after': '60' } });
    for (const abortsInFetch of [true, false]) {
      const controller = new AbortController();
      const fetch = vi.fn(async () => {
        if (abortsInFetch) controller.abort(new Error('enough'));
        else setTimeout(() => controller.abort(new Error('enough')));
        return busy();
      });
      const client = createClient({ baseUrl: 'https://api.example.com', key: 'k', fetch });
      await expect(client.send(BODY, {}, { signal: controller.signal })).rejects.toThrow('enough');
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });

  it('do not repeat an invitation with an unknown outcome', async () => {
    const { client, received } = await clientOn('cut', OK);
    await expect(client.members.invite({ email: 'bob@example.com', role: 'admin' })).rejects.toBeInstanceOf(
      ConnectionError,
    );
    expect(received).toHaveLength(1);
  });

  it('repeat a creation that was rejected by a rate limit', async () => {
    const { client, received } = await clientOn({ status: 429, headers: { 'retry-after': '0' } }, OK);
    await client.keys.create({ keyType: 'secret', name: 'k' });
    expect(received).toHaveLength(2);
  });

  it('stop at a time limit for each attempt', async () => {
    const { client } = await clientOn('hang');
    const call = client.users.get('ada', { timeoutMs: 20, retriesMax: 0 });
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', isTimeout: true });
  });

  it('stop when the caller aborts', async () => {
    const { client, received } = await clientOn('hang');
    const controller = new AbortController();
    const call = client.users.get('ada', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(received.length).toBeLessThan(2);
  });
});

describe('a deletion', () => {
  const MISSING = { status: 400, body: { error: { code: 'RESOURCE_NOT_FOUND', message: 'Not found.' } } };

  it.each([['cut'], [{ status: 500 }]] as const)(
    'whose response was lost (%j) succeeds if nothing is left',
    async (lost) => {
      const { client, received } = await clientOn(lost, MISSING);
      expect(await client.types.delete('welcome')).toMatchObject({ message: expect.any(String) });
      expect(received).toHaveLength(2);
    },
  );

  it('whose response was lost is no success if what waited may have been sent', async () => {
    const code = 'SCHEDULE_RESOURCE_NOT_FOUND';
    const { client } = await clientOn('cut', {
      status: 400,
      body: { error: { code, message: 'Not found.' } },
    });
    await expect(client.waiting.cancel('w1')).rejects.toMatchObject({ code, isUnclear: true });
  });

  it.each([[[MISSING]], [[{ status: 429, headers: { 'retry-after': '0' } }, MISSING]]])(
    'of what never was fails: %j',
    async (replies) => {
      const { client } = await clientOn(...replies);
      await expect(client.types.delete('welcome')).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    },
  );
});

describe('the options of a call', () => {
  it('stand beside the query or after it', async () => {
    const { client, received } = await clientOn(OK);
    await client.send(BODY, { idempotencyKey: 'k1' });
    await client.send(BODY, { dryRun: true, idempotencyKey: 'k2' });
    await client.send(BODY, { dryRun: true }, { idempotencyKey: 'k3' });
    expect(received.map(({ url, headers }) => [url, headers['idempotency-key']])).toEqual([
      ['/send', 'k1'],
      ['/send?dryRun=true', 'k2'],
      ['/send?dryRun=true', 'k3'],
    ]);
    const aborted = client.logs.list({ limit: 2, signal: AbortSignal.abort(new Error('enough')) });
    await expect(aborted).rejects.toThrow('enough');
  });

  it('limit all attempts together', async () => {
    const { client, received } = await clientOn({ status: 503, headers: { 'retry-after': '30' } });
    await expect(client.users.get('ada', { deadlineMs: 5_000 })).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(1);
    const hanging = await clientOn('hang');
    const call = hanging.client.users.get('ada', { deadlineMs: 30 });
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', isTimeout: true });
    expect(hanging.received.length).toBeLessThan(2);
  });
});

describe('what a caller sees of a call', () => {
  it('is the response and its request ID, if asked for', async () => {
    const { client } = await clientOn({ ...OK, headers: { 'x-request-id': 'r7' } });
    const { data, response, requestId } = await client.send(BODY).withResponse();
    expect([data, response.status, requestId]).toEqual([OK.body, 200, 'r7']);
    expect(await response.json()).toEqual(OK.body);
  });

  it('is each attempt, by hooks of which the first may change headers', async () => {
    const double = await startDouble('cut', { ...OK, headers: { 'x-request-id': 'r8' } });
    stops.push(double.stop);
    const seen: unknown[] = [];
    const client = createClient({
      baseUrl: double.baseUrl,
      key: 'nds_sk_test',
      onRequest: ({ method, headers }) => {
        headers.traceparent = `trace-${seen.length}-${method}`;
      },
      onResponse: async ({ url, response, requestId, error, durationMs }) => {
        const { trackingId } = Object(await response?.json());
        seen.push([url, trackingId, requestId, error instanceof TypeError, durationMs >= 0]);
      },
    });
    await client.send(BODY);
    expect(seen).toEqual([
      [`${double.baseUrl}/send`, undefined, undefined, true, true],
      [`${double.baseUrl}/send`, 't', 'r8', false, true],
    ]);
    expect(double.received.map(({ headers }) => headers.traceparent)).toEqual([
      'trace-0-POST',
      'trace-1-POST',
    ]);
    expect(double.received[0]?.headers['user-agent']).toBe(
      `notification-delivery-client/${packageJson.version}`,
    );
  });

  it('is the whole error in JSON', async () => {
    const body = {
      trackingId: 'r1',
      error: {
        code: 'MISSING_RECIPIENT',
        message: 'No one.',
        fix: 'Name one.',
        errors: [{ path: 'to', code: 'MISSING_RECIPIENT', message: 'must have an ID' }],
      },
    };
    const { client } = await clientOn({ status: 400, body });
    const error = await client.send(BODY).catch((caught: unknown) => caught);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ServiceError',
      status: 400,
      trackingId: 'r1',
      ...body.error,
    });
  });
});

describe('createClient', () => {
  it.each([
    ['no key', { baseUrl: 'http://localhost:3000', key: undefined }, 'NDS_KEY'],
    ['an empty key', { baseUrl: 'http://localhost:3000', key: '' }, 'NDS_KEY'],
    ['no address', { baseUrl: '', key: 'nds_sk_test' }, 'baseUrl'],
    ['an address without a scheme', { baseUrl: 'api.example.com', key: 'nds_sk_test' }, 'baseUrl'],
  ])('throws at once with %s', (_what, options, named) => {
    expect(() => createClient(options)).toThrow(named);
  });
});

describe('types', () => {
  it('refuse what the service rejects', async () => {
    const { client, received } = await clientOn(OK);
    // @ts-expect-error: a type and a recipient
    await client.send({});
    // @ts-expect-error: a recipient
    await client.send({ type: 'welcome' });
    // @ts-expect-error: a recipient that can be found
    await client.send({ type: 'welcome', to: { timezone: 'Europe/Berlin' } });
    // @ts-expect-error: a type
    await client.sendMany([{ to: { id: 'ada' } }]).catch(() => undefined);
    // @ts-expect-error: texts have no HTML
    await client.templates.create('welcome', 'SMS', { html: '<p>Hi</p>' });
    // @ts-expect-error: no option
    await client.send({ type: 'welcome', to: { id: 'ada' } }, { signals: undefined });
    await client.templates.create('welcome', 'EMAIL', { html: '<p>Hi</p>', subject: 'Hi' });
    await client.send({ notificationId: 'welcome', user: { id: 'ada' } });
    expect(received).toHaveLength(8);
  });
});

describe('a paginated list', () => {
  it('requests nothing until it is awaited', async () => {
    const { client, received } = await clientOn({ status: 401 });
    const list = client.logs.list();
    expect(received).toHaveLength(0);
    await expect(list).rejects.toMatchObject({ status: 401 });
    await expect(list.catch(() => 'caught')).resolves.toBe('caught');
    expect(received).toHaveLength(1);
  });

  it('yields every item of every page', async () => {
    const { client, received } = await clientOn(
      { status: 200, body: { messages: [{ trackingId: '1' }, { trackingId: '2' }], nextCursor: 'n' } },
      { status: 200, body: { messages: [], nextCursor: 'm' } },
      { status: 200, body: { messages: [{ trackingId: '3' }] } },
    );
    const found: string[] = [];
    for await (const { trackingId } of client.logs.list({ limit: 2 })) found.push(trackingId);
    expect(found).toEqual(['1', '2', '3']);
    expect(received.map(({ url }) => url)).toEqual([
      '/logs?limit=2',
      '/logs?limit=2&cursor=n',
      '/logs?limit=2&cursor=m',
    ]);
  });

  it('resolves to its first page when awaited', async () => {
    const { client } = await clientOn({
      status: 200,
      body: { messages: [{ trackingId: '1' }], nextCursor: 'n' },
    });
    expect(await client.logs.list()).toMatchObject({ nextCursor: 'n' });
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  const body = JSON.stringify({ eventType: 'EMAIL_OPEN', trackingId: 't' });
  const at = new Date('2026-11-22T10:00:00Z');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', at, body)}`,
  };

  const upper = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toUpperCase(), text]));

  it('returns the event of a request that the standard library signed', async () => {
    expect(await verifyWebhook(secret, headers, body, at.getTime())).toEqual(JSON.parse(body));
    expect(await verifyWebhook(secret, new Headers(headers), body, at.getTime())).toEqual(JSON.parse(body));
  });

  it.each([
    ['bytes', headers, new TextEncoder().encode(body)],
    ['a Buffer', headers, Buffer.from(body)],
    ['names in any case', upper, body],
    ['another class of headers', { get: (name: string) => new Headers(headers).get(name) }, body],
    ['the headers of Node', { ...headers, 'set-cookie': ['a', 'b'], host: undefined }, body],
  ])('accepts %s', async (_what, given, raw) => {
    expect(await verifyWebhook(secret, given, raw, at.getTime())).toEqual(JSON.parse(body));
  });

  it.each([
    ['a parsed body', secret, JSON.parse(body), 'The body must be the raw text'],
    ['no secret', '', body, 'The webhook secret is missing'],
    ['a secret that is not base64', 'whsec_?', body, 'The webhook secret is missing or not base64'],
    ['an undefined secret', undefined as unknown as string, body, 'The webhook secret is missing'],
  ])('explains %s', async (_what, own, raw, message) => {
    const verified = verifyWebhook(own, headers, raw, at.getTime());
    await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);
    await expect(verified).rejects.toThrow(message);
  });

  it.each([
    ['a changed body', headers, `${body} `, at.getTime()],
    ['another id', { ...headers, 'webhook-id': 'msg_2' }, body, at.getTime()],
    ['a request that is six minutes old', headers, body, at.getTime() + 360_000],
    ['a request from the future', headers, body, at.getTime() - 360_000],
    ['no signature', { ...headers, 'webhook-signature': undefined }, body, at.getTime()],
    ['a signature of another version', { ...headers, 'webhook-signature': 'v2,AAAA' }, body, at.getTime()],
  ])('rejects %s', async (_what, given, text, nowMs) => {
    await expect(verifyWebhook(secret, given, text, nowMs)).rejects.toBeInstanceOf(WebhookVerificationError);
  });
});

describe('userHash', () => {
  it('equals base64 HMAC-SHA256 of the user ID', async () => {
    const expected = createHmac('sha256', 'secret').update('ada ü').digest('base64');
    expect(await userHash('secret', 'ada ü')).toBe(expected);
  });
});

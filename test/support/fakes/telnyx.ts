import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { type FakeRequest, type FakeResponse, type PhoneServer, startPhoneServer } from './phone-server.ts';

/** A fake Telnyx: messages, TeXML calls and number lookup, below `/v2`. */
export type FakeTelnyx = PhoneServer & {
  apiKey: string;
  accountSid: string;
  /** The JSON bodies that were posted, in order. */
  bodies(): Record<string, unknown>[];
  fail(...errors: TelnyxErrorResponse[]): void;
};

/** An error as Telnyx returns it. */
type TelnyxErrorResponse = { status: number; code?: string; detail?: string; retryAfter?: string };

const E164 = /^\+[1-9]\d{6,14}$/;

/** Starts the fake; well-formed requests succeed. */
export async function startFakeTelnyx(): Promise<FakeTelnyx> {
  const apiKey = `KEY${randomBytes(12).toString('hex')}`;
  const accountSid = randomUUID();
  const server = await startPhoneServer((request) => response(request, apiKey, accountSid));
  return {
    ...server,
    apiKey,
    accountSid,
    bodies: () => server.requests.map((request) => JSON.parse(request.body)),
    fail: (...errors) => server.next(...errors.map(toResponse)),
  };
}

/** An account's key pair for callbacks: the public key as the portal shows it, and what signs like Telnyx. */
export function createTelnyxSigner(): {
  publicKey: string;
  signCallback(rawBody: string, timestampSeconds: number): Record<string, string>;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    signCallback: (rawBody, timestampSeconds) => ({
      'telnyx-timestamp': String(timestampSeconds),
      'telnyx-signature-ed25519': sign(
        null,
        Buffer.from(`${timestampSeconds}|${rawBody}`),
        privateKey,
      ).toString('base64'),
    }),
  };
}

/** The message that Telnyx describes, in responses and in events. */
export function buildTelnyxMessage(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    record_type: 'message',
    direction: 'outbound',
    id: randomUUID(),
    type: 'SMS',
    messaging_profile_id: randomUUID(),
    from: { phone_number: '+15005550006', carrier: 'Telnyx', line_type: 'Wireless' },
    to: [{ phone_number: '+14155552671', status: 'queued', carrier: 'Fake Wireless', line_type: 'Wireless' }],
    text: 'Hello',
    media: [],
    encoding: 'GSM-7',
    parts: 1,
    cost: { amount: '0.0051', currency: 'USD' },
    cost_breakdown: {
      carrier_fee: { amount: '0.0030', currency: 'USD' },
      rate: { amount: '0.0021', currency: 'USD' },
    },
    errors: [],
    webhook_url: null,
    ...overrides,
  };
}

/** An event as Telnyx posts it. */
export function buildTelnyxEvent(
  type: string,
  payload: unknown,
  occurredAt = '2026-11-20T10:00:00.000Z',
): string {
  return JSON.stringify({
    data: { record_type: 'event', id: randomUUID(), event_type: type, occurred_at: occurredAt, payload },
    meta: { attempt: 1, delivered_to: 'https://example.test/callbacks/telnyx/sms' },
  });
}

function toResponse({ status, code, detail = 'Refused', retryAfter }: TelnyxErrorResponse): FakeResponse {
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    body: code === undefined ? '<html>error</html>' : { errors: [{ code, title: `Error ${code}`, detail }] },
  };
}

function response(request: FakeRequest, apiKey: string, accountSid: string): FakeResponse {
  if (request.headers.authorization !== `Bearer ${apiKey}`) {
    return toResponse({ status: 401, code: '10009', detail: 'Authentication failed' });
  }
  if (request.path.startsWith('/v2/number_lookup/')) return lookUp(request);
  if (request.method !== 'POST' || !request.headers['content-type']?.startsWith('application/json')) {
    return toResponse({ status: 415, code: '10014', detail: 'Unsupported Media Type' });
  }
  const body: Record<string, unknown> = JSON.parse(request.body);
  if (request.path === '/v2/messages') return createMessage(body);
  if (request.path === `/v2/texml/Accounts/${accountSid}/Calls`) return createCall(body);
  return toResponse({ status: 404, code: '10005', detail: 'The requested resource could not be found' });
}

function createMessage(body: Record<string, unknown>): FakeResponse {
  const media = Array.isArray(body.media_urls) ? body.media_urls : [];
  if (!E164.test(String(body.to)))
    return toResponse({ status: 400, code: '40310', detail: "Invalid 'to' address" });
  if (!body.from && !body.messaging_profile_id) return toResponse({ status: 400, code: '40305' });
  if (!body.text && media.length === 0) return toResponse({ status: 400, code: '40302' });
  const message = buildTelnyxMessage({
    type: body.type ?? 'SMS',
    text: body.text,
    webhook_url: body.webhook_url ?? null,
    media: media.map((url) => ({ url, content_type: null, size: null })),
    ...(body.from ? { from: { phone_number: body.from, carrier: '', line_type: '' } } : {}),
  });
  return { status: 200, body: { data: message } };
}

function createCall(body: Record<string, unknown>): FakeResponse {
  if (!body.ApplicationSid || !body.From || !E164.test(String(body.To))) {
    return toResponse({ status: 422, code: '10015', detail: 'Bad Request' });
  }
  if (!/^<Response><Say>[^<>]*<\/Say><\/Response>$/.test(String(body.Texml))) {
    return toResponse({ status: 422, code: '10015', detail: 'TeXML could not be parsed' });
  }
  return { status: 200, body: { from: body.From, to: body.To, status: 'queued' } };
}

function lookUp(request: FakeRequest): FakeResponse {
  return {
    status: 200,
    body: {
      data: {
        phone_number: decodeURIComponent(request.path.slice('/v2/number_lookup/'.length)),
        country_code: 'US',
        carrier: { name: 'Fake Wireless', type: 'mobile', error_code: null },
      },
    },
  };
}

import { createHmac, randomBytes } from 'node:crypto';
import { type FakeRequest, type FakeResponse, type PhoneServer, startPhoneServer } from './phone-server.ts';

/** A fake Twilio: Messages and Calls of one account, and Lookup v2, on one port. */
export type FakeTwilio = PhoneServer & {
  accountSid: string;
  authToken: string;
  /** The forms that were posted, in order. */
  forms(): URLSearchParams[];
  fail(...errors: TwilioErrorResponse[]): void;
  /** Rejects the next text message and the next call, in any order. */
  failOfEach(error: TwilioErrorResponse): void;
  /** Breaks the connection of the next text message and of the next call, in any order. */
  breakOfEach(): void;
};

/** An error as Twilio returns it. */
type TwilioErrorResponse = { status: number; code?: number; message?: string; retryAfter?: string };

/** Starts the fake; well-formed requests succeed. */
export async function startFakeTwilio(): Promise<FakeTwilio> {
  const accountSid = `AC${randomBytes(16).toString('hex')}`;
  const authToken = randomBytes(16).toString('hex');
  const server = await startPhoneServer((request) => response(request, accountSid, authToken));
  const ofEach = (response: FakeResponse) => {
    for (const ending of ['/Messages.json', '/Calls.json']) server.nextTo(ending, response);
  };
  return {
    ...server,
    accountSid,
    authToken,
    forms: () => server.requests.map((request) => new URLSearchParams(request.body)),
    fail: (...errors) => server.next(...errors.map(toResponse)),
    failOfEach: (error) => ofEach(toResponse(error)),
    breakOfEach: () => ofEach('broken connection'),
  };
}

/** A callback as Twilio posts it: its form, and the headers with its signature. */
export function buildTwilioCallback(input: {
  authToken: string;
  url: string;
  params: Record<string, string>;
}): { headers: Record<string, string>; body: string } {
  const text = Object.keys(input.params)
    .sort()
    .reduce((joined, name) => `${joined}${name}${input.params[name]}`, input.url);
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': createHmac('sha1', input.authToken).update(text, 'utf8').digest('base64'),
    },
    body: new URLSearchParams(input.params).toString(),
  };
}

function toResponse({ status, code, message = 'Refused', retryAfter }: TwilioErrorResponse): FakeResponse {
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    body:
      code === undefined
        ? '<html>error</html>'
        : { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}

function response(request: FakeRequest, accountSid: string, authToken: string): FakeResponse {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  if (request.headers.authorization !== expected) {
    return toResponse({ status: 401, code: 20003, message: 'Authenticate' });
  }
  const [, number] = /^\/v2\/PhoneNumbers\/([^/]+)$/.exec(request.path) ?? [];
  if (number !== undefined) return { status: 200, body: lookUp(decodeURIComponent(number)) };
  const [, account, resource, sid] =
    /^\/2010-04-01\/Accounts\/([^/]+)\/(Messages|Calls)(?:\/([^/]+))?\.json$/.exec(request.path) ?? [];
  if (account !== accountSid || !resource) {
    return toResponse({ status: 404, code: 20404, message: 'The requested resource was not found' });
  }
  if (sid !== undefined) return { status: 200, body: { sid, price: '-0.00750', price_unit: 'USD' } };
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return toResponse({ status: 415, message: 'Unsupported Media Type' });
  }
  const form = new URLSearchParams(request.body);
  return resource === 'Messages' ? createMessage(form) : createCall(form);
}

function createMessage(form: URLSearchParams): FakeResponse {
  if (!form.get('To')) return toResponse({ status: 400, code: 21604, message: "A 'To' number is required." });
  if (!form.get('From') && !form.get('MessagingServiceSid')) {
    return toResponse({ status: 400, code: 21603, message: "A 'From' number is required." });
  }
  const media = form.getAll('MediaUrl');
  if (!form.get('Body') && media.length === 0) {
    return toResponse({ status: 400, code: 21602, message: 'Message body is required.' });
  }
  if (media.length > 10) return toResponse({ status: 400, code: 21623, message: 'Too many media.' });
  return {
    status: 201,
    body: {
      sid: `${media.length > 0 ? 'MM' : 'SM'}${randomBytes(16).toString('hex')}`,
      status: form.get('From') ? 'queued' : 'accepted',
      from: form.get('From'),
      to: form.get('To'),
      num_segments: media.length > 0 ? '0' : String(Math.ceil((form.get('Body') ?? '').length / 153)),
      num_media: String(media.length),
      price: null,
      price_unit: 'USD',
      error_code: null,
    },
  };
}

function createCall(form: URLSearchParams): FakeResponse {
  if (!form.get('To')) return toResponse({ status: 400, code: 21201, message: "No 'To' number." });
  if (!form.get('From')) return toResponse({ status: 400, code: 21213, message: "No 'From' number." });
  if (!/^<Response><Say>[^<>]*<\/Say><\/Response>$/.test(form.get('Twiml') ?? '')) {
    return toResponse({ status: 400, code: 12100, message: 'Document parse failure' });
  }
  const sid = `CA${randomBytes(16).toString('hex')}`;
  return {
    status: 201,
    body: { sid, status: 'queued', from: form.get('From'), to: form.get('To'), price: null },
  };
}

function lookUp(number: string): unknown {
  return {
    phone_number: number,
    country_code: 'US',
    valid: true,
    line_type_intelligence: { carrier_name: 'Fake Wireless', type: 'mobile', error_code: null },
  };
}

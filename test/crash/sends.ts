import type { ReadyFacts } from './service.ts';

/** A notification that was accepted with 2xx. */
export type AcceptedSend = { userId: string; trackingId: string };

/** State shared by the sending clients. */
export type Sends = {
  /** Accepted with 2xx so far. */
  accepted: AcceptedSend[];
  /** Requests without a response: the service was down, or went down. */
  unanswered: number;
  /** Requests that returned 429, and were repeated after its Retry-After. */
  postponed: number;
  /** Responses other than 2xx and 429. */
  refused: number[];
  /** Resolves when every send has a response. */
  done: Promise<void>;
};

/** The service to send to, and the end of the quiet hours of users who get no message now. */
export type Target = ReadyFacts & { heldUntil: string };
type Counted = Pick<Sends, 'unanswered' | 'refused' | 'postponed'>;

/** The timing of a notification's two messages: both now, one a while after the other, or after quiet hours. */
const WAYS = ['immediate', 'in steps', 'held'] as const;
const STEPS = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT2S', when: 'always' }];
const TOO_MANY = 429;
const RETRY_MS = 50;
const RESPONSE_MS_MAX = 20_000;

/**
 * Sends `count` notifications to separate users, by email and text message. A client that gets no response repeats its
 * request with the same idempotency key until it does, as clients do: each user must end up with one notification.
 */
export function startSends(options: {
  facts: Target;
  count: number;
  concurrency: number;
  /** Called after each 2xx, with how many there are. */
  onAccepted: (accepted: number) => void;
}): Sends {
  let next = 0;
  const sends: Omit<Sends, 'done'> = { accepted: [], unanswered: 0, postponed: 0, refused: [] };

  async function client(): Promise<void> {
    while (next < options.count) {
      next += 1;
      const userId = `crash-${next}`;
      const trackingId = await sendUntilAnswered(options.facts, next, userId, sends);
      if (trackingId === undefined) continue;
      sends.accepted.push({ userId, trackingId });
      options.onAccepted(sends.accepted.length);
    }
  }

  const clients = Array.from({ length: options.concurrency }, client);
  return Object.assign(sends, { done: Promise.all(clients).then(() => {}) });
}

async function sendUntilAnswered(
  facts: Target,
  position: number,
  userId: string,
  sends: Counted,
): Promise<string | undefined> {
  const way = WAYS[position % WAYS.length];
  const to = { id: userId, email: `${userId}@example.com`, number: numberOf(position) };
  if (way === 'held') {
    const { id: _, ...contact } = to;
    const user = { ...contact, pausedUntil: facts.heldUntil };
    await answered(facts, `/users/${userId}`, user, {}, sends);
  }
  const body = {
    ...{ type: 'crash', to },
    ...(way === 'in steps' ? { options: { steps: STEPS } } : {}),
    email: { subject: `Message to ${userId}`, html: '<p>Still here.</p>' },
    sms: { message: `Message to ${userId}` },
  };
  return (await answered(facts, '/send', body, { 'idempotency-key': userId }, sends))?.trackingId;
}

/** Repeats a request until it has a response; undefined when it is rejected. */
async function answered(
  facts: Target,
  path: string,
  body: object,
  headers: Record<string, string>,
  sends: Counted,
): Promise<{ trackingId: string } | undefined> {
  const text = JSON.stringify(body);
  for (;;) {
    const response = await post(`${facts.baseUrl}${path}`, facts.secretKey, text, headers);
    if (response?.status === 200) return response.json;
    if (response?.status === TOO_MANY) {
      sends.postponed += 1;
      await new Promise((resume) => setTimeout(resume, response.retryAfterMs));
    } else if (response) {
      sends.refused.push(response.status);
      if (response.status < 500) return undefined;
    } else {
      sends.unanswered += 1;
    }
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
  }
}

/** The complete response; undefined when there is none because the service is, or goes, down. */
export async function post(
  url: string,
  key: string,
  body: string,
  headers: Record<string, string> = {},
  responseMsMax = RESPONSE_MS_MAX,
): Promise<{ status: number; json: { trackingId: string }; retryAfterMs: number } | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(responseMsMax),
    });
    const retryAfterMs = 1000 * Number(response.headers.get('retry-after') ?? 1);
    return { status: response.status, json: JSON.parse(await response.text()), retryAfterMs };
  } catch {
    return undefined;
  }
}

/** A valid North American number per position, outside of the numbers that name sandbox scenarios. */
function numberOf(position: number): string {
  return `+1415${String(2_000_000 + position)}`;
}

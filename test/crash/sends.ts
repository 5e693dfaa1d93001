import type { ReadyFacts } from './service.ts';

/** A notification that was answered with 2xx. */
export type AcceptedSend = { userId: string; trackingId: string };

/** What the sending clients share. */
export type Sends = {
  /** Answered with 2xx so far. */
  accepted: AcceptedSend[];
  /** Requests that got no answer: the service was down, or went down. */
  unanswered: number;
  /** Answers other than 2xx. */
  refused: number[];
  /** Resolves when every send was answered. */
  done: Promise<void>;
};

const RETRY_MS = 50;
const ANSWER_MS_MAX = 20_000;

/**
 * Sends `count` notifications to users of their own, by e-mail and text message. A client that gets no answer repeats its
 * request with the same idempotency key until it does, as clients do: each user must end up with one notification.
 */
export function startSends(options: {
  facts: ReadyFacts;
  count: number;
  concurrency: number;
  /** Called after each 2xx, with how many there are. */
  onAccepted: (accepted: number) => void;
}): Sends {
  let next = 0;
  const sends: Omit<Sends, 'done'> = { accepted: [], unanswered: 0, refused: [] };

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
  facts: ReadyFacts,
  position: number,
  userId: string,
  sends: Pick<Sends, 'unanswered' | 'refused'>,
): Promise<string | undefined> {
  const body = JSON.stringify({
    type: 'crash',
    to: { id: userId, email: `${userId}@example.com`, number: numberOf(position) },
    email: { subject: `Message to ${userId}`, html: '<p>Still here.</p>' },
    sms: { message: `Message to ${userId}` },
  });
  for (;;) {
    const answer = await post(`${facts.baseUrl}/send`, facts.secretKey, body, { 'idempotency-key': userId });
    if (answer?.status === 200) return answer.json.trackingId;
    if (answer) {
      sends.refused.push(answer.status);
      if (answer.status < 500) return undefined;
    } else {
      sends.unanswered += 1;
    }
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
  }
}

/** The answer, whole; undefined when there is none because the service is, or goes, down. */
export async function post(
  url: string,
  key: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: { trackingId: string } } | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  } catch {
    return undefined;
  }
}

/** A valid North American number per position, outside of the numbers that name sandbox scenarios. */
function numberOf(position: number): string {
  return `+1415${String(2_000_000 + position)}`;
}

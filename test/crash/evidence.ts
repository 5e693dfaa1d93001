import { chunksOf } from '../../shared/runtime/async/chunks.ts';
import { until } from '../support/until.ts';
import type { AcceptedSend } from './sends.ts';
import type { ReadyFacts } from './service.ts';
import { type Evidence, SENT_CHANNELS } from './verdict.ts';

const BULK_MAX = 25;
/** Without any progress for so long, what is missing does not come. */
const STALL_MS_MAX = 120_000;
const POLL_MS = 500;

type LogRecord = Record<string, unknown> & { trackingId: string };
type Delivered = { trackingId: string; userId: string; channel: string; outcome: string };

/** Waits until the log shows every message as delivered, or nothing changes any more; returns how long that took. */
export async function waitForDeliveries(
  facts: ReadyFacts,
  accepted: readonly AcceptedSend[],
): Promise<number> {
  const beganAtMs = Date.now();
  let missing = new Set(accepted.map(({ trackingId }) => trackingId));
  let movedAtMs = beganAtMs;
  while (missing.size > 0 && Date.now() - movedAtMs < STALL_MS_MAX) {
    const records = await readLogs(facts, [...missing]);
    const left = new Set([...missing].filter((trackingId) => !isTold(records.get(trackingId))));
    if (left.size < missing.size) movedAtMs = Date.now();
    missing = left;
    if (missing.size > 0) await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  await waitForUsage(facts, accepted.length);
  return Date.now() - beganAtMs;
}

function isTold(record: LogRecord | undefined): boolean {
  return Object.values(SENT_CHANNELS).every((prefix) => record?.[`${prefix}_delivered_at`] !== undefined);
}

/** Counters follow the stream a moment later. */
async function waitForUsage(facts: ReadyFacts, wanted: number): Promise<void> {
  const isCounted = async () => {
    const counted = await readUsage(facts);
    return Object.keys(SENT_CHANNELS).every((channel) => counted[channel] === wanted);
  };
  // The verdict names the channels that stay wrong.
  await until(isCounted, 'the usage').catch(() => undefined);
}

/** Reads what the service shows of the accepted notifications. */
export async function readEvidence(
  facts: ReadyFacts,
  accepted: readonly AcceptedSend[],
): Promise<Omit<Evidence, 'inFlight'>> {
  const listed: { messages: Delivered[] } = await getJson(facts, '/_sandbox/messages');
  const delivered = listed.messages.filter(({ outcome }) => outcome === 'sent');
  const trackingIds = accepted.map(({ trackingId }) => trackingId);
  return {
    accepted,
    delivered,
    logs: await readLogs(facts, trackingIds),
    counted: await readUsage(facts),
  };
}

async function readUsage(facts: ReadyFacts): Promise<Record<string, number>> {
  const usage: { counts: Record<string, number> } = await getJson(facts, '/organization/usage');
  return usage.counts;
}

async function readLogs(facts: ReadyFacts, trackingIds: readonly string[]): Promise<Map<string, LogRecord>> {
  const found = new Map<string, LogRecord>();
  for (const chunk of chunksOf(trackingIds, BULK_MAX)) {
    const body = JSON.stringify({ trackingIds: chunk });
    const response: { logs: LogRecord[] } = await getJson(facts, '/logs/bulk', body);
    for (const record of response.logs) found.set(record.trackingId, record);
  }
  return found;
}

async function getJson<T>(facts: ReadyFacts, path: string, body?: string): Promise<T> {
  const response = await fetch(`${facts.baseUrl}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { authorization: `Bearer ${facts.secretKey}`, 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json() as Promise<T>;
}

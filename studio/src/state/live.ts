import { signal } from '@preact/signals';
import { changed } from './changes.ts';
import { noteDown, whenUp } from './connection.ts';
import { config, sandbox, setClock } from './service.ts';

/** A message that the sandbox recorded. */
export type OutboxMessage = {
  id: number;
  channel: string;
  to: string[];
  trackingId: string;
  userId: string;
  attempt: number;
  outcome: string;
  atMs: number;
  message: Record<string, unknown>;
};

/** Newest first. */
export const outbox = signal<OutboxMessage[] | undefined>(undefined);
/** Grows with the requests that the API of the sandbox answers, at most three times a second. */
export const lastRequest = signal(0);

const MESSAGES_MAX = 1000;
const POLL_MS = 5000;
const REQUESTS_MS = 300;

/** Follows the sandbox by server-sent events; a stage is polled while the page is visible. */
export async function startLive(): Promise<void> {
  if (config.value?.mode !== 'sandbox') {
    setInterval(() => document.visibilityState === 'visible' && changed(), POLL_MS);
    return;
  }
  await load();
  follow();
}

/** A failure is repeated when the service is back. */
const load = () => loadOutbox().catch(() => {});

function follow(): void {
  const source = new EventSource('/_sandbox/stream');
  source.addEventListener('error', () => {
    noteDown();
    // Browsers do not open again a stream that was rejected.
    if (source.readyState === EventSource.CLOSED) whenUp().then(follow);
  });
  source.addEventListener('message', ({ data }) => take(JSON.parse(data)));
  source.addEventListener('log', ({ data }) => changed(JSON.parse(data).trackingId));
  source.addEventListener('request', noteRequest);
  source.addEventListener('clock', ({ data }) => setClock(Date.parse(JSON.parse(data).now)));
  source.addEventListener('deletion', load);
  source.addEventListener('ready', ({ data }) => {
    // What happened before the stream was open.
    setClock(Date.parse(JSON.parse(data).now));
    load();
    changed();
    noteRequest();
  });
}

let isNoting = false;
function noteRequest(): void {
  if (isNoting) return;
  isNoting = true;
  setTimeout(() => {
    isNoting = false;
    lastRequest.value += 1;
  }, REQUESTS_MS);
}

function take(message: OutboxMessage): void {
  const known = outbox.value ?? [];
  if (known.some(({ id }) => id === message.id)) return;
  outbox.value = [message, ...known].slice(0, MESSAGES_MAX);
}

/** Loads the list. Messages that arrive in the meantime are newer than it, so they stay. */
async function loadOutbox(): Promise<void> {
  const before = new Set(outbox.value?.map(({ id }) => id));
  const { messages } = await sandbox<{ messages: OutboxMessage[] }>(`messages?limit=${MESSAGES_MAX}`);
  const listed = new Set(messages.map(({ id }) => id));
  const arrived = (outbox.value ?? []).filter(({ id }) => !before.has(id) && !listed.has(id));
  outbox.value = [...arrived, ...messages.toReversed()].slice(0, MESSAGES_MAX);
}

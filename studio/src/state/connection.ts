import { signal } from '@preact/signals';

/** True while the service behind the page does not respond. */
export const isDown = signal(false);
/** Counts how often the service came back: everything that is shown loads again. */
export const revivals = signal(0);

const PROBE_MS = 1000;
/** Requests of the page's own server, and of the service behind it. */
const PROBES = ['/_sandbox/studio/config', '/_sandbox/studio/api/logs?limit=1'];
let back = Promise.withResolvers<void>();

/** Records that a request got no response; asks every second until one does. */
export function noteDown(): void {
  if (isDown.value) return;
  isDown.value = true;
  back = Promise.withResolvers();
  setTimeout(probe, PROBE_MS);
}

export function whenUp(): Promise<void> {
  return isDown.value ? back.promise : Promise.resolve();
}

async function probe(): Promise<void> {
  const responds = await Promise.all(PROBES.map(isAnswered));
  if (!responds.every(Boolean)) {
    setTimeout(probe, PROBE_MS);
    return;
  }
  isDown.value = false;
  revivals.value += 1;
  back.resolve();
}

async function isAnswered(path: string): Promise<boolean> {
  const response = await fetch(path, { headers: { authorization: 'Bearer studio' } }).catch(() => undefined);
  return response !== undefined && !isGatewayError(response);
}

/** True if the page's server did not reach the service, or the service is starting. */
const isGatewayError = ({ status }: Response) => status === 502 || status === 503 || status === 504;

/** `fetch` that records whether the service responds. */
export async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init).catch((error: unknown) => {
    noteDown();
    throw error;
  });
  if (isGatewayError(response)) noteDown();
  return response;
}

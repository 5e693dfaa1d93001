import { setTimeout as sleep } from 'node:timers/promises';

const TOO_MANY = 429;

/** Like `fetch`, but repeats a request that a busy local run throttles, after the time that it asks for. */
export async function patientFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url instanceof Request ? url.clone() : url, init);
    const waitSeconds = response.status === TOO_MANY ? Number(response.headers.get('retry-after')) : 0;
    if (!(waitSeconds > 0)) return response;
    await response.body?.cancel();
    await sleep(1000 * waitSeconds);
  }
}

import { expect } from 'vitest';
import type { LocalRun } from '../support/local-run.ts';
import { patientFetch } from '../support/patient-fetch.ts';
import { until } from '../support/until.ts';
import { PUBLIC_URL } from './provider-world.ts';

type Answered = ReturnType<typeof JSON.parse>;

/** The local address of an address with the deployment's public name. */
export function localUrlOf(run: LocalRun, url: string): string {
  const { origin, pathname, search } = new URL(url);
  expect(origin).toBe(PUBLIC_URL);
  return run.localUrl + pathname + search;
}

/** Asks the service with the secret key; throws unless it succeeds. */
export async function ask(
  run: LocalRun,
  path: string,
  body?: unknown,
  method = body ? 'POST' : 'GET',
): Promise<Answered> {
  const response = await patientFetch(run.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${run.secretKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The log record as it is now. */
export async function recordOf(run: LocalRun, trackingId: string) {
  return (await ask(run, `/logs/${trackingId}`)).logs[0];
}

/** The log record once it has all of `fields`. */
export async function recordWith(run: LocalRun, trackingId: string, fields: string[]) {
  let record = await recordOf(run, trackingId);
  const missing = () => fields.filter((field) => record?.[field] === undefined);
  const isWhole = async () => {
    record = await recordOf(run, trackingId);
    return missing().length === 0;
  };
  await until(isWhole, 'the log').catch((error: Error) => {
    throw new Error(`${error.message} Missing ${missing().join(', ')} in ${JSON.stringify(record)}`);
  });
  return record;
}

/** Checks that no message failed its last retry: dead-letter queues are empty. */
export async function expectNothingDead(run: LocalRun): Promise<void> {
  const { queues }: { queues: { name: string; dead: number }[] } = await ask(run, '/_sandbox/queues');
  expect(queues.filter(({ dead }) => dead > 0)).toEqual([]);
}

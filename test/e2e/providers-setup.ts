import { expect } from 'vitest';
import { APN_CONFIG } from '../support/fakes/apns.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { later, use } from '../support/use-started.ts';
import { ask, localUrlOf } from './ask.ts';
import { SENDER } from './everywhere.ts';
import { PUBLIC_URL, startProviderWorld } from './provider-world.ts';

/** Milliseconds between the service clock and this machine's clock. */
export const ahead = { ms: 0 };
export const world = later(() => startProviderWorld(() => Date.now() + ahead.ms));
export const runs = {
  smtpAndTwilio: later(() => startPrepared(world.smtpAndTwilio)),
  sesAndTelnyx: later(() => startPrepared(world.sesAndTelnyx)),
};

async function startPrepared(settings: Record<string, string>): Promise<LocalRun> {
  const started = await startLocalRun({ settings: { ...settings, PUBLIC_BASE_URL: PUBLIC_URL } });
  const run = { ...started, baseUrl: started.localUrl };
  await prepare(run);
  return run;
}

/** Push settings and a verified sender domain. The service's clock goes ahead, and the fakes' with it. */
async function prepare(run: LocalRun): Promise<void> {
  await ask(run, '/settings/push/fcm', { fcmConfig: world.fcm.serviceAccount }, 'PUT');
  await ask(run, '/settings/push/apn', APN_CONFIG, 'PUT');
  await ask(run, '/domains', { sender: SENDER });
  const { now } = await ask(run, '/_sandbox/clock', { advance: 'PT1H' });
  ahead.ms = Math.max(ahead.ms, Date.parse(now) - Date.now());
}

/** Calls an address that a provider got: its public name leads to this machine. */
export async function callBack(
  run: LocalRun,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<void> {
  const response = await fetch(localUrlOf(run, url), { method: 'POST', headers, body });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

/** Starts this set-up for the tests of a file. */
export function useProviders(): void {
  use(world, ...Object.values(runs));
}

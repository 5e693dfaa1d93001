import { afterAll, beforeAll, expect } from 'vitest';
import { APN_CONFIG } from '../support/fakes/apns.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { ask } from './ask.ts';
import { SENDER } from './everywhere.ts';
import { type ProviderWorld, startProviderWorld } from './provider-world.ts';

export let aheadMs = 0;
export let world: ProviderWorld;
export let runs: { smtpAndTwilio: LocalRun; sesAndTelnyx: LocalRun };
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await startProviderWorld(() => Date.now() + aheadMs);
  closers.push(world.close);
  const [smtpAndTwilio, sesAndTelnyx] = await Promise.all([
    startLocalRun({ settings: world.smtpAndTwilio }),
    startLocalRun({ settings: world.sesAndTelnyx }),
  ]);
  runs = { smtpAndTwilio, sesAndTelnyx };
  closers.unshift(smtpAndTwilio.stop, sesAndTelnyx.stop);
  await Promise.all([smtpAndTwilio, sesAndTelnyx].map(prepare));
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** Push settings and a verified sender domain. The service's clock goes ahead, and the fakes' with it. */
async function prepare(run: LocalRun): Promise<void> {
  await ask(run, '/settings/push/fcm', { fcmConfig: world.fcm.serviceAccount }, 'PUT');
  await ask(run, '/settings/push/apn', APN_CONFIG, 'PUT');
  await ask(run, '/domains', { sender: SENDER });
  const { now } = await ask(run, '/_sandbox/clock', { advance: 'PT1H' });
  aheadMs = Math.max(aheadMs, Date.parse(now) - Date.now());
}

export async function callBack(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
}

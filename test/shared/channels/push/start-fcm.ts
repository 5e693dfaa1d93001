import { onTestFinished } from 'vitest';
import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { createFcmSender } from '../../../../shared/channels/push/fcm/fcm.ts';
import { createProviderClient } from '../../../../shared/http-client/provider-client.ts';
import { startFcmFake } from '../../../support/fakes/fcm.ts';
import { HANG_MS } from '../../../support/until.ts';
import { buildPush } from './deliveries.ts';

/** A sender and its FCM, on one clock, for one test. */
export async function startFcm(options: { timeoutMs?: number } = {}) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const now = () => clock.nowMs;
  const fake = await startFcmFake({ now });
  onTestFinished(fake.close);
  const sender = createFcmSender({
    baseUrl: fake.url,
    tokenUrl: fake.tokenUrl,
    http: createProviderClient({ timeoutMs: options.timeoutMs ?? HANG_MS }),
    now,
  });
  const send = (overrides: Partial<PushDelivery> = {}, device = 'device-1') =>
    sender.prepare(buildPush({ fcmConfig: fake.serviceAccount, ...overrides }))(device);
  return { fake, send, clock, sender };
}

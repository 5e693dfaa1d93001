import { onTestFinished } from 'vitest';
import type { PushDelivery } from '../../../../shared/channels/channel.ts';
import { createApnsSender } from '../../../../shared/channels/push/apns/apns.ts';
import type { ApnsTokenStore } from '../../../../shared/database/entities/settings/apns-tokens.ts';
import { APN_CONFIG, startApnsFake } from '../../../support/fakes/apns.ts';
import { HANG_MS } from '../../../support/until.ts';
import { makeCertificate } from '../../http-client/certificate.ts';
import { apnToken, buildPush } from './deliveries.ts';

const tls = makeCertificate('localhost');

/** The device registered in production. */
export const DEVICE = 'a1'.repeat(32);

/** A sender and its two hosts, on one clock, for one test. */
export async function startApns(
  options: { tokens?: ApnsTokenStore; timeoutMs?: number; secure?: boolean; sandboxDevices?: string[] } = {},
) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const now = () => clock.nowMs;
  const given = options.secure ? { tls } : {};
  const production = await startApnsFake({ ...given, devices: [DEVICE], now });
  const sandbox = await startApnsFake({ ...given, devices: options.sandboxDevices ?? [], now });
  const createSender = () => {
    const sender = createApnsSender({
      productionUrl: production.url,
      sandboxUrl: sandbox.url,
      now,
      timeoutMs: options.timeoutMs ?? HANG_MS,
      ...(options.tokens ? { tokens: options.tokens } : {}),
      ...(options.secure ? { ca: tls.cert } : {}),
    });
    onTestFinished(sender.close);
    return sender;
  };
  onTestFinished(production.close);
  onTestFinished(sandbox.close);
  const sender = createSender();
  const send = (overrides: Partial<PushDelivery> = {}, token = apnToken(DEVICE), by = sender) =>
    by.prepare(buildPush({ apnConfig: APN_CONFIG, ...overrides }))(token);
  return { production, sandbox, clock, send, createSender };
}

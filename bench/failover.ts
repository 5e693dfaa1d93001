import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChannelProvider } from '../shared/channels/channel.ts';
import { createTwilioSmsProvider } from '../shared/channels/phone/twilio/twilio.ts';
import { createProviderCalls } from '../shared/database/entities/sending/provider-calls.ts';
import { createProviderClient } from '../shared/http-client/provider-client.ts';
import { createBreakers } from '../shared/providers/order/breakers.ts';
import { failover } from '../shared/providers/order/failover.ts';
import { systemClock } from '../shared/runtime/clock.ts';
import type { MeasuredService } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';

const PART = 'Failover, on DynamoDB Local, on this machine';
/** A breaker opens after three failures: before that, each message meets the first provider itself. */
const CALLS_BEFORE_OPEN = 2;

/**
 * The additional time of a text message that its first provider rejects, and of one whose first provider's
 * breaker is open.
 */
export async function measureFailover({ ledger }: MeasuredService, count: number): Promise<Figure[]> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.writeHead(201, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ sid: 'SM1', from: '+12025550100' }));
    });
  });
  const closed = createServer();
  const [url, closedUrl] = [await listen(server), await listen(closed)];
  await new Promise((done) => closed.close(done));
  try {
    const calls = createProviderCalls(ledger.database);
    const chainOf = (first: string) =>
      failover('SMS', [twilio('first', first), twilio('second', url)], {
        ...{ calls, breakers: createBreakers(calls), clock: systemClock },
      });
    const accepted: number[] = [];
    const switched: number[] = [];
    const spared: number[] = [];
    const up = chainOf(url);
    for (let round = 0; round < count; round += 1) {
      accepted.push(await deliver(up, `up-${round}`, 'up'));
      const down = chainOf(closedUrl);
      for (let call = 0; call < CALLS_BEFORE_OPEN; call += 1) {
        switched.push(await deliver(down, `down-${round}-${call}`, `down-${round}`));
      }
      await deliver(down, `down-${round}-last`, `down-${round}`);
      spared.push(await deliver(down, `open-${round}`, `down-${round}`));
    }
    const median = (values: number[]) => percentileOf(values, 50);
    const figure = (name: string, value: number) => ({ part: PART, name, value, unit: 'ms' });
    return [
      figure('text that the first provider accepts, p50', median(accepted)),
      figure('time to switch when the first is down, p50', median(switched) - median(accepted)),
      figure('time to switch when its breaker is open, p50', median(spared) - median(accepted)),
    ];
  } finally {
    await new Promise((done) => server.close(done));
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function twilio(name: string, baseUrl: string): ChannelProvider<'SMS'> {
  const http = createProviderClient({ timeoutMs: 10_000 });
  const options = { baseUrl, accountSid: 'AC1', authToken: 'token', from: '+12025550100', http };
  return { ...createTwilioSmsProvider(options), name };
}

async function deliver(
  provider: ChannelProvider<'SMS'>,
  trackingId: string,
  accountId: string,
): Promise<number> {
  const beganAtMs = performance.now();
  const outcome = await provider.deliver({
    ...{ trackingId, accountId, environmentId: 'e', notificationId: 'n', userId: 'u', attempt: 1 },
    ...{ to: '+14155552671', message: 'Hello', mediaUrls: [] },
  });
  if (outcome.kind !== 'sent') throw new Error(`a text was not sent: ${outcome.kind}`);
  await outcome.afterwards?.();
  return performance.now() - beganAtMs;
}

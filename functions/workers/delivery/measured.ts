import type {
  ChannelProvider,
  DeliveryByChannel,
  DeliveryOutcome,
} from '../../../shared/channels/channel.ts';
import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { recordMetrics } from '../../../shared/runtime/metrics.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../../shared/schemas/failure-codes.ts';

/** Gives the provider a message and measures the attempt. */
export async function deliverMeasured<C extends Channel>(
  channel: C,
  provider: ChannelProvider<C>,
  head: StoredLogHead,
  delivery: DeliveryByChannel[C],
): Promise<DeliveryOutcome<C>> {
  const labels = { channel, provider: provider.name };
  const outcome = await provider.deliver(delivery).catch((error: unknown) => {
    recordMetrics({ ProviderFailure: 1 }, labels);
    throw error;
  });
  if (outcome.kind === 'sent') {
    const sinceMs = head.processedAtMs ?? head.receivedAtMs;
    const latencyMs = Math.max(0, resolve(clock).now() - sinceMs);
    recordMetrics({ ProviderFailure: 0, SendLatency: latencyMs }, labels);
  } else {
    const failed = isProviderFailure(channel, outcome) ? 1 : 0;
    recordMetrics({ ProviderFailure: failed }, { ...labels, code: outcome.code });
  }
  return outcome;
}

/** Whether the fault is the provider's: it cannot be reached, asks to wait, or refuses for no reason that lies with the message. */
function isProviderFailure(channel: Channel, outcome: Exclude<DeliveryOutcome, { kind: 'sent' }>): boolean {
  return outcome.kind === 'retry' || outcome.code === CATCH_ALL_CODE[channel];
}

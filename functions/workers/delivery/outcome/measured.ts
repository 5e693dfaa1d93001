import type {
  ChannelProvider,
  DeliveryByChannel,
  DeliveryOutcome,
} from '../../../../shared/channels/channel.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import { recordMetrics } from '../../../../shared/runtime/metrics.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { CATCH_ALL_CODE } from '../../../../shared/schemas/logs/failure-codes.ts';

/** Passes a message to the provider and measures the attempt. */
export async function deliverMeasured<C extends Channel>(
  channel: C,
  { provider, clock }: { provider: ChannelProvider<C>; clock: Clock },
  head: StoredLogHead,
  delivery: DeliveryByChannel[C],
): Promise<DeliveryOutcome<C>> {
  const labels = { channel, provider: provider.name };
  const outcome = await provider.deliver(delivery).catch((error: unknown) => {
    recordMetrics({ ProviderFailure: 1 }, labels);
    throw error;
  });
  if (outcome.kind === 'postponed') return outcome;
  if (outcome.kind === 'sent') {
    const sinceMs = head.processedAtMs ?? head.receivedAtMs;
    const latencyMs = Math.max(0, clock.now() - sinceMs);
    recordMetrics({ ProviderFailure: 0, SendLatency: latencyMs }, labels);
  } else {
    const failed = isProviderFailure(channel, outcome) ? 1 : 0;
    recordMetrics({ ProviderFailure: failed }, { ...labels, code: outcome.code });
  }
  return outcome;
}

type Failure = Exclude<DeliveryOutcome, { kind: 'sent' | 'postponed' }>;

/**
 * True if the provider is at fault: it is unreachable, asks to wait, or rejects for a reason other than the
 * message.
 */
function isProviderFailure(channel: Channel, outcome: Failure): boolean {
  return outcome.kind === 'retry' || outcome.code === CATCH_ALL_CODE[channel];
}

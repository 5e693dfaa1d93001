import { channelFields } from '../../domain/routing/channel-fields.ts';
import { messageBody } from '../../messaging/message-body.ts';
import type { QueueMessage } from '../../messaging/queues-port.ts';
import { defined } from '../../runtime/values/defined.ts';
import { type Channel, LOG_PREFIX } from '../../schemas/channel.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';
import type { DeliveryByChannel } from '../channel.ts';
import type { ReceiptMessage } from '../receipt.ts';
import type { Scenario } from './scenarios.ts';

export type Target<C extends Channel> = { to: string; scenario: Scenario<C> };

/** The receipts that a provider would send for a target, as messages of the queue of receipts. */
export function receiptsOf<C extends Channel>(
  channel: C,
  delivery: DeliveryByChannel[C],
  target: Target<C>,
  nowMs: number,
): QueueMessage[] {
  const { scenario } = target;
  const prefix = LOG_PREFIX[channel];
  const receipt = (
    stage: Stage,
    afterMs: number,
    fields: LogFields,
    counted: Pick<ReceiptMessage, 'suppress' | 'transientBounce'> = {},
  ) => {
    const { trackingId, accountId } = delivery;
    const named = { trackingId, accountId, prefix, provider: 'sandbox' };
    const body: ReceiptMessage = { ...named, stage, atMs: nowMs + afterMs, fields };
    const message = { followUp: 'receipt', ...body, ...defined(counted) };
    return { body: messageBody(message), delaySeconds: 1 };
  };
  if (scenario.kind === 'fail-later') {
    const failed: LogFields = {
      ...channelFields<Channel>(channel, {
        failed_code: scenario.code,
        failed_internal: `sandbox: ${scenario.code}`,
      }),
      ...(channel === 'EMAIL'
        ? {
            email_failed_recipient: target.to,
            email_failed_diagnostic_code: `smtp; 550 sandbox ${scenario.code}`,
          }
        : {}),
    };
    const details = { timestamp: new Date(nowMs).toISOString(), code: scenario.code };
    const suppress = scenario.suppress ? { reason: scenario.suppress, details } : undefined;
    return [receipt('failed', 300, failed, { suppress })];
  }
  const receipts = scenario.kind === 'deliver' ? scenario.receipts : [];
  return receipts.map(({ stage, afterMs, fields, transientBounce }) =>
    receipt(stage, afterMs, fields, { transientBounce }),
  );
}

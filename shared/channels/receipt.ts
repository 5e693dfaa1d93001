import * as v from 'valibot';
import { channelOfPrefix, LogPrefix } from '../schemas/channel.ts';
import { LogFields } from '../schemas/logs/log-record.ts';
import { Stage } from '../schemas/logs/stage.ts';
import { EmailSuppressionStatus } from '../schemas/users/user.ts';

/** The form that waits in a queue, where one of an earlier release may be. */
export const ReceiptMessage = v.object({
  trackingId: v.string(),
  /** The account in the receipt, if any: another account's receipt is ignored. */
  accountId: v.optional(v.string()),
  prefix: LogPrefix,
  stage: Stage,
  /** Distinguishes events of one stage that may happen more than once. */
  seq: v.optional(v.string()),
  atMs: v.number(),
  fields: LogFields,
  /** The kind of provider that reports it. */
  provider: v.optional(v.string()),
  /** Suppresses the user's email from now on, where `recipients` are not given or the user is one of them. */
  suppress: v.optional(EmailSuppressionStatus),
  /** Counts a transient bounce of the user's address, as `suppress`; too many of them suppress it with this. */
  transientBounce: v.optional(EmailSuppressionStatus),
  /** The addresses it is about: a copy that bounces does not affect the user's address. */
  recipients: v.optional(v.array(v.string())),
});
export type ReceiptMessage = v.InferOutput<typeof ReceiptMessage>;

/** Later report of an external service about a message: delivered, opened, bounced, … */
export type Receipt = ReturnType<typeof receiptOf>;

export function receiptOf({ prefix, ...receipt }: ReceiptMessage) {
  return { ...receipt, channel: channelOfPrefix(prefix) };
}

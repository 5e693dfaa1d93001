import type { LogFields } from '../../schemas/log-record.ts';
import type { CallbackTags } from './callback-url.ts';
import type { PhoneFailureCode } from './verdict.ts';

/**
 * What became of a message or call, by its provider. `fields` are complete but for the `_at` and `_after` of the stage.
 * - `delivered`, `failed`: final. A call that nobody took is delivered too, with its `call_delivered_code`.
 * - `sent_update`: more about the sent stage (carrier, cost, …); no stage of its own.
 * `eventId` is the same for every copy of one event.
 */
type StatusReceipt = CallbackTags & {
  kind: 'delivered' | 'failed' | 'sent_update';
  channel: 'SMS' | 'CALL';
  providerMessageId: string;
  atMs: number;
  fields: LogFields;
  /** Present when `failed`. */
  code?: PhoneFailureCode;
  eventId: string;
};

/** A text message that somebody sent to a number of ours. */
export type InboundReceipt = {
  kind: 'inbound';
  from: string;
  to: string;
  text: string;
  media: { url: string; contentType?: string }[];
  providerMessageId: string;
  atMs: number;
  /** Our message that it answers, by the provider's own reckoning. */
  answeredMessageId?: string;
  /** Present when the provider took it for this keyword and has answered it itself. */
  providerKeyword?: 'STOP' | 'START' | 'HELP';
  /** True when the provider leaves opt-out keywords to us: it neither confirms them nor keeps a list by itself. */
  isKeywordOurs?: true;
};

/** What a provider's event or callback says. `ignored`: nothing to record, `reason` is fit for a log line. */
export type PhoneReceipt = StatusReceipt | InboundReceipt | { kind: 'ignored'; reason: string };

/** A receipt that records nothing. */
export function ignored(reason: string): PhoneReceipt {
  return { kind: 'ignored', reason };
}

/** The keyword that a provider's own opt-out machinery acted on, when it is one we know. */
export function toProviderKeyword(text: string | undefined): InboundReceipt['providerKeyword'] {
  const word = text?.toUpperCase();
  return word === 'STOP' || word === 'START' || word === 'HELP' ? word : undefined;
}

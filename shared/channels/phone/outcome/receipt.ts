import type { LogFields } from '../../../schemas/logs/log-record.ts';
import type { CallbackTags } from '../callback-url.ts';
import type { PhoneFailureCode } from './phone-outcome.ts';

/**
 * The outcome of a message or call, by its provider. `fields` are complete except for the `_at` and `_after` of the stage.
 * - `delivered`, `failed`: final. An unanswered call is delivered too, with its `call_delivered_code`.
 * - `sent_update`: more about the sent stage (carrier, cost, …); not a separate stage.
 * `eventId` is the same for every copy of one event.
 */
export type StatusReceipt = CallbackTags & {
  kind: 'delivered' | 'failed' | 'sent_update';
  channel: 'SMS' | 'CALL';
  providerMessageId: string;
  atMs: number;
  fields: LogFields;
  /** Present when `failed`. */
  code?: PhoneFailureCode;
  eventId: string;
};

/** A text message from a person to one of the service's numbers. */
export type InboundReceipt = {
  kind: 'inbound';
  from: string;
  to: string;
  text: string;
  media: { url: string; contentType?: string }[];
  providerMessageId: string;
  atMs: number;
  /** The message that it replies to, according to the provider. */
  answeredMessageId?: string;
  /** Present if the provider processed this keyword and has already replied to it. */
  providerKeyword?: 'STOP' | 'START' | 'HELP';
  /**
   * True if the provider leaves opt-out keywords to this service: it neither confirms them nor keeps a list
   * itself.
   */
  isKeywordOurs?: true;
};

/** The content of a provider's event or callback. `ignored`: nothing to record; `reason` is safe to log. */
export type PhoneReceipt = StatusReceipt | InboundReceipt | { kind: 'ignored'; reason: string };

/** A receipt that records nothing. */
export function ignored(reason: string): PhoneReceipt {
  return { kind: 'ignored', reason };
}

/** The keyword that a provider's own opt-out feature acted on, if it is a known one. */
export function toProviderKeyword(text: string | undefined): InboundReceipt['providerKeyword'] {
  const word = text?.toUpperCase();
  return word === 'STOP' || word === 'START' || word === 'HELP' ? word : undefined;
}

import { defined } from '../../runtime/values/defined.ts';
import type { InboundMessage } from '../../schemas/logs/inbound-message.ts';
import type { LogRecord } from '../../schemas/logs/log-record.ts';
import type { SendRequest } from '../../schemas/sending/send-request.ts';
import { bareLink } from '../content/links.ts';
import type { LogHead } from '../logs/log.ts';

/** Fields of a request that say whom it is for and how it is routed; of all others, only the names are shown. */
const SHOWN = new Set(
  'type notificationId to user forceChannels templateId subNotificationId secondaryId schedule urgent sensitive metadata'.split(
    ' ',
  ),
);
/** A bounce is about one of the recipients. */
const SHOWN_OF_EMAIL = new Set(['ccAddresses', 'bccAddresses']);

const HIDDEN = '…';

/** The request of a sensitive notification: the names of its fields without their values. */
export function maskedRequest(request: SendRequest): SendRequest {
  const entries = Object.entries(request).map(([name, value]) => {
    if (SHOWN.has(name)) return [name, value];
    const email = name === 'options' ? request.options?.email : undefined;
    const shown = Object.entries(email ?? {}).filter(([each]) => SHOWN_OF_EMAIL.has(each));
    const hidden = masked(value);
    return [
      name,
      email ? { ...Object(hidden), email: { ...masked(email), ...Object.fromEntries(shown) } } : hidden,
    ];
  });
  return Object.fromEntries(entries);
}

function masked<T>(value: T): T {
  const text = JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null ? each : HIDDEN,
  );
  return JSON.parse(text ?? 'null');
}

/** The record of a sensitive notification: neither previews nor values of the request. */
export function maskedRecord(record: LogRecord, { request }: LogHead): LogRecord {
  const entries = Object.entries(record).filter(([name]) => !name.endsWith('_preview'));
  return {
    ...Object.fromEntries(entries),
    trackingId: record.trackingId,
    accountId: record.accountId,
    request: JSON.stringify(maskedRequest(request)),
  };
}

/** Fields of events with the words of a message, or of a reply. */
const CONTENT =
  /_preview$|_clicked_link_tags$|_inbound_(subject|body_|text|media|attachments|from_name)|_replied_text$/;

/** The fields of an event, or of a record, without content. */
export function bareFields<F extends object>(fields: F): F {
  const entries = Object.entries(fields).filter(([name]) => !CONTENT.test(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'email_clicked_link' ? bareLink(String(value)) : value]),
  ) as F;
}

/** The record of a notification whose content is kept no longer. */
export const agedRecord = (record: LogRecord, head: LogHead): LogRecord =>
  bareFields(maskedRecord(record, head));

/** An inbound message without its content. */
export function bareInbound(message: InboundMessage): InboundMessage {
  const { trackingId, eventType, timestamp, epochMs } = message;
  const { inbox, from, to, cc, messageId, resolutionType } = message;
  return {
    trackingId,
    eventType,
    timestamp,
    epochMs,
    ...defined({ inbox, from, to, cc, messageId, resolutionType }),
  };
}

const SECRET_WORDS = new Set('code otp pin token password passcode secret'.split(' '));

/** Names of parameters that look like codes or tokens, such as `loginCode` and `reset_token`. */
export const secretNames = (names: readonly string[]): string[] =>
  names.filter((name) =>
    name.split(/[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z])/).some((word) => SECRET_WORDS.has(word.toLowerCase())),
  );

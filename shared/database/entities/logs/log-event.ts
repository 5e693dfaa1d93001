import * as v from 'valibot';
import type { LogEvent } from '../../../domain/logs/log.ts';
import { channelFields } from '../../../domain/routing/channel-fields.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { deflated, inflated } from '../../../runtime/values/deflated.ts';
import { Channel } from '../../../schemas/channel.ts';
import { InboundMessage } from '../../../schemas/logs/inbound-message.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { readStored } from '../../items/stored.ts';
import { readEventSk } from '../../keys/log.ts';
import type { Item } from '../../table.ts';

/** The estimate of a text message or call. */
export const StoredEstimate = v.object({
  code: v.string(),
  units: v.number(),
  estimatedMicros: v.number(),
  sentAtMs: v.optional(v.number()),
});

const StoredEvent = v.object({
  sk: v.string(),
  at: v.number(),
  f: v.record(v.string(), v.unknown()),
  /** Fields of the delivered stage, if the sent event includes it. */
  d: v.optional(v.record(v.string(), v.unknown())),
  /** Preview of the sent content, deflated. */
  p: v.optional(v.instance(Uint8Array)),
  /** The message, of an inbound email. */
  record: v.optional(InboundMessage),
  est: v.optional(StoredEstimate),
  /** The carrier of a collected notification. */
  c: v.optional(v.object({ trackingId: v.string(), flushAtMs: v.number() })),
  /** Progress of a notification with steps or held channels. */
  w: v.optional(
    v.object({
      count: v.number(),
      step: v.number(),
      stepAtMs: v.number(),
      held: v.record(v.string(), v.number()),
      paused: v.optional(v.array(Channel)),
      released: v.optional(v.array(Channel)),
      isCancelled: v.optional(v.boolean()),
      throttled: v.optional(v.array(Channel)),
    }),
  ),
});

/** Maximum bytes of a preview in an event's item, which may have 400 KB. */
const PREVIEW_BYTES_MAX = 256 * 1024;

/** A preview as it is stored: deflated; if it is still too large, its beginning. */
export function packPreview(preview: string): Uint8Array {
  const packed = deflated(preview);
  if (packed.length <= PREVIEW_BYTES_MAX) return packed;
  const { read } = new TextEncoder().encodeInto(preview, new Uint8Array(PREVIEW_BYTES_MAX));
  return deflated(preview.slice(0, read));
}

/** Reads an event item; the preview becomes the field `<prefix>_preview`. Undefined for a stage of a later release. */
export function readEvent(item: Item): LogEvent | undefined {
  const stored = readStored('log event', StoredEvent, item);
  const named = readEventSk(stored.sk);
  if (!named) return undefined;
  const { channel, stage, seq } = named;
  const preview = channel && stored.p && channelFields(channel, { preview: inflated(stored.p) });
  return {
    channel,
    stage,
    atMs: stored.at,
    fields: {
      ...stored.f,
      ...(stored.record && channel === 'EMAIL' ? inboundEmailFields(stored.record) : {}),
      ...preview,
    },
    ...defined({ seq, delivered: stored.d, carrier: stored.c, progress: stored.w, estimate: stored.est }),
  };
}

function inboundEmailFields(record: InboundMessage): LogFields {
  const { attachments = [], resolutionType } = record;
  const joined = (list: readonly string[] | undefined) => (list?.length ? list.join(', ') : undefined);
  return {
    email_inbound_from: record.from,
    email_inbound_from_name: record.fromName,
    email_inbound_to: joined(record.to),
    email_inbound_cc: joined(record.cc),
    email_inbound_bcc: joined(record.bcc),
    email_inbound_reply_to: record.replyTo,
    email_inbound_inbox: record.inbox,
    email_inbound_subject: record.subject,
    email_inbound_body_text: record.bodyText,
    email_inbound_body_html: record.bodyHtml,
    email_inbound_has_attachments: attachments.length > 0,
    email_inbound_attachment_count: attachments.length,
    email_inbound_internal: record.cut?.length ? `omitted: ${record.cut.join(', ')}` : undefined,
    email_inbound_message_id: record.messageId,
    email_inbound_in_reply_to: record.inReplyTo,
    email_inbound_references: record.references,
    ...(resolutionType === undefined || resolutionType === 'inbound'
      ? {}
      : { email_inbound_resolution_type: resolutionType }),
  };
}

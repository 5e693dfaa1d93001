import * as v from 'valibot';
import { UrlText } from '../fields/text.ts';

const text = v.optional(v.string());
const texts = v.optional(v.array(v.string()));

/** A record of GET /logs. */
export const InboundMessage = v.object({
  trackingId: v.string(),
  eventType: v.string(),
  timestamp: v.string(),
  epochMs: v.number(),
  inbox: text,
  from: text,
  fromName: text,
  subject: text,
  to: texts,
  cc: texts,
  bcc: texts,
  replyTo: text,
  bodyText: text,
  strippedText: text,
  bodyHtml: text,
  attachments: v.optional(
    v.array(
      v.object({
        index: v.optional(v.number()),
        filename: v.string(),
        contentType: v.string(),
        size: v.number(),
        contentId: v.optional(v.string()),
      }),
    ),
  ),
  media: v.optional(v.array(v.object({ url: UrlText, contentType: v.optional(v.string()) }))),
  /** The parts that exceeded a limit and are not in the record. */
  cut: texts,
  truncated: v.optional(v.boolean()),
  automatic: v.optional(v.boolean()),
  verdicts: v.optional(v.object({ spam: text, virus: text, spf: text, dkim: text, dmarc: text })),
  messageId: text,
  inReplyTo: text,
  references: text,
  resolutionType: v.optional(v.picklist(['reply', 'builtin', 'custom', 'inbound'])),
});
export type InboundMessage = v.InferOutput<typeof InboundMessage>;

import * as v from 'valibot';

const text = v.fallback(v.optional(v.string(), ''), '');
const filled = v.pipe(v.string(), v.minLength(1));
const texts = v.fallback(v.array(v.string()), []);
const addressed = v.fallback(
  v.array(
    v.looseObject({
      emailAddress: filled,
      status: v.fallback(v.optional(v.string()), undefined),
      diagnosticCode: v.fallback(v.optional(v.string()), undefined),
    }),
  ),
  [],
);

const Mail = v.object({
  messageId: filled,
  timestamp: text,
  destination: texts,
  tags: v.fallback(v.record(v.string(), texts), {}),
  headers: v.fallback(v.array(v.object({ name: v.string(), value: v.string() })), []),
});

const Bounce = v.looseObject({
  bounceType: text,
  bounceSubType: text,
  bouncedRecipients: addressed,
  timestamp: text,
  feedbackId: text,
});
const Complaint = v.looseObject({
  complaintFeedbackType: text,
  complaintSubType: text,
  complainedRecipients: addressed,
  timestamp: text,
  feedbackId: text,
});
const Visit = { timestamp: text, userAgent: text, ipAddress: text };

/**
 * An event of SES, by event publishing (`eventType`) or as an identity's notification (`notificationType`):
 * the parts that the log record uses, everything else as received. Lenient: undocumented values read as
 * absent.
 */
export const SesEventShape = v.object({
  eventType: text,
  notificationType: text,
  mail: Mail,
  bounce: v.fallback(v.optional(Bounce), undefined),
  complaint: v.fallback(v.optional(Complaint), undefined),
  delivery: v.fallback(v.optional(v.object({ timestamp: text, recipients: texts })), undefined),
  open: v.fallback(v.optional(v.object(Visit)), undefined),
  click: v.fallback(
    v.optional(v.object({ ...Visit, link: text, linkTags: v.optional(v.unknown()) })),
    undefined,
  ),
  reject: v.fallback(v.optional(v.looseObject({ reason: text })), undefined),
  failure: v.fallback(v.optional(v.looseObject({ errorMessage: text })), undefined),
  deliveryDelay: v.fallback(
    v.optional(v.looseObject({ timestamp: text, delayedRecipients: addressed })),
    undefined,
  ),
});
export type SesEventShape = v.InferOutput<typeof SesEventShape>;

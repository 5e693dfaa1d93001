import * as v from 'valibot';

export const DomainStatus = v.picklist(['SUCCESS', 'PENDING', 'FAILED', 'TEMPORARY_FAILURE', 'NOT_STARTED']);
export type DomainStatus = v.InferOutput<typeof DomainStatus>;

/** States of a sender domain's MAIL FROM subdomain. */
export const MailFromStatus = v.picklist(['PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE']);
export type MailFromStatus = v.InferOutput<typeof MailFromStatus>;

/** Why a sender domain is FAILED, where DNS is not the reason. */
export const DomainProblem = v.picklist(['IN_USE']);
export type DomainProblem = v.InferOutput<typeof DomainProblem>;

/** One DNS record to publish. `recordName` is relative to the registrable parent zone, `@` for the zone itself. */
export const DnsRecord = v.object({
  recordType: v.picklist(['TXT', 'MX']),
  recordName: v.string(),
  host: v.string(),
  recordValue: v.string(),
  priority: v.optional(v.number()),
  required: v.boolean(),
  found: v.optional(v.array(v.string())),
  problem: v.optional(v.string()),
});
export type DnsRecord = v.InferOutput<typeof DnsRecord>;

export const VerificationRecords = v.object({
  dkim: DnsRecord,
  mail_from_spf: DnsRecord,
  mail_from_mx: DnsRecord,
  dmarc: DnsRecord,
  inbound_mx: v.optional(DnsRecord),
});
export type VerificationRecords = v.InferOutput<typeof VerificationRecords>;

const CheckedRecord = v.object({ found: v.array(v.string()), problem: v.optional(v.string()) });

/** What DNS had for each record at the last check, and what is wrong with it. */
export const CheckedRecords = v.object({
  dkim: v.optional(CheckedRecord),
  mail_from_spf: v.optional(CheckedRecord),
  mail_from_mx: v.optional(CheckedRecord),
  dmarc: v.optional(CheckedRecord),
  inbound_mx: v.optional(CheckedRecord),
});
export type CheckedRecords = v.InferOutput<typeof CheckedRecords>;

/** A sender domain as returned; the private key is never returned. */
export const SenderDomain = v.object({
  sender: v.string(),
  status: DomainStatus,
  lastSync: v.string(),
  verificationTokens: v.optional(v.array(v.string())),
  mailFromDomainStatus: v.optional(MailFromStatus),
  createdAt: v.string(),
  reminderSentAt: v.optional(v.string()),
  selector: v.string(),
  verificationRecords: v.optional(VerificationRecords),
});
export type SenderDomain = v.InferOutput<typeof SenderDomain>;

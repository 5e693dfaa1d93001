import * as v from 'valibot';

/** A mail that came in: where it is stored, and what its receiver knows of it. */
export type MailNotice = {
  objectName: string;
  /** Of the envelope; absent where only the stored mail is known. */
  recipients?: string[];
  verdicts: Record<string, string>;
};

/** Where mail is stored, by SES and by the local listener. */
export const INBOUND_PREFIX = 'inbound/';

const ObjectRecord = v.object({ s3: v.object({ object: v.object({ key: v.string() }) }) });
const Verdict = v.optional(v.object({ status: v.string() }));
const SesRecord = v.object({
  ses: v.object({
    mail: v.object({ messageId: v.string() }),
    receipt: v.object({
      recipients: v.array(v.string()),
      spamVerdict: Verdict,
      virusVerdict: Verdict,
      spfVerdict: Verdict,
      dkimVerdict: Verdict,
      dmarcVerdict: Verdict,
    }),
  }),
});

/** The mails of an event: objects of the bucket, or receipts of the SES rule that stored them. Others are left out. */
export function mailNoticesOf(event: { Records?: readonly unknown[] }): MailNotice[] {
  return (event.Records ?? []).flatMap((record): MailNotice[] => {
    const object = v.safeParse(ObjectRecord, record);
    if (object.success) return [{ objectName: object.output.s3.object.key, verdicts: {} }];
    const receipt = v.safeParse(SesRecord, record);
    return receipt.success ? [receiptNotice(receipt.output)] : [];
  });
}

function receiptNotice({ ses: { mail, receipt } }: v.InferOutput<typeof SesRecord>): MailNotice {
  const verdicts: Record<string, string> = {};
  for (const name of ['spam', 'virus', 'spf', 'dkim', 'dmarc'] as const) {
    const status = receipt[`${name}Verdict`]?.status;
    if (status !== undefined) verdicts[name] = status.toLowerCase();
  }
  return { objectName: INBOUND_PREFIX + mail.messageId, recipients: receipt.recipients, verdicts };
}

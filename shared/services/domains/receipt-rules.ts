import { findReceivingDomain } from '../../channels/email/inbound/mail-receiving.ts';
import { lazily } from '../../runtime/async/lazily.ts';
import { findSetting } from '../../runtime/config.ts';
import { dependency } from '../../runtime/dependency.ts';
import type { ReceiptRules } from './receipt-rules-port.ts';

/** The rules of this deployment's rule set: `SES_RECEIPT_RULE_SET`, where `MAIL_RECEIVING` is on. */
export const receiptRules = dependency<ReceiptRules | undefined>('receiptRules', () => {
  const [ruleSet, mailDomain] = [findSetting('SES_RECEIPT_RULE_SET'), findReceivingDomain()];
  if (ruleSet === undefined || mailDomain === undefined) return undefined;
  const load = async () => (await import('./ses-receipt-rules.ts')).createReceiptRulesOf(ruleSet, mailDomain);
  return lazily(load, { keep: true });
});

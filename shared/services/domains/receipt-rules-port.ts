/** The rules by which SES receives email; undefined where it receives none. */
export type ReceiptRules = {
  /** Receives email for the mail domain and for these domains alone. Repeatable. */
  keep(domains: readonly string[]): Promise<void>;
};

/** Name of the rule that the stack creates; further ones are `inbound-2` and so on, with the same actions. */
export const RECEIPT_RULE = 'inbound';

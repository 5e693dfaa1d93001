/** SES's rules for received email; undefined where SES receives none. */
export type ReceiptRules = {
  /** Receives email for the mail domain and for these domains alone. Repeatable. */
  keep(domains: readonly string[]): Promise<void>;
};

/** Name of the stack's rule; further rules are `inbound-2` and so on, with the same actions. */
export const RECEIPT_RULE = 'inbound';

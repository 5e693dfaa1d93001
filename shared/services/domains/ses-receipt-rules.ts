import {
  CreateReceiptRuleCommand,
  DeleteReceiptRuleCommand,
  DescribeReceiptRuleSetCommand,
  type ReceiptRule,
  SESClient,
  UpdateReceiptRuleCommand,
} from '@aws-sdk/client-ses';
import { createTurns } from '../../runtime/async/turns.ts';
import { requestLimits } from '../../runtime/request-limits.ts';
import { RECEIPT_RULE, type ReceiptRules } from './receipt-rules-port.ts';

/** AWS names two limits, 500 in its quotas and 100 in its guide: the lower one holds either way. */
const RECIPIENTS_MAX = 100;
/** SES accepts one call a second. */
const CALL_EVERY_MS = 1000;

type ReceiptRuleOptions = {
  client: Pick<SESClient, 'send'>;
  ruleSetName: string;
  mailDomain: string;
  /** Waits its turn for one call. */
  turn: () => Promise<void>;
};

/** A rule as SES has it, if it does, and the domains that it is to have. */
type Planned = { present?: ReceiptRule; name: string; recipients: string[] };

/**
 * Keeps the recipients of the rules. A domain stays in its rule, so that a change touches one rule. A rule without
 * recipients would match every domain of the AWS account: the first always has the mail domain, others are deleted.
 */
export function createReceiptRules({
  client,
  ruleSetName,
  mailDomain,
  turn,
}: ReceiptRuleOptions): ReceiptRules {
  const RuleSetName = ruleSetName;

  async function write(
    { present, name, recipients }: Planned,
    base: ReceiptRule,
    after: string,
  ): Promise<void> {
    const rule = { ...base, Name: name, Recipients: recipients };
    if (present && isSame(present, rule)) return;
    await turn();
    if (recipients.length === 0) {
      await client.send(new DeleteReceiptRuleCommand({ RuleSetName, RuleName: name }));
    } else if (present) {
      await client.send(new UpdateReceiptRuleCommand({ RuleSetName, Rule: rule }));
    } else {
      await client.send(new CreateReceiptRuleCommand({ RuleSetName, Rule: rule, After: after }));
    }
  }

  return {
    async keep(domains) {
      await turn();
      const { Rules = [] } = await client.send(new DescribeReceiptRuleSetCommand({ RuleSetName }));
      const base = Rules.find(({ Name }) => Name === RECEIPT_RULE);
      if (!base) throw new Error(`The rule set ${ruleSetName} has no rule ${RECEIPT_RULE}: deploy again.`);
      let after = RECEIPT_RULE;
      for (const planned of planOf(base, Rules, mailDomain, domains)) {
        await write(planned, base, after);
        if (planned.recipients.length > 0) after = planned.name;
      }
    },
  };
}

function planOf(
  base: ReceiptRule,
  rules: readonly ReceiptRule[],
  mailDomain: string,
  domains: readonly string[],
) {
  const missing = new Set(domains.filter((domain) => domain !== mailDomain));
  const further = rules.filter(({ Name }) => Name?.startsWith(`${RECEIPT_RULE}-`));
  const plan: Planned[] = [base, ...further].map((present) => {
    const first = present === base ? [mailDomain] : [];
    const kept = (present.Recipients ?? [])
      .slice(0, RECIPIENTS_MAX - first.length)
      .filter((domain) => missing.delete(domain));
    return { present, name: present.Name ?? '', recipients: [...first, ...kept] };
  });
  for (const domain of missing) {
    const roomy = plan.find(({ recipients }) => recipients.length < RECIPIENTS_MAX);
    if (roomy) roomy.recipients.push(domain);
    else plan.push({ name: newNameOf(plan), recipients: [domain] });
  }
  return plan;
}

function newNameOf(plan: readonly Planned[]): string {
  const names = new Set(plan.map(({ name }) => name));
  let number = 2;
  while (names.has(`${RECEIPT_RULE}-${number}`)) number += 1;
  return `${RECEIPT_RULE}-${number}`;
}

function isSame(one: ReceiptRule, other: ReceiptRule): boolean {
  const formOf = ({ Recipients = [], Actions, Enabled, ScanEnabled, TlsPolicy }: ReceiptRule) =>
    JSON.stringify([Recipients.toSorted(), Actions, Enabled, ScanEnabled, TlsPolicy]);
  return formOf(one) === formOf(other);
}

/** The rules of the deployment's region. */
export function createReceiptRulesOf(ruleSetName: string, mailDomain: string): ReceiptRules {
  const turn = createTurns(CALL_EVERY_MS);
  return createReceiptRules({
    client: new SESClient({ requestHandler: requestLimits() }),
    ruleSetName,
    mailDomain: mailDomain,
    turn: async () => void (await turn()),
  });
}

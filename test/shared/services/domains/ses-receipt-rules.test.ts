import {
  CreateReceiptRuleCommand,
  DeleteReceiptRuleCommand,
  DescribeReceiptRuleSetCommand,
  type ReceiptRule,
  type SESClient,
  UpdateReceiptRuleCommand,
} from '@aws-sdk/client-ses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReceiptRules } from '../../../../shared/services/domains/ses-receipt-rules.ts';

const MAIL = 'mail.example.net';
const ACTIONS = [{ S3Action: { BucketName: 'mail', ObjectKeyPrefix: 'inbound/', TopicArn: 'arn:topic' } }];
const RULE = {
  Name: 'inbound',
  Enabled: true,
  ScanEnabled: true,
  TlsPolicy: 'Optional',
  Actions: ACTIONS,
} as const;

/** A rule set that accepts what SES does: names once, at most 100 recipients in a rule, no more than a call a turn. */
function fakeSes(rules: ReceiptRule[] = [{ ...RULE, Actions: [...ACTIONS], Recipients: [MAIL] }]) {
  const calls: string[] = [];
  let turns = 0;
  const response = async (command: unknown) => {
    // A turn for each call.
    expect(turns).toBe(1);
    turns = 0;
    if (command instanceof DescribeReceiptRuleSetCommand) {
      calls.push('describe');
      return { Rules: structuredClone(rules) };
    }
    const {
      Rule,
      RuleName = Rule?.Name,
      After,
    } = (command as { input: Record<string, never> }).input as {
      Rule?: ReceiptRule;
      RuleName?: string;
      After?: string;
    };
    const at = rules.findIndex(({ Name }) => Name === RuleName);
    if (command instanceof DeleteReceiptRuleCommand) rules.splice(at, 1);
    if (Rule && (Rule.Recipients?.length ?? 0) > 100) throw new Error('LimitExceeded');
    if (Rule && command instanceof UpdateReceiptRuleCommand) {
      if (at < 0) throw new Error('RuleDoesNotExist');
      rules[at] = structuredClone(Rule);
    }
    if (Rule && command instanceof CreateReceiptRuleCommand) {
      const after = rules.findIndex(({ Name }) => Name === After);
      if (at >= 0 || after < 0) throw new Error('AlreadyExists');
      rules.splice(after + 1, 0, structuredClone(Rule));
    }
    calls.push(`${command?.constructor.name.replace('ReceiptRuleCommand', '')} ${RuleName}`);
    return {};
  };
  const kept = createReceiptRules({
    client: { send: response as SESClient['send'] },
    ruleSetName: 'notifications-prod-inbound',
    mailDomain: MAIL,
    turn: async () => {
      turns += 1;
    },
  });
  const recipients = () => rules.map(({ Name, Recipients }) => [Name, Recipients]);
  return { keep: kept.keep, rules, recipients, calls };
}
const domainsOf = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example.com`);

describe('the rules by which SES receives email', () => {
  it('has the mail domain and every domain with an address as recipients, and its actions as they were', async () => {
    const ses = fakeSes();
    await ses.keep(['shop.example.com']);
    expect(ses.rules).toEqual([{ ...RULE, Recipients: [MAIL, 'shop.example.com'] }]);
    await ses.keep(['news.example.com']);
    expect(ses.recipients()).toEqual([['inbound', [MAIL, 'news.example.com']]]);
    await ses.keep([]);
    expect(ses.recipients()).toEqual([['inbound', [MAIL]]]);
  });

  it('changes nothing that is as it should be', async () => {
    const ses = fakeSes();
    await ses.keep(['b.example.com', 'a.example.com', MAIL]);
    ses.calls.length = 0;
    await ses.keep(['a.example.com', 'b.example.com']);
    expect(ses.calls).toEqual(['describe']);
  });

  it('adds rules past 100 recipients, changes one rule for one domain, and deletes a rule without any', async () => {
    const ses = fakeSes();
    const domains = domainsOf(250);
    await ses.keep(domains);
    expect(ses.rules.map(({ Name, Recipients }) => [Name, Recipients?.length])).toEqual([
      ['inbound', 100],
      ['inbound-2', 100],
      ['inbound-3', 51],
    ]);
    expect(ses.rules.every(({ Actions }) => JSON.stringify(Actions) === JSON.stringify(ACTIONS))).toBe(true);
    ses.calls.length = 0;
    await ses.keep(domains.filter((domain) => domain !== 'd5.example.com'));
    expect(ses.calls).toEqual(['describe', 'Update inbound']);
    ses.calls.length = 0;
    await ses.keep([...domains.slice(0, 99), ...domains.slice(199)]);
    expect(ses.rules.map(({ Name }) => Name)).toEqual(['inbound', 'inbound-3']);
  });

  it('restores what a deployment has set back', async () => {
    const ses = fakeSes();
    await ses.keep(domainsOf(120));
    Object.assign(ses.rules[0] ?? {}, { Recipients: [MAIL], TlsPolicy: 'Require' });
    await ses.keep(domainsOf(120));
    expect(ses.rules.flatMap(({ Recipients }) => Recipients).sort()).toEqual(
      [MAIL, ...domainsOf(120)].sort(),
    );
    expect(ses.rules.map(({ TlsPolicy }) => TlsPolicy)).toEqual(['Require', 'Require']);
  });

  it('leaves rules of others alone, and fails if its own is missing', async () => {
    const other = { ...RULE, Actions: [...ACTIONS], Name: 'inbox', Recipients: ['other.example.com'] };
    const ses = fakeSes([{ ...RULE, Actions: [...ACTIONS], Recipients: [MAIL] }, other]);
    await ses.keep(['a.example.com']);
    expect(ses.rules.at(-1)).toEqual(other);
    await expect(fakeSes([other]).keep([])).rejects.toThrow('deploy again');
  });

  it('never has a rule without recipients, which would match every domain, and each domain once', async () => {
    const Domains = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 260 });
    await fc.assert(
      fc.asyncProperty(fc.array(Domains, { minLength: 1, maxLength: 4 }), async (states) => {
        const ses = fakeSes();
        for (const state of states) {
          const domains = state.map((each) => `d${each}.example.com`);
          ses.calls.length = 0;
          const { keep } = ses;
          await keep(domains);
          const found = ses.rules.flatMap(({ Recipients = [] }) => Recipients);
          expect(found.toSorted()).toEqual([MAIL, ...domains].sort());
          for (const { Recipients } of ses.rules) expect(Recipients?.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 20 },
    );
  });
});

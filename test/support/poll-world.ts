import { handler as pollDomains } from '../../functions/workers/domains/poll-domains.ts';
import type { ChannelProvider, EmailDelivery } from '../../shared/channels/channel.ts';
import { members } from '../../shared/database/entities/access/members.ts';
import { accountCreation } from '../../shared/database/entities/accounts/account-creation.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { leases } from '../../shared/database/entities/sending/leases.ts';
import { addresses } from '../../shared/database/entities/settings/addresses.ts';
import { domainPolls } from '../../shared/database/entities/settings/domain-polls.ts';
import { domains } from '../../shared/database/entities/settings/domains.ts';
import { receivingDomains } from '../../shared/database/entities/settings/receiving-domains.ts';
import type { StoredDomain } from '../../shared/database/entities/settings/stored-domain.ts';
import type { DomainFinding } from '../../shared/domain/domains/domain-verification.ts';
import { serviceEmail } from '../../shared/providers/email/service-email.ts';
import { type Dependency, replace, resolve } from '../../shared/runtime/dependency.ts';
import type { DomainToVerify } from '../../shared/services/domains/domain-verifier.ts';
import { domainVerifier } from '../../shared/services/domains/domains.ts';
import { receiptRules } from '../../shared/services/domains/receipt-rules.ts';
import { createTestApp, type TestAccount, type TestApp } from './app.ts';

/** The surroundings of the sender domain poll: a verifier and a mail provider that tests control and observe. */
export type PollWorld = {
  app: TestApp;
  checks: DomainToVerify[];
  removed: string[];
  emails: EmailDelivery[];
  /** The verifier's findings. */
  find: (domain: DomainToVerify) => DomainFinding | Promise<DomainFinding>;
  isForgetFailing: boolean;
  /** The domains that SES receives email for. */
  received: string[];
  mailOutcome: Awaited<ReturnType<ChannelProvider<'EMAIL'>['deliver']>>;
  start(account: TestAccount, sender: string): Promise<string>;
  stored(account: TestAccount, sender: string): Promise<StoredDomain>;
  /** Runs the poll after that time. */
  pollAfter(ms: number): Promise<void>;
};

/** A finding of that status, for MAIL FROM too. */
export const known = (status: 'SUCCESS' | 'PENDING'): DomainFinding => ({
  kind: 'known',
  status,
  mailFromDomainStatus: status,
  isRegistered: true,
});

/** A world with a separate table, so that no other test's domains are due in it. */
export async function createPollWorld(): Promise<PollWorld> {
  const app = await createTestApp();
  const stored = [
    domains,
    domainPolls,
    leases,
    accounts,
    members,
    accountCreation,
    addresses,
    receivingDomains,
  ];
  for (const dependency of stored) makeAnew(dependency);
  const world: PollWorld = {
    app,
    checks: [],
    removed: [],
    emails: [],
    find: () => known('PENDING'),
    isForgetFailing: false,
    received: [],
    mailOutcome: { kind: 'sent', fields: {} },
    start: (account, sender) => resolve(domains).start(account.account.accountId, sender, app.clock.nowMs),
    async stored(account, sender) {
      const domain = await resolve(domains).find(account.account.accountId, sender);
      if (!domain) throw new Error('the domain is gone');
      return domain;
    },
    async pollAfter(ms) {
      app.clock.nowMs += ms;
      await pollDomains();
    },
  };
  replace(domainVerifier, () => ({
    name: 'ses',
    verify: async (domain) => {
      world.checks.push(domain);
      return world.find(domain);
    },
    remove: async ({ sender }) => {
      if (world.isForgetFailing) throw new Error('not now');
      world.removed.push(sender);
    },
  }));
  replace(receiptRules, () => ({
    keep: async (received) => {
      world.received = [...received];
    },
  }));
  replace(serviceEmail, () => ({
    name: 'fake',
    deliver: async (delivery) => {
      world.emails.push(delivery);
      return world.mailOutcome;
    },
  }));
  return world;
}

function makeAnew({ name, create }: Dependency<unknown>): void {
  replace({ name, create }, create);
}

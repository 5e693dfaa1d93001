import { mailHosts } from '../../shared/channels/email/mail-domain.ts';
import type { Addresses } from '../../shared/database/entities/settings/addresses.ts';
import type { Domains } from '../../shared/database/entities/settings/domains.ts';
import type { StoredDomain } from '../../shared/database/entities/settings/stored-domain.ts';
import { type MailHosts, verificationRecordsOf } from '../../shared/domain/domains/sender-domain.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type {
  DomainProblem,
  SenderDomain,
  VerificationRecords,
} from '../../shared/schemas/domains/sender-domain.ts';

const PROBLEMS: Record<DomainProblem, string> = {
  IN_USE:
    'The domain is in use by another application of this AWS account. Add another domain or a subdomain, or ask the operator to hand the identity over (docs/runbook.md) and add the domain again.',
};

/** Sender domains as returned, with the DNS records to publish. */
export async function domainResponsesOf(
  { domains, addresses }: { domains: Domains; addresses: Addresses },
  accountId: string,
): Promise<SenderDomain[]> {
  const hosts = mailHosts();
  const [listed, owned] = await Promise.all([domains.listAll(accountId), addresses.listAll(accountId)]);
  const addressed = new Set(owned.map(({ domain }) => domain));
  return listed.map((domain) =>
    domainResponseOf({ ...domain, isAddressed: addressed.has(domain.sender) }, hosts),
  );
}

export function domainResponseOf(
  domain: StoredDomain & { isAddressed?: boolean },
  hosts: MailHosts,
): SenderDomain {
  return {
    sender: domain.sender,
    status: domain.status,
    lastSync: isoOf(domain.lastSyncMs),
    ...defined({
      verificationTokens: domain.verificationTokens?.length ? domain.verificationTokens : undefined,
      mailFromDomainStatus: domain.mailFromDomainStatus || undefined,
    }),
    createdAt: isoOf(domain.createdAtMs),
    ...defined({
      reminderSentAt: domain.reminderSentAtMs === undefined ? undefined : isoOf(domain.reminderSentAtMs),
    }),
    selector: domain.selector,
    verificationRecords: withFindings(verificationRecordsOf(domain, hosts), domain),
  };
}

/** The domain has the key's problem: SES signs with somebody else's key. */
function withFindings(
  records: VerificationRecords,
  { records: checked = {}, problem }: StoredDomain,
): VerificationRecords {
  const found = Object.entries(records).map(([key, record]) => {
    const own = problem !== undefined && key === 'dkim' ? { problem: PROBLEMS[problem] } : {};
    return [key, { ...record, ...defined(checked[key as keyof VerificationRecords] ?? {}), ...own }];
  });
  return Object.fromEntries(found);
}

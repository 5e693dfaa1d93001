import { mailHosts } from '../../../shared/channels/email/mail-domain.ts';
import { type Account, accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { leases } from '../../../shared/database/entities/sending/leases.ts';
import { addresses } from '../../../shared/database/entities/settings/addresses.ts';
import { type DuePoll, domainPolls } from '../../../shared/database/entities/settings/domain-polls.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { receivingDomains } from '../../../shared/database/entities/settings/receiving-domains.ts';
import type { StoredDomain } from '../../../shared/database/entities/settings/stored-domain.ts';
import {
  advanceVerification,
  type DomainFinding,
  isReminderDue,
} from '../../../shared/domain/domains/domain-verification.ts';
import { verificationRecordsOf } from '../../../shared/domain/domains/sender-domain.ts';
import { scheduledWorker } from '../../../shared/http/workers/event-worker.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { domainVerifier } from '../../../shared/services/domains/domains.ts';
import { receiptRules } from '../../../shared/services/domains/receipt-rules.ts';
import { adminMailDependencies, mailToAdmins } from '../mail/mail-to-admins.ts';

const LEASE = 'poll-domains';
/** Longer than the function may run, so a free lease means that no other run is active. */
const LEASE_MS = 310_000;
/** A run starts no further check after this; the rest stays due. */
const WORK_MS = 240_000;
const REMOVE_AGAIN_AFTER_MS = 60 * 60_000;

const DEPENDENCIES = {
  accounts,
  addresses,
  domainPolls,
  domains,
  domainVerifier,
  leases,
  receiptRules,
  receivingDomains,
  ...adminMailDependencies,
};
type Deps = Resolved<typeof DEPENDENCIES> & { clock: Clock };

/**
 * Checks the due sender domains, and receives email for domains that have an address. Only one run at a time: the verifier paces
 * its calls within it.
 */
export const handler = scheduledWorker(
  { name: 'poll-domains', failed: 'the sender domains were not checked' },
  DEPENDENCIES,
  async (deps) => {
    const startedMs = deps.clock.now();
    if (!(await deps.leases.take(LEASE, startedMs, LEASE_MS))) return;
    try {
      await attendDue(deps, startedMs);
      await deps.receiptRules?.keep(await deps.receivingDomains.listAll());
    } finally {
      await deps.leases.free(LEASE);
    }
  },
);

async function attendDue(deps: Deps, startedMs: number): Promise<void> {
  const startedAt = performance.now();
  for await (const poll of deps.domainPolls.listDue(startedMs)) {
    if (performance.now() - startedAt >= WORK_MS) return;
    await attend(deps, poll);
  }
}

async function attend(deps: Deps, poll: DuePoll): Promise<void> {
  const { accountId } = poll.kind === 'look' ? poll.domain : poll;
  try {
    if (poll.kind === 'look') await check(deps, poll.domain);
    else await removeFromProvider(deps, poll);
  } catch (error) {
    log.error('a sender domain was not checked', { worker: 'poll-domains', accountId }, error);
  }
}

async function check(deps: Deps, domain: StoredDomain): Promise<void> {
  const finding = await findingFor(deps, domain);
  const nowMs = deps.clock.now();
  const verification = advanceVerification(domain, finding, nowMs);
  const known = finding.kind === 'known' ? finding : undefined;
  const isDue = domain.reminderSentAtMs === undefined && isReminderDue(verification, nowMs);
  const result = {
    verification,
    verificationTokens: known?.verificationTokens ?? domain.verificationTokens,
    isRegistered: known?.isRegistered ?? domain.isRegistered,
    problem: known?.problem,
    records: known?.records ?? domain.records,
    isAddressed: await isAddressed(deps, domain),
    nowMs,
  };
  // Recorded first: a reminder that cannot be recorded would go out with every check.
  const reminderSentAtMs = isDue ? nowMs : domain.reminderSentAtMs;
  const outcome = await deps.domainPolls.save(domain, { ...result, reminderSentAtMs });
  if (!isDue || outcome !== 'saved' || (await isReminded(deps, domain))) return;
  const { sinceMs, polls } = verification;
  await deps.domainPolls.save({ ...domain, sinceMs, polls }, result);
}

async function isAddressed({ addresses }: Deps, { accountId, sender }: StoredDomain): Promise<boolean> {
  return (await addresses.listAll(accountId)).some(({ domain }) => domain === sender);
}

async function findingFor(
  { domains, domainVerifier, domainPolls }: Deps,
  domain: StoredDomain,
): Promise<DomainFinding> {
  const holder = await domains.findHolder(domain.sender);
  if (holder !== undefined && holder !== domain.accountId) {
    return { kind: 'known', status: 'FAILED', mailFromDomainStatus: 'FAILED', isRegistered: false };
  }
  try {
    return await domainVerifier.verify({
      sender: domain.sender,
      selector: domain.selector,
      publicKey: domain.publicKey,
      privateKeyPem: () => domainPolls.privateKeyPem(domain),
      isVerified: domain.status === 'SUCCESS',
      isRegistered: domain.isRegistered,
      hosts: mailHosts(),
    });
  } catch (error) {
    const { accountId } = domain;
    log.error('a check of a sender domain failed', { worker: 'poll-domains', accountId }, error);
    return { kind: 'unknown' };
  }
}

/** False if the reminder could not be sent: the next check retries. */
async function isReminded(deps: Deps, domain: StoredDomain): Promise<boolean> {
  try {
    const account = await deps.accounts.find(domain.accountId);
    return account !== undefined && (await sendDomainReminder(deps, account, domain));
  } catch (error) {
    log.error('a reminder was not sent', { worker: 'poll-domains', accountId: domain.accountId }, error);
    return false;
  }
}

/** The email provider keeps a domain that another account has verified since. */
async function removeFromProvider(
  { domains, domainVerifier, domainPolls, clock }: Deps,
  { accountId, sender, selector }: DuePoll & { kind: 'removal' },
): Promise<void> {
  const holder = await domains.findHolder(sender);
  try {
    if (holder === undefined) await domainVerifier.remove({ sender, selector });
  } catch (error) {
    log.error('the provider did not delete a sender domain', { worker: 'poll-domains', accountId }, error);
    return domainPolls.postponeRemoval(accountId, sender, clock.now() + REMOVE_AGAIN_AFTER_MS);
  }
  await domainPolls.recordRemoval(accountId, sender);
}

const NAME = 'sender-domain-reminder';

/**
 * Emails the account's active administrators the DNS records of a sender domain that are still missing.
 * Returns true if the provider accepted at least one message; false without a mail domain to send from.
 */
async function sendDomainReminder(
  deps: Resolved<typeof adminMailDependencies>,
  account: Account,
  domain: StoredDomain,
): Promise<boolean> {
  return mailToAdmins(deps, account, { name: NAME, id: `${NAME}-${domain.selector}` }, contentOf(domain));
}

function contentOf(domain: StoredDomain): { subject: string; html: string; text: string } {
  const records = Object.values(verificationRecordsOf(domain, mailHosts())).flatMap((record) =>
    record?.required ? [record] : [],
  );
  const intro = `The sender domain ${domain.sender} is not verified yet. Publish these DNS records; we check again every hour.`;
  const lines = records.map(({ recordType, host, priority, recordValue }) =>
    [recordType, host, ...(priority === undefined ? [] : [String(priority)]), recordValue].join('  '),
  );
  // Domain names and keys contain no character that has a meaning in HTML.
  const items = lines.map((line) => `<li><code>${line}</code></li>`).join('');
  return {
    subject: `${domain.sender} is missing DNS records`,
    html: `<p>${intro}</p><ul>${items}</ul>`,
    text: [intro, '', ...lines].join('\n'),
  };
}

import { mailHosts } from '../../../shared/channels/email/mail-domain.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { type DuePoll, domainPolls } from '../../../shared/database/entities/domain-polls.ts';
import { domains } from '../../../shared/database/entities/domains.ts';
import { leases } from '../../../shared/database/entities/leases.ts';
import type { StoredDomain } from '../../../shared/database/entities/stored-domain.ts';
import {
  advanceVerification,
  type DomainFinding,
  isReminderDue,
} from '../../../shared/domain/domain-verification.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { domainVerifier } from '../../../shared/services/domains/domains.ts';
import { sendDomainReminder } from './reminder.ts';

const LEASE = 'poll-domains';
/** Longer than the function may run: whoever finds it free is alone. */
const LEASE_MS = 310_000;
/** A run stops taking up work then; what is left stays due. */
const WORK_MS = 240_000;
const FORGET_AGAIN_AFTER_MS = 60 * 60_000;

/** Looks at the sender domains that are due. One run at a time: the verifier paces its calls within it. */
export async function handler(): Promise<void> {
  const startedMs = resolve(clock).now();
  if (!(await resolve(leases).take(LEASE, startedMs, LEASE_MS))) return;
  try {
    const startedAt = performance.now();
    for await (const poll of resolve(domainPolls).listDue(startedMs)) {
      if (performance.now() - startedAt >= WORK_MS) return;
      await attend(poll);
    }
  } finally {
    await resolve(leases).free(LEASE);
  }
}

async function attend(poll: DuePoll): Promise<void> {
  const { accountId } = poll.kind === 'look' ? poll.domain : poll;
  try {
    if (poll.kind === 'look') await look(poll.domain);
    else await forget(poll.accountId, poll.sender);
  } catch (error) {
    log.error('a sender domain was not attended to', { worker: 'poll-domains', accountId }, error);
  }
}

async function look(domain: StoredDomain): Promise<void> {
  const finding = await findingFor(domain);
  const nowMs = resolve(clock).now();
  const verification = advanceVerification(domain, finding, nowMs);
  const known = finding.kind === 'known' ? finding : undefined;
  const isReminded = domain.reminderSentAtMs !== undefined || !isReminderDue(verification, nowMs);
  const reminderSentAtMs = isReminded ? domain.reminderSentAtMs : await remind(domain, nowMs);
  await resolve(domainPolls).save(domain, {
    verification,
    verificationTokens: known?.verificationTokens ?? domain.verificationTokens,
    isRegistered: known?.isRegistered ?? domain.isRegistered,
    reminderSentAtMs,
    nowMs,
  });
}

async function findingFor(domain: StoredDomain): Promise<DomainFinding> {
  const holder = await resolve(domains).findHolder(domain.sender);
  if (holder !== undefined && holder !== domain.accountId) {
    return { kind: 'known', status: 'FAILED', mailFromDomainStatus: 'FAILED', isRegistered: false };
  }
  try {
    return await resolve(domainVerifier).verify({
      sender: domain.sender,
      selector: domain.selector,
      publicKey: domain.publicKey,
      privateKeyPem: () => resolve(domainPolls).privateKeyPem(domain),
      isVerified: domain.status === 'SUCCESS',
      isRegistered: domain.isRegistered,
      hosts: mailHosts(),
    });
  } catch (error) {
    log.error(
      'a look at a sender domain failed',
      { worker: 'poll-domains', accountId: domain.accountId },
      error,
    );
    return { kind: 'unknown' };
  }
}

/** When the reminder was sent; undefined when it could not be, so that the next look tries again. */
async function remind(domain: StoredDomain, nowMs: number): Promise<number | undefined> {
  try {
    const account = await resolve(accounts).find(domain.accountId);
    return account && (await sendDomainReminder(account, domain)) ? nowMs : undefined;
  } catch (error) {
    log.error('a reminder was not sent', { worker: 'poll-domains', accountId: domain.accountId }, error);
    return undefined;
  }
}

/** The mail provider keeps a domain that another account has verified since. */
async function forget(accountId: string, sender: string): Promise<void> {
  const polls = resolve(domainPolls);
  const holder = await resolve(domains).findHolder(sender);
  try {
    if (holder === undefined) await resolve(domainVerifier).forget(sender);
  } catch (error) {
    log.error('a sender domain was not forgotten', { worker: 'poll-domains', accountId }, error);
    return polls.postponeForgetting(accountId, sender, resolve(clock).now() + FORGET_AGAIN_AFTER_MS);
  }
  await polls.forgotten(accountId, sender);
}

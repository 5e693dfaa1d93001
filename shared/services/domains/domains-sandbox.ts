import type { DomainStatus, MailFromStatus } from '../../schemas/domains/sender-domain.ts';
import type { DomainVerifier } from './domain-verifier.ts';

const SCENARIOS: readonly [suffix: string, status: Extract<DomainStatus, MailFromStatus>][] = [
  ['.pending.test', 'PENDING'],
  ['.failed.test', 'FAILED'],
  ['.temporary.test', 'TEMPORARY_FAILURE'],
];

/**
 * Simulated DNS: names determine the outcome, such as `shop.pending.test`; every other domain is verified
 * immediately.
 */
export function createSandboxVerifier(): DomainVerifier {
  return {
    name: 'sandbox',
    async verify({ sender }) {
      const status = SCENARIOS.find(([suffix]) => sender.endsWith(suffix))?.[1] ?? 'SUCCESS';
      return { kind: 'known', status, mailFromDomainStatus: status, isRegistered: true };
    },
    async remove() {},
  };
}

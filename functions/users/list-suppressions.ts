import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { suppressedAddresses } from '../../shared/database/entities/users/suppressed-addresses.ts';
import { suppressedAtMs, suppressions } from '../../shared/database/entities/users/suppressions.ts';
import { anonymousStatus } from '../../shared/domain/logs/erased-log.ts';
import { mailboxOf } from '../../shared/domain/users/mailbox.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import type { EmailSuppressionStatus } from '../../shared/schemas/users/user.ts';
import { listSuppressionsRoute } from './routes.ts';

export const handler = endpoint(
  listSuppressionsRoute,
  { suppressions, suppressedAddresses, signer },
  async ({ suppressions, suppressedAddresses, signer, caller, query }) => {
    const { address, reason } = query;
    const list = { signer, caller, binding: ['listSuppressions'] };
    const page =
      address === undefined
        ? await listPage(list, query, (range) => suppressedAddresses.list(caller.accountId, range))
        : { suppressions: await lookUp(address) };
    const wanted = page.suppressions.filter(({ status }) => !reason || status.reason === reason);
    return { ...page, suppressions: wanted.map(entryOf) };

    async function lookUp(address: string) {
      const status = await suppressions.find(caller.accountId, address);
      return status ? [{ address: mailboxOf(address), status }] : [];
    }
  },
);

function entryOf({ address, status }: { address: string; status: EmailSuppressionStatus }) {
  const { timestamp: _, ...detail } = anonymousStatus(status).details;
  const atMs = suppressedAtMs(status);
  const { reason } = status;
  return { channel: 'EMAIL' as const, address, reason, ...(atMs > 0 && { createdAt: isoOf(atMs) }), detail };
}

import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { erasureReceipts } from '../../shared/database/entities/erasure/erasure-receipts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { listErasuresRoute } from './routes.ts';

export const handler = endpoint(
  listErasuresRoute,
  { erasureReceipts, signer },
  async ({ erasureReceipts, signer, caller, query }) => {
    const list = { signer, caller, binding: ['listErasures'] };
    const page = await listPage(list, query, (range) => erasureReceipts.list(caller.accountId, range));
    const visible = page.receipts.filter(
      ({ environmentId }) => !caller.boundToEnvironment || environmentId === caller.environmentId,
    );
    return {
      ...(page.nextCursor === undefined ? undefined : { nextCursor: page.nextCursor }),
      erasures: visible.map(({ requestedAtMs, finishedAtMs, ...receipt }) => ({
        ...receipt,
        requestedAt: isoOf(requestedAtMs),
        finishedAt: isoOf(finishedAtMs),
        kept: KEPT,
      })),
    };
  },
);

const KEPT = [
  'anonymous records with routing, codes and times, so that counts stay correct',
  'opt-outs and suppressions of addresses under a keyed hash, and opt-outs of phone numbers: they protect the person',
];

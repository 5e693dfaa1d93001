import { createFairClient, type FairDeliveries } from '../../http-client/fair-client.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { guardedClient } from '../clients/http-clients.ts';

/** A third of a batch: the rest stays free for other accounts. */
const FETCHES_AT_ONCE_MAX = 3;

/** Fetches attachments of email for all providers of this process, with a share for each account. */
export const attachmentClient = dependency(
  'attachmentClient',
  (): FairDeliveries =>
    createFairClient(resolve(guardedClient), {
      atOnceMax: FETCHES_AT_ONCE_MAX,
      unknownMax: FETCHES_AT_ONCE_MAX,
      now: resolve(clock).now,
    }),
);

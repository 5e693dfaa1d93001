import { createFairClient, type FairClient } from '../../http-client/fair-client.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { guardedClient } from './http-clients.ts';

/** As many as one batch has. In AWS, a function has one batch at a time; on one machine, all share a process. */
const CALLS_AT_ONCE_MAX = 10;

/** Calls webhooks, with a share for each account. Which of them rest is stored, and a slow one may be what it is. */
export const webhookClient = dependency(
  'webhookClient',
  (): FairClient =>
    createFairClient(resolve(guardedClient), {
      atOnceMax: CALLS_AT_ONCE_MAX,
      isPatient: true,
      now: resolve(clock).now,
    }),
);

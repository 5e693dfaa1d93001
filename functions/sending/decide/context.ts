import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import type {
  ContextScope,
  SendingContext,
  SendingContexts,
} from '../../../shared/database/entities/sending/sending-context.ts';
import type { UsageCaps } from '../../../shared/database/entities/usage/usage-caps.ts';
import type { Users } from '../../../shared/database/entities/users/users.ts';
import type { Known } from './evaluate.ts';

export type ContextDependencies = { users: Users; usageCaps: UsageCaps };

/** Reads the data for evaluating a notification; `head` belongs to `trackingId`, if that is given and stored. */
export async function readKnown(
  deps: ContextDependencies & { logs: Logs; sendingContexts: SendingContexts },
  scope: ContextScope,
  trackingId: string | undefined,
  nowMs: number,
): Promise<Known & { head: StoredLogHead | undefined }> {
  const context = await deps.sendingContexts.read(scope, trackingId);
  const head = context.head && (await deps.logs.readHead(context.head));
  return { ...(await completed(deps, context, nowMs)), head };
}

/** Adds to a context what is not an item: the opened user and the caps that usage has reached. */
export async function completed(
  { users, usageCaps }: ContextDependencies,
  context: SendingContext,
  nowMs: number,
): Promise<Known> {
  const { account, environment, organization, profile } = context;
  const { accountId } = account;
  const { environmentId } = environment;
  const [user, exceeded] = await Promise.all([
    profile && users.open({ accountId, environmentId }, profile),
    usageCaps.findExceeded(account, organization, nowMs),
  ]);
  return { context, user, exceeded };
}

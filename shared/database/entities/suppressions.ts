import * as v from 'valibot';
import { anonymousStatus } from '../../domain/erased-log.ts';
import {
  TRANSIENT_BOUNCES_MAX,
  TRANSIENT_BOUNCES_WITHIN_MS,
  withTransientBounce,
} from '../../domain/transient-bounces.ts';
import { defined } from '../../runtime/defined.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { secondsAfter } from '../../runtime/durations.ts';
import { EmailSuppressionStatus } from '../../schemas/user.ts';
import { type Database, database } from '../database.ts';
import { suppressionKey } from '../keys/account.ts';
import type { Item } from '../table.ts';
import { AGAIN, atRevision, untilSettled } from './settle.ts';
import { readStored } from './stored.ts';

const Stored = v.object({
  status: v.optional(EmailSuppressionStatus),
  /** Transient bounces of late, while they have not suppressed the address. */
  bouncesAtMs: v.optional(v.array(v.number()), []),
  /** Time at which a suppression was lifted: users' copies of it no longer count. */
  liftedAtMs: v.optional(v.number()),
  revision: v.number(),
});

/**
 * A suppression belongs to an account's email address, whichever user has
 * it. Only `lift` ends one.
 */
export type Suppressions = {
  /** Why nothing may be sent to the address; undefined if it may. Half the cost of a consistent read. */
  find(accountId: string, address: string): Promise<EmailSuppressionStatus | undefined>;
  /** The same; where there is no record yet, a user's copy of it counts, which earlier releases stored alone. */
  findOrCopy(
    accountId: string,
    address: string,
    copy: EmailSuppressionStatus,
  ): Promise<{ status: EmailSuppressionStatus | undefined; isCopyOnly: boolean }>;
  /** Makes a record of a user's copy, unless there is one, or the suppression was lifted. */
  adopt(accountId: string, address: string, copy: EmailSuppressionStatus): Promise<void>;
  /** As `find`, for many addresses by one batch read, in their order. */
  findAll(accountId: string, addresses: readonly string[]): Promise<(EmailSuppressionStatus | undefined)[]>;
  /** Suppresses the address; the first reason is kept. */
  suppress(accountId: string, address: string, status: EmailSuppressionStatus): Promise<void>;
  /** Counts a transient bounce; too many of late suppress the address with `status`. True when it is suppressed. */
  countBounce(
    accountId: string,
    address: string,
    atMs: number,
    status: EmailSuppressionStatus,
  ): Promise<boolean>;
  lift(accountId: string, address: string, atMs: number): Promise<void>;
  /** Removes the words of servers from the reason of a suppression: they may contain the address. */
  forgetReason(accountId: string, address: string): Promise<void>;
};

/** Reads a suppression from a batch. */
export function readSuppression(item: Item | undefined): EmailSuppressionStatus | undefined {
  return item && readStored('suppression', Stored, item).status;
}

function createSuppressions(table: Database): Suppressions {
  const change = (
    accountId: string,
    address: string,
    next: (stored: v.InferOutput<typeof Stored>) => Item | undefined,
  ) =>
    untilSettled(async () => {
      const key = suppressionKey(accountId, address);
      const item = await table.get(key, { consistent: true });
      const stored = item
        ? readStored('suppression', Stored, item)
        : { bouncesAtMs: [], revision: 0, liftedAtMs: undefined, status: undefined };
      const changed = next(stored);
      if (!changed) return;
      const unchanged = item ? atRevision(stored.revision) : { condition: 'attribute_not_exists(pk)' };
      const outcome = await table.put({ ...key, ...changed, revision: stored.revision + 1 }, unchanged);
      return outcome.written ? undefined : AGAIN;
    });

  return {
    async find(accountId, address) {
      return readSuppression(await table.get(suppressionKey(accountId, address)));
    },

    async findOrCopy(accountId, address, copy) {
      const item = await table.get(suppressionKey(accountId, address));
      const stored = item && readStored('suppression', Stored, item);
      if (stored?.status || stored?.liftedAtMs !== undefined)
        return { status: stored.status, isCopyOnly: false };
      return { status: copy, isCopyOnly: true };
    },

    async adopt(accountId, address, copy) {
      await change(accountId, address, ({ status, liftedAtMs }) =>
        status || liftedAtMs !== undefined ? undefined : { status: copy },
      );
    },

    async findAll(accountId, addresses) {
      const items = await table.batchGet(addresses.map((each) => suppressionKey(accountId, each)));
      return items.map(readSuppression);
    },

    async suppress(accountId, address, status) {
      await change(accountId, address, (stored) => (stored.status ? undefined : { status }));
    },

    async countBounce(accountId, address, atMs, status) {
      let isSuppressed = false;
      await change(accountId, address, (stored) => {
        const { liftedAtMs } = stored;
        isSuppressed = stored.status !== undefined;
        const bouncesAtMs = isSuppressed ? undefined : withTransientBounce(stored.bouncesAtMs, atMs);
        if (!bouncesAtMs) return undefined;
        isSuppressed = bouncesAtMs.length >= TRANSIENT_BOUNCES_MAX;
        if (isSuppressed) return { status };
        const expiresAt = secondsAfter(atMs + TRANSIENT_BOUNCES_WITHIN_MS);
        return { bouncesAtMs, ...(liftedAtMs === undefined ? { expiresAt } : { liftedAtMs }) };
      });
      return isSuppressed;
    },

    async lift(accountId, address, atMs) {
      await change(accountId, address, () => ({ liftedAtMs: atMs }));
    },

    async forgetReason(accountId, address) {
      await change(
        accountId,
        address,
        ({ status, liftedAtMs }) => status && { status: anonymousStatus(status), ...defined({ liftedAtMs }) },
      );
    },
  };
}

export const suppressions = dependency('suppressions', () => createSuppressions(resolve(database)));

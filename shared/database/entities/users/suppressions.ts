import * as v from 'valibot';
import { anonymousStatus } from '../../../domain/logs/erased-log.ts';
import { mailboxOf } from '../../../domain/users/mailbox.ts';
import type { OptOuts } from '../../../domain/users/opt-outs.ts';
import { clock, dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_MS, secondsAfter } from '../../../runtime/values/durations.ts';
import { EmailSuppressionStatus } from '../../../schemas/users/user.ts';
import type { Signer } from '../../../tokens/signer.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { erasedSuppressionKey, suppressionKey } from '../../keys/account.ts';
import { feedKeys } from '../../keys/indexes.ts';
import { type Key, keyOf } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { isKeyedHash, type KeyedHashes, keyedHash, keyedHashes } from '../access/keyed-hashes.ts';

const Stored = v.object({
  status: v.optional(EmailSuppressionStatus),
  /** Absent under a keyed hash. */
  address: v.optional(v.string()),
  /** Transient bounces of late, while they have not suppressed the address. */
  bouncesAtMs: v.optional(v.array(v.number()), []),
  /** When a suppression was lifted: users' copies of it no longer count. */
  liftedAtMs: v.optional(v.number()),
  /** Only in a record under a keyed hash. */
  optOuts: v.optional(v.record(v.string(), v.object({ atMs: v.number(), source: v.string() }))),
  revision: v.number(),
});
type Stored = v.InferOutput<typeof Stored>;
const NOTHING: Stored = { bouncesAtMs: [], revision: 0 };

/** What holds for an address: a suppression, and what it opted out of. */
type AddressState = { status: EmailSuppressionStatus | undefined; optOuts: OptOuts };

/** A suppression belongs to an account's email address and applies to every user who has it. Only `lift` ends it. */
export type Suppressions = ReturnType<typeof createSuppressions>;

/** True if the hash is the address's, by any secret that the deployment has had. */
export const isAddressHash = (
  signer: Signer,
  accountId: string,
  address: string,
  hash: string,
): Promise<boolean> => isKeyedHash(signer, hashedText(accountId, address), hash);

type OptOutChange = { added?: OptOuts; ended?: readonly string[] };

/** The hash under which the opt-outs of an address are stored. */
export const addressHash = (signer: Signer, accountId: string, address: string): Promise<string> =>
  keyedHash(signer, hashedText(accountId, address));

/** Kind of the feed of an account's suppressed addresses in the index `feed`. */
export const SUPPRESSION_FEED = 'SUPPRESSED';

/** When the address was suppressed; 0 if nobody stated it. */
export const suppressedAtMs = ({ details }: EmailSuppressionStatus) =>
  Math.max(0, Date.parse(String(details.timestamp)) || 0);

/** Reads a suppression from a batch. */
export const readSuppression = (item: Item | undefined): EmailSuppressionStatus | undefined =>
  readRecord(item)?.status;

/** Without the words of servers, which earlier releases stored. */
export function readRecord(item: Item | undefined): Stored | undefined {
  if (!item) return undefined;
  const record = readStored('suppression', Stored, item);
  return record.status ? { ...record, status: anonymousStatus(record.status) } : record;
}

/** Earlier releases stored no address, and left this when they erased a user. */
const isEarlier = (item: Item | undefined) =>
  item?.sk === 'SUPPRESSION' && item.status !== undefined && item.address === undefined;

function createSuppressions(table: Database, hashes: () => KeyedHashes, now: () => number) {
  const erasedKeys = async (accountId: string, address: string): Promise<Key[]> => {
    const known = await hashes().list(hashedText(accountId, address));
    return known.map((hash) => erasedSuppressionKey(accountId, hash));
  };
  const placesOf = async (accountId: string, address: string) => [
    suppressionKey(accountId, address),
    ...(await erasedKeys(accountId, address)),
  ];
  const recordsIn = async (accountId: string, address: string, items: readonly (Item | undefined)[]) => {
    if (items.some(isEarlier)) await moveEarlier(accountId, address);
    return items.flatMap((item) => readRecord(item) ?? []);
  };
  const listRecords = async (accountId: string, address: string): Promise<Stored[]> =>
    recordsIn(accountId, address, await table.batchGet(await placesOf(accountId, address)));

  async function put(key: Key, item: Item | undefined, next: Partial<Stored> & Item): Promise<boolean> {
    const { revision, optOuts } = readRecord(item) ?? NOTHING;
    const unchanged = item ? atRevision(revision) : { condition: 'attribute_not_exists(pk)' };
    const merged = { optOuts, ...next, status: next.status && anonymousStatus(next.status) };
    // What expires alone must not take opt-outs with it.
    const expiresAt = merged.optOuts ? undefined : next.expiresAt;
    const stored = { ...key, ...defined({ ...merged, expiresAt }), revision: revision + 1 };
    return (await table.put(stored, unchanged)).written;
  }

  /** Moves the record to a keyed hash, if there is one. Leaves an empty item that expires: readers may not delete. */
  const moveEarlier = (accountId: string, address: string, isErased = false) =>
    untilSettled(async () => {
      const places = await placesOf(accountId, address);
      const [item, ...kept] = await table.batchGet(places, { consistent: true });
      const [, place] = places;
      const record = readRecord(item);
      if (!place || !item || !record || !(isErased || isEarlier(item))) return undefined;
      const { status, liftedAtMs, revision } = record;
      const isMoved = (status || liftedAtMs !== undefined) && !kept.some(isAboutSuppression);
      if (isMoved && !(await put(place, kept[0], { status, liftedAtMs }))) return AGAIN;
      const empty = { ...keyOf(item), revision: revision + 1, expiresAt: secondsAfter(now()) };
      const { written } = await (isErased
        ? table.delete(keyOf(item), atRevision(revision))
        : table.put(empty, atRevision(revision)));
      return written ? undefined : AGAIN;
    });

  /** What lists the address of a suppression, unless the person was erased. */
  const listed = (accountId: string, address: string, status: EmailSuppressionStatus, { pk, sk }: Key) =>
    sk === 'SUPPRESSION' && {
      address: mailboxOf(address),
      ...feedKeys(accountId, SUPPRESSION_FEED, 0, suppressedAtMs(status), pk),
    };

  const keptKey = async (accountId: string, address: string, signer: Signer) =>
    erasedSuppressionKey(accountId, await addressHash(signer, accountId, address));

  /** Changes the address's record where it is. A new one of an erased person is under a hash by their signer. */
  const change = (
    accountId: string,
    address: string,
    next: (stored: Stored) => (Item & Partial<Stored>) | undefined,
    erasedBy?: Signer,
  ) =>
    untilSettled(async () => {
      const places = await placesOf(accountId, address);
      const items = await table.batchGet(places, { consistent: true });
      const known = items.find(isAboutSuppression);
      const fresh = () =>
        erasedBy ? keptKey(accountId, address, erasedBy) : suppressionKey(accountId, address);
      const key = known ? keyOf(known) : await fresh();
      const item = items.find((each) => each?.pk === key.pk);
      const changed = next(readRecord(known) ?? NOTHING);
      const status = changed?.status;
      const place = status && listed(accountId, address, status, key);
      return !changed || (await put(key, item, { ...changed, ...place })) ? undefined : AGAIN;
    });

  return {
    /** Why nothing may be sent to the address; undefined if it may. Not consistent, at half the cost. */
    async find(accountId: string, address: string): Promise<EmailSuppressionStatus | undefined> {
      return statusIn(await listRecords(accountId, address));
    },

    /** The suppression and the opt-outs of an address; `isHashed`: only what is under its keyed hash. */
    async read(accountId: string, address: string, isHashed: boolean = false): Promise<AddressState> {
      const keys = await (isHashed ? erasedKeys : placesOf)(accountId, address);
      const records = await recordsIn(accountId, address, await table.batchGet(keys));
      const optOuts = Object.assign({}, ...records.map((record) => record.optOuts));
      return { status: statusIn(records), optOuts };
    },

    /** Adds opt-outs of the address with this hash and ends others; false if nothing changed. They outlive users and their erasure. */
    optOut: (accountId: string, hash: string, { added = {}, ended = [] }: OptOutChange): Promise<boolean> =>
      untilSettled(async () => {
        const key = erasedSuppressionKey(accountId, hash);
        const item = await table.get(key, { consistent: true });
        const { optOuts = {}, ...stored } = readRecord(item) ?? NOTHING;
        const isEnded = ended.some((name) => name in optOuts);
        const isChanged = isEnded || Object.keys(added).some((name) => !(name in optOuts));
        if (!isEnded && Object.keys(added).length === 0) return false;
        const left = Object.entries({ ...optOuts, ...added }).filter(([name]) => !ended.includes(name));
        return (await put(key, item, { ...stored, optOuts: Object.fromEntries(left) })) ? isChanged : AGAIN;
      }),

    /** The same; where there is no record yet, a user's copy of it counts, which earlier releases stored alone. */
    async findOrCopy(
      accountId: string,
      address: string,
      copy: EmailSuppressionStatus,
    ): Promise<{ status: EmailSuppressionStatus | undefined; isCopyOnly: boolean }> {
      const records = await listRecords(accountId, address);
      const isDecided = records.some(({ status, liftedAtMs }) => status || liftedAtMs !== undefined);
      if (!isDecided) return { status: copy, isCopyOnly: true };
      return { status: fullerStatus(statusIn(records), copy), isCopyOnly: false };
    },

    /** Makes a record of a user's copy, unless there is one, or the suppression was lifted. */
    async adopt(accountId: string, address: string, copy: EmailSuppressionStatus): Promise<void> {
      await change(accountId, address, ({ status, liftedAtMs }) =>
        status || liftedAtMs !== undefined ? undefined : { status: copy },
      );
    },

    /** As `find`, for many addresses by one batch read, in their order. */
    async findAll(
      accountId: string,
      addresses: readonly string[],
    ): Promise<(EmailSuppressionStatus | undefined)[]> {
      const places = await Promise.all(addresses.map((each) => placesOf(accountId, each)));
      const items = await table.batchGet(places.flat());
      return Promise.all(
        places.map(async (own, index) =>
          statusIn(await recordsIn(accountId, addresses[index] ?? '', items.splice(0, own.length))),
        ),
      );
    },

    /** Suppresses the address; the first reason is kept. `erasedBy`: for a person who was erased. */
    async suppress(
      accountId: string,
      address: string,
      status: EmailSuppressionStatus,
      erasedBy?: Signer,
    ): Promise<void> {
      await change(accountId, address, (stored) => (stored.status ? undefined : { status }), erasedBy);
    },

    /** Counts a transient bounce; too many of late suppress the address with `status`. True when it is suppressed. */
    async countBounce(
      accountId: string,
      address: string,
      {
        atMs,
        status,
        erasedBy,
      }: { atMs: number; status: EmailSuppressionStatus; erasedBy?: Signer | undefined },
    ): Promise<boolean> {
      let isSuppressed = false;
      const next = (stored: Stored) => {
        const { liftedAtMs, optOuts } = stored;
        isSuppressed = stored.status !== undefined;
        const bouncesAtMs = isSuppressed ? undefined : withTransientBounce(stored.bouncesAtMs, atMs);
        if (!bouncesAtMs) return undefined;
        isSuppressed = bouncesAtMs.length >= TRANSIENT_BOUNCES_MAX;
        if (isSuppressed) return { status };
        const expiresAt = secondsAfter(atMs + TRANSIENT_BOUNCES_WITHIN_MS);
        return {
          bouncesAtMs,
          ...(liftedAtMs === undefined && !optOuts ? { expiresAt } : defined({ liftedAtMs })),
        };
      };
      await change(accountId, address, next, erasedBy);
      return isSuppressed;
    },

    /** A delivery: the transient bounces before it no longer count. */
    async forgetBounces(accountId: string, address: string, atMs: number): Promise<void> {
      const isCounting = ({ status, bouncesAtMs }: Stored) => !status && bouncesAtMs.length > 0;
      if (!(await listRecords(accountId, address)).some(isCounting)) return;
      await change(accountId, address, (stored) => {
        const { liftedAtMs } = stored;
        if (!isCounting(stored)) return undefined;
        return liftedAtMs === undefined ? { expiresAt: secondsAfter(atMs) } : { liftedAtMs };
      });
    },

    async lift(accountId: string, address: string, atMs: number): Promise<void> {
      await untilSettled(async () => {
        const places = await placesOf(accountId, address);
        const items = await table.batchGet(places, { consistent: true });
        const isNew = items.every((item) => item === undefined);
        for (const [place, key] of places.entries()) {
          const item = items[place];
          const isMeant = item !== undefined || (isNew && place === 0);
          if (isMeant && !(await put(key, item, { liftedAtMs: atMs }))) return AGAIN;
        }
        return undefined;
      });
    },

    /**
     * After an erasure: keeps the suppression without the words of servers, under a hash that nobody can compute from a list
     * of addresses. It holds as before.
     */
    async anonymize(accountId: string, address: string, signer: Signer): Promise<void> {
      // Makes the deployment's secret if there is none.
      await addressHash(signer, accountId, address);
      await moveEarlier(accountId, address, true);
    },
  };
}

/** True unless the record is of opt-outs alone. */
function isAboutSuppression(item: Item | undefined): boolean {
  const { status, liftedAtMs, bouncesAtMs } = readRecord(item) ?? NOTHING;
  return status !== undefined || liftedAtMs !== undefined || bouncesAtMs.length > 0;
}

/** A user's copy has the words of the server too. */
export const fullerStatus = (
  status: EmailSuppressionStatus | undefined,
  copy: EmailSuppressionStatus | undefined,
): EmailSuppressionStatus | undefined => (status && copy?.reason === status.reason ? copy : status);

const statusIn = (records: readonly Stored[]) => records.find(({ status }) => status)?.status;

const hashedText = (accountId: string, address: string) => `${accountId} ${mailboxOf(address)}`;

export const suppressions = dependency('suppressions', () =>
  createSuppressions(
    resolve(database),
    () => resolve(keyedHashes),
    () => resolve(clock).now(),
  ),
);

/** This many transient bounces within this time suppress a mailbox. */
const TRANSIENT_BOUNCES_MAX = 5;
const TRANSIENT_BOUNCES_WITHIN_MS = 14 * DAY_MS;

/**
 * The recent transient bounces of an address, in milliseconds, with the bounce at `atMs`; undefined when it was counted before.
 */
function withTransientBounce(bouncesAtMs: readonly number[], atMs: number): number[] | undefined {
  if (bouncesAtMs.includes(atMs)) return undefined;
  return [...bouncesAtMs, atMs].filter((each) => each > atMs - TRANSIENT_BOUNCES_WITHIN_MS);
}

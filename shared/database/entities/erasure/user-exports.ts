import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { inflated } from '../../../runtime/values/deflated.ts';
import { DAY_MS, secondsAfter } from '../../../runtime/values/durations.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { type Database, database } from '../../database.ts';
import { atRevision } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import { LOG_PK_PREFIX, userPk } from '../../keys/key.ts';
import { TRACE_PREFIX, userExportKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

/** The file, its link and the record of it end this long after the request. */
export const EXPORT_MS = 7 * DAY_MS;

const Person = v.object({
  environmentId: v.string(),
  userId: v.string(),
  formerOf: v.optional(v.array(v.string())),
});
const StoredExport = v.object({
  accountId: v.string(),
  environmentId: v.string(),
  /** As in the request: an ID or an address. */
  userId: v.string(),
  askedBy: v.string(),
  atMs: v.number(),
  people: v.array(Person),
  addresses: v.array(v.string()),
  /** How many of the people are read, and where the feed of the next one's environment continues. */
  done: v.number(),
  position: v.optional(v.string()),
  /** The file in order. */
  parts: v.array(v.object({ name: v.string(), size: v.number() })),
  readyAtMs: v.optional(v.number()),
  revision: v.number(),
});
/** An export of everything about a person, while it is written and until it expires. */
export type UserExport = v.InferOutput<typeof StoredExport>;

export type UserExports = ReturnType<typeof createUserExports>;

function createUserExports(table: Database) {
  async function findByPk(pk: string, nowMs: number): Promise<UserExport | undefined> {
    const item = await table.get({ pk, sk: 'JOB' }, { consistent: true });
    const found = item && readStored('export', StoredExport, item);
    return found && nowMs < found.atMs + EXPORT_MS ? found : undefined;
  }

  return {
    findByPk,
    find: (environmentId: string, userId: string, nowMs: number): Promise<UserExport | undefined> =>
      findByPk(userExportKey(environmentId, userId).pk, nowMs),

    /** Stores the next state; undefined if another step was first. It is due for its next step until it is ready. */
    async save(job: UserExport, dueAtMs: number): Promise<UserExport | undefined> {
      const key = userExportKey(job.environmentId, job.userId);
      const next = { ...job, revision: job.revision + 1 };
      const due = job.readyAtMs === undefined ? dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk) : {};
      const { written } = await table.put(
        { ...key, ...defined(next), ...due, expiresAt: secondsAfter(job.atMs + EXPORT_MS) },
        job.revision === 0 ? { condition: 'attribute_not_exists(pk)' } : atRevision(job.revision),
      );
      return written ? next : undefined;
    },

    /** Deletes the record; returns the names of the parts, which are to be deleted. */
    async remove(environmentId: string, userId: string): Promise<string[]> {
      const key = userExportKey(environmentId, userId);
      const item = await table.get(key, { consistent: true });
      if (!item) return [];
      await table.delete(key);
      return readStored('export', StoredExport, item).parts.map(({ name }) => name);
    },

    /** What is stored under a user, and in the partitions with data of theirs except logs, as plain values with a `kind`. */
    async listItems({ environmentId, userId }: { environmentId: string; userId: string }): Promise<Item[]> {
      const all = await table.queryAll(userPk(environmentId, userId), '', { consistent: true });
      const isTrace = ({ sk }: Item) => String(sk).startsWith(TRACE_PREFIX);
      const traced = all.filter(isTrace).map((item) => String(item.traced));
      const elsewhere = await Promise.all(
        traced.filter((pk) => !pk.startsWith(LOG_PK_PREFIX)).map((pk) => table.queryAll(pk, '')),
      );
      const own = elsewhere.flat().filter((item) => item.userId === undefined || item.userId === userId);
      return [...all.filter((item) => !isTrace(item)), ...own].map(plainItem);
    },
  };
}

/** Names of storage, secrets that the person does not need, and what the log of a notification has too. */
const HIDDEN =
  /^(request|pk|sk|feedPk|feedSk|duePk|dueSk|revision|expiresAt|hasReferences|accountId|connectionId|sealed.*)$/;

export function plainItem(item: Item): Item {
  const shown = Object.entries(item).filter(([name]) => !HIDDEN.test(name));
  const values = shown.map(([name, value]) => [name, value instanceof Uint8Array ? unpacked(value) : value]);
  const [kind = ''] = String(item.sk).split('#');
  return { kind: kind.toLowerCase(), ...Object.fromEntries(values) };
}

function unpacked(bytes: Uint8Array): unknown {
  const text = inflated(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const userExports = dependency('userExports', () => createUserExports(resolve(database)));

import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { Channel } from '../../../schemas/channel.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { stampOf } from '../../items/edition.ts';
import { readStored } from '../../items/stored.ts';
import { templateDraftKey, templateVersionKey } from '../../keys/environment.ts';
import type { Key } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import type { TemplateEntry } from './notification-types.ts';
import { packContent, unpackContent } from './packed-content.ts';

const StoredVersion = v.object({
  version: v.number(),
  packed: v.instance(Uint8Array),
  updatedAtMs: v.optional(v.number()),
  updatedBy: v.optional(v.string()),
});

/** What a template was before a change, or its draft, which has the version that it began with. */
export type TemplateVersion = Omit<v.InferOutput<typeof StoredVersion>, 'packed'> & { content: object };

type Owner = { environmentId: string; notificationId: string; channel: Channel };
type Name = { templateId: string; locale?: string | undefined };

/** Earlier versions that are kept with the version that sends: ten together. */
const EARLIER_MAX = 9;

/** Earlier versions of templates, and their drafts. No send reads or writes them. */
export type TemplateVersions = ReturnType<typeof createTemplateVersions>;

function createTemplateVersions(table: Database) {
  return {
    /** Newest first, without the version that sends. */
    async listEarlier(owner: Owner, name: Name): Promise<TemplateVersion[]> {
      const { pk, sk } = templateVersionKey(owner, name);
      return (await table.queryAll(pk, sk, { consistent: true })).map(readVersion).reverse();
    },
    async findDraft(owner: Owner, name: Name): Promise<TemplateVersion | undefined> {
      const item = await table.get(templateDraftKey(owner, name), { consistent: true });
      return item && readVersion(item);
    },
    /** Returns undefined if the content is too large. */
    async saveDraft(
      owner: Owner,
      entry: TemplateEntry,
      content: object,
    ): Promise<TemplateVersion | undefined> {
      const packed = packContent(content);
      if (!packed) return undefined;
      const draft = { version: entry.version, ...stampOf('template') };
      await table.put({ ...templateDraftKey(owner, entry), ...draft, packed });
      return { ...draft, content };
    },
    /** Deletes a draft; one that was saved after `draft` stays. */
    async deleteDraft(owner: Owner, name: Name, draft?: TemplateVersion): Promise<void> {
      const isSame = draft?.updatedAtMs === undefined ? undefined : { values: { ':at': draft.updatedAtMs } };
      const options = isSame && { ...isSame, condition: 'updatedAtMs = :at' };
      await table.delete(templateDraftKey(owner, name), options);
    },
  };
}

function readVersion(item: Item): TemplateVersion {
  const { packed, ...version } = readStored('version of a template', StoredVersion, item);
  return { ...version, content: Object(unpackContent(packed).content) };
}

/** Keeps the content that a change replaces, and drops what is older than the ten newest versions. */
export async function versionWrites(
  table: Database,
  owner: Owner,
  entry: TemplateEntry,
  content: object,
): Promise<TransactAction[]> {
  const packed = packContent(content);
  const { version, createdAtMs, updatedAtMs = createdAtMs, updatedBy } = entry;
  const old = (await versionKeys(table, owner, entry)).slice(0, 1 - EARLIER_MAX);
  const kept = {
    ...templateVersionKey(owner, entry, version),
    version,
    ...defined({ updatedAtMs, updatedBy }),
  };
  return [...(packed ? [{ put: { ...kept, packed } }] : []), ...old.map((key) => ({ delete: key }))];
}

export const versionRemoval = async (table: Database, owner: Owner, name: Name): Promise<TransactAction[]> =>
  [...(await versionKeys(table, owner, name)), templateDraftKey(owner, name)].map((key) => ({ delete: key }));

/** Oldest first. */
async function versionKeys(table: Database, owner: Owner, name: Name): Promise<Key[]> {
  const { pk, sk } = templateVersionKey(owner, name);
  const items = await table.queryAll(pk, sk, { consistent: true });
  return items.map((item) => ({ pk, sk: String(item.sk) }));
}

export const templateVersions = dependency('templateVersions', () =>
  createTemplateVersions(resolve(database)),
);

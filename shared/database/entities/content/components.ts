import * as v from 'valibot';
import {
  COMPONENT_DEPTH_MAX,
  type Embeddings,
  embeddersOf,
} from '../../../domain/content/component-graph.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { Channel } from '../../../schemas/channel.ts';
import { Id } from '../../../schemas/fields/text.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { COMPONENT_PREFIX, componentKey, embeddingsKey, referencePrefix } from '../../keys/environment.ts';
import { environmentPk } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { unpackContent } from './packed-content.ts';

const StoredComponent = v.object({
  componentId: v.string(),
  name: v.string(),
  packed: v.instance(Uint8Array),
  embeds: v.array(v.string()),
  /** Changes with every write of the component and with every new reference to it. */
  revision: v.number(),
  createdAtMs: v.number(),
  modifiedAtMs: v.number(),
  updatedBy: v.optional(v.string()),
  /** Of one that was made under an idempotency key. */
  creation: v.optional(v.string()),
});

const ComponentContent = v.object({ html: v.string(), internal: v.string(), internalPage: v.string() });
export type ComponentContent = v.InferOutput<typeof ComponentContent>;

/** An email component; `embeds` are the components its html embeds directly. */
export type StoredComponent = Omit<v.InferOutput<typeof StoredComponent>, 'packed'> & ComponentContent;

const Reference = v.object({
  componentId: v.string(),
  notificationId: v.string(),
  channel: Channel,
  templateId: v.string(),
});
export type Reference = Omit<v.InferOutput<typeof Reference>, 'componentId'>;

const StoredEmbeddings = v.object({
  revision: v.number(),
  edges: v.array(v.object({ from: v.string(), to: v.array(v.string()) })),
});

/**
 * The embedding graph of an environment, with the revision that guards changes of it: 0 if there is none yet.
 */
export type ComponentGraph = { embeddings: Embeddings; revision: number };

/** Reads components; writes are in component-changes.ts. */
export type Components = ReturnType<typeof createComponents>;

/** For more components than this, reading all references of the environment takes fewer calls. */
const QUERIES_MAX = 5;

function createComponents(table: Database) {
  async function readReferences(environmentId: string, prefix: string) {
    const items = await table.queryAll(environmentPk(environmentId), prefix, { consistent: true });
    return items.map((item) => readStored('component reference', Reference, item));
  }

  async function graph(environmentId: string): Promise<ComponentGraph> {
    const item = await table.get(embeddingsKey(environmentId), { consistent: true });
    if (!item) return { embeddings: new Map(), revision: 0 };
    const { revision, edges } = readStored('list of embedded components', StoredEmbeddings, item);
    return { embeddings: new Map(edges.map(({ from, to }) => [from, to])), revision };
  }

  return {
    graph,

    async find(environmentId: string, componentId: string): Promise<StoredComponent | undefined> {
      const item = await table.get(componentKey(environmentId, componentId), { consistent: true });
      return item && readComponent(item).component;
    },

    /** Components by id, those after `after`: at most `limit`, and no more than about `sizeBytesMax` of content. */
    listPage: (
      environmentId: string,
      options: { limit: number; sizeBytesMax: number; after?: string | undefined },
    ): Promise<{ components: StoredComponent[]; next?: string }> => listPage(table, environmentId, options),

    /** Html by ID of these components and of all that they embed; missing and impossible IDs are omitted. Never cached. */
    async loadHtml(environmentId: string, componentIds: readonly string[]): Promise<Record<string, string>> {
      const html = new Map<string, string>();
      let unread = [...new Set(componentIds)].filter((id) => v.is(Id, id));
      for (let depth = 1; depth <= COMPONENT_DEPTH_MAX && unread.length > 0; depth += 1) {
        const items = await table.batchGet(
          unread.map((id) => componentKey(environmentId, id)),
          { consistent: true },
        );
        const found = items.flatMap((item) => (item ? [readComponent(item).component] : []));
        for (const component of found) html.set(component.componentId, component.html);
        unread = [...new Set(found.flatMap((component) => component.embeds))].filter((id) => !html.has(id));
      }
      return Object.fromEntries(html);
    },

    /** Templates that embed each component, directly or through other components, in the order of their ids. */
    async referencesTo(
      environmentId: string,
      componentIds: readonly string[],
    ): Promise<Map<string, Reference[]>> {
      const { embeddings } = await graph(environmentId);
      const embedders = new Map(componentIds.map((id) => [id, embeddersOf(embeddings, id)]));
      const needed = new Set([...embedders.values()].flatMap((ids) => [...ids]));
      const lists =
        needed.size <= QUERIES_MAX
          ? await Promise.all([...needed].map((id) => readReferences(environmentId, referencePrefix(id))))
          : [await readReferences(environmentId, referencePrefix())];
      const references = lists.flat();
      return new Map(
        [...embedders].map(([id, ids]) => [
          id,
          distinctTemplates(references.filter((each) => ids.has(each.componentId))),
        ]),
      );
    },

    /** Templates that embed the component directly. */
    async directReferencesTo(environmentId: string, componentId: string): Promise<Reference[]> {
      return distinctTemplates(await readReferences(environmentId, referencePrefix(componentId)));
    },
  };
}

async function listPage(
  table: Database,
  environmentId: string,
  options: { limit: number; sizeBytesMax: number; after?: string | undefined },
): Promise<{ components: StoredComponent[]; next?: string }> {
  const components: StoredComponent[] = [];
  let sizeBytes = 0;
  let after = options.after;
  for (;;) {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': environmentPk(environmentId), ':prefix': COMPONENT_PREFIX },
      ConsistentRead: true,
      Limit: options.limit - components.length + 1,
      ExclusiveStartKey: after === undefined ? undefined : componentKey(environmentId, after),
    });
    for (const item of page.items) {
      const read = readComponent(item);
      const isFull = components.length >= options.limit || sizeBytes + read.sizeBytes > options.sizeBytesMax;
      if (isFull && components.length > 0 && after !== undefined) return { components, next: after };
      components.push(read.component);
      sizeBytes += read.sizeBytes;
      after = read.component.componentId;
    }
    if (!page.lastKey) return { components };
  }
}

function readComponent(item: Item): { component: StoredComponent; sizeBytes: number } {
  const { packed, ...fields } = readStored('component', StoredComponent, item);
  const { content, sizeBytes } = unpackContent(packed);
  return { component: { ...fields, ...v.parse(ComponentContent, content) }, sizeBytes };
}

/** A template that embeds several of the components counts once. */
function distinctTemplates(references: readonly v.InferOutput<typeof Reference>[]): Reference[] {
  const byName = new Map(
    references.map(({ notificationId, channel, templateId }) => [
      JSON.stringify([notificationId, channel, templateId]),
      { notificationId, channel, templateId },
    ]),
  );
  return [...byName].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, reference]) => reference);
}

export const components = dependency('components', () => createComponents(resolve(database)));

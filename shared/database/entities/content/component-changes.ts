import { embeddingProblem } from '../../../domain/content/component-graph.ts';
import { type Creation, isRepetition } from '../../../domain/routing/creation.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected, isSameState, stampOf } from '../../items/edition.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { componentKey, embeddingsKey } from '../../keys/environment.ts';
import type { Item } from '../../table.ts';
import {
  type ComponentContent,
  type ComponentGraph,
  type Components,
  components,
  type StoredComponent,
} from './components.ts';
import { packContent } from './packed-content.ts';

/** Maximum JSON bytes of the list of embedded components: it is one item. */
const EMBEDDINGS_BYTES_MAX = 300_000;

/**
 * The content of a component to store; `embeds` are the distinct components its html embeds directly, at most
 * 20.
 */
type ComponentDraft = ComponentContent & { name: string; embeds: readonly string[] };

/**
 * The outcome of saving. `no-component`: an embedded one does not exist. `full`: too many components embed
 * others.
 */
type ComponentOutcome = { kind: 'saved'; component: StoredComponent } | { kind: ComponentRefusal };
export type ComponentRefusal =
  | 'not-found'
  | 'duplicate'
  | 'too-large'
  | 'no-component'
  | 'cycle'
  | 'depth'
  | 'full';

/** The outcome of deleting. `in-use`: how many templates and other components embed it directly. */
type ComponentRemoval =
  | { kind: 'deleted' | 'not-found' }
  | { kind: 'in-use'; templates: number; components: number };

/**
 * Writes of components. The embedding graph is kept free of cycles and of chains over three, also under
 * concurrency.
 */
function createComponentChanges(table: Database, stored: Components) {
  async function save(
    environmentId: string,
    component: StoredComponent,
    before: StoredComponent | undefined,
  ): Promise<ComponentOutcome | typeof AGAIN> {
    const { html, internal, internalPage, ...fields } = component;
    const packed = packContent({ html, internal, internalPage });
    if (!packed) return { kind: 'too-large' };
    const item = { ...componentKey(environmentId, component.componentId), ...fields, packed };
    const actions = [writeUnder(item, before?.revision ?? 0)];
    const added = component.embeds.filter((id) => !before?.embeds.includes(id));
    if (added.length > 0 || before?.embeds.some((id) => !component.embeds.includes(id))) {
      const graph = await stored.graph(environmentId);
      const problem = embeddingProblem(graph.embeddings, component.componentId, component.embeds);
      if (problem) return { kind: problem };
      const next = graphItem(environmentId, graph, component.componentId, component.embeds);
      if (Buffer.byteLength(JSON.stringify(next.edges)) > EMBEDDINGS_BYTES_MAX) return { kind: 'full' };
      actions.push(writeUnder(next, graph.revision), ...added.map((id) => existence(environmentId, id)));
    }
    const outcome = await table.transact(actions);
    if (outcome.written) return { kind: 'saved', component };
    const failed = outcome.failed.map(({ index }) => index);
    if (failed.includes(0)) return before ? AGAIN : { kind: 'duplicate' };
    return failed.length === 0 || failed.includes(1) ? AGAIN : { kind: 'no-component' };
  }

  return {
    create: (
      environmentId: string,
      componentId: string,
      draft: ComponentDraft,
      { nowMs, creation }: { nowMs: number; creation: Creation },
    ): Promise<ComponentOutcome> =>
      untilSettled<ComponentOutcome>(async () => {
        const found = await stored.find(environmentId, componentId);
        if (found && isRepetition(creation, found.creation)) return { kind: 'saved', component: found };
        if (found) return { kind: 'duplicate' };
        const first = { createdAtMs: nowMs, modifiedAtMs: nowMs, revision: 1 };
        const component = { ...draft, embeds: [...draft.embeds], componentId, ...first };
        const outcome = await save(
          environmentId,
          { ...component, ...defined({ creation: creation.mark }) },
          undefined,
        );
        // Somebody else was faster: perhaps the same request.
        return outcome !== AGAIN && outcome.kind === 'duplicate' ? AGAIN : outcome;
      }),

    /** Stores the result of `edit`; undefined leaves the component unchanged. */
    edit: (
      environmentId: string,
      componentId: string,
      edit: (component: StoredComponent) => ComponentDraft | undefined,
      nowMs: number,
    ): Promise<ComponentOutcome> =>
      untilSettled<ComponentOutcome>(async () => {
        const before = await stored.find(environmentId, componentId);
        if (!before) return { kind: 'not-found' };
        const draft = edit(before);
        if (!draft) return { kind: 'saved', component: before };
        const next = { ...before, ...draft, embeds: [...draft.embeds] };
        if (isSameState(next, before)) return { kind: 'saved', component: before };
        assertExpected('component', componentState(before));
        const { updatedBy } = stampOf('component');
        const stamped = { ...next, updatedBy, modifiedAtMs: nowMs, revision: before.revision + 1 };
        return save(environmentId, stamped, before);
      }),

    /** Deletes a component that nothing embeds. */
    delete: (environmentId: string, componentId: string): Promise<ComponentRemoval> =>
      untilSettled<ComponentRemoval>(async () => {
        const component = await stored.find(environmentId, componentId);
        if (!component) return { kind: 'not-found' };
        assertExpected('component', componentState(component));
        const [references, graph] = await Promise.all([
          stored.directReferencesTo(environmentId, componentId),
          stored.graph(environmentId),
        ]);
        const embedders = [...graph.embeddings.values()].filter((ids) => ids.includes(componentId));
        if (references.length + embedders.length > 0) {
          return { kind: 'in-use', templates: references.length, components: embedders.length };
        }
        const removal: TransactAction = {
          delete: componentKey(environmentId, componentId),
          ...atRevision(component.revision),
        };
        const next = graphItem(environmentId, graph, componentId, []);
        const outcome = await table.transact([removal, writeUnder(next, graph.revision)]);
        return outcome.written ? { kind: 'deleted' } : AGAIN;
      }),
  };
}

export function componentState({ revision: _, creation: __, ...fields }: StoredComponent): object {
  return fields;
}

/** Writes the item if its stored revision still equals `revision`; 0 if none is stored. */
function writeUnder(item: Item, revision: number): TransactAction {
  return revision === 0
    ? { put: item, condition: 'attribute_not_exists(pk)' }
    : { put: item, ...atRevision(revision) };
}

function existence(environmentId: string, componentId: string): TransactAction {
  return { check: componentKey(environmentId, componentId), condition: 'attribute_exists(pk)' };
}

/** The graph's item with the new `componentId` entry. */
function graphItem(
  environmentId: string,
  { embeddings, revision }: ComponentGraph,
  componentId: string,
  embeds: readonly string[],
): Item {
  const edges = [...new Map(embeddings).set(componentId, embeds)]
    .filter(([, to]) => to.length > 0)
    .map(([from, to]) => ({ from, to }));
  return { ...embeddingsKey(environmentId), edges, revision: revision + 1 };
}

export const componentChanges = dependency('componentChanges', () =>
  createComponentChanges(resolve(database), resolve(components)),
);
